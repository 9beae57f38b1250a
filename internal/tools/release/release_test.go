package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/cli"
	"seaworthy/internal/test/needs"
)

func TestLatest(t *testing.T) {
	version, date, notes, err := latest("# Changelog\n\n## 1.1.0 (2026-03-04)\n\nNew.\n\n## 1.0.0 (2026-01-02)\n\nOld.\n")
	if err != nil || version != "1.1.0" || date != "2026-03-04" || notes != "New.\n" {
		t.Errorf("got %q %q %q %v", version, date, notes, err)
	}
	_, _, _, err = latest("# Changelog\n")
	if err == nil {
		t.Error("a changelog without a version was taken")
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ version, top, date, changed, want string }{
		{"1.1.0", "1.1.0", "2026-03-04", "", ""},
		{"v1.1", "1.1.0", "2026-03-04", "", "expected one as 0.1.0"},
		{"1.2.0", "1.1.0", "2026-03-04", "", "CHANGELOG.md begins with 1.1.0"},
		{"1.1.0", "1.1.0", "unreleased", "", "write the date of the release"},
		{"1.1.0", "1.1.0", "2026-03-04", " M go.mod", "not committed"},
	} {
		r := Release{Version: c.version}
		err := r.check(c.top, c.date, c.changed)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.version, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.version, err, c.want)
		}
	}
}

// What is before a release sorts before it, for deb and rpm.
func TestPackageVersion(t *testing.T) {
	for in, want := range map[string]string{"1.0.0": "1.0.0", "1.0.0-rc.1": "1.0.0~rc.1", "0.1.0-dev+0a1b-x": "0.1.0~dev+0a1b-x"} {
		if got := packageVersion(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// The bytes of an archive depend on what it holds, not on when or where it was made.
func TestArchiveRepeats(t *testing.T) {
	var made [][]byte
	for n := range 2 {
		staged := t.TempDir()
		for _, name := range []string{"bin/seaworthy", "doc/LICENSE"} {
			err := writePaper(filepath.Join(staged, name), []byte(name))
			if err != nil {
				t.Fatal(err)
			}
		}
		err := os.Chtimes(filepath.Join(staged, "doc/LICENSE"), time.Unix(int64(n), 0), time.Unix(int64(n), 0))
		if err != nil {
			t.Fatal(err)
		}
		r := Release{Version: "1.0.0", Dir: t.TempDir(), commit: time.Unix(1e9, 0)}
		err = r.archive(artefact{platform: "darwin/arm64", name: "seaworthy", files: []string{"bin", "doc"}}, staged)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(r.Dir, "seaworthy-1.0.0-darwin-arm64.tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, text)
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("two archives of the same files differ")
	}
}

// The checksums name every file, and what docs/releasing.md says to verify them with accepts the signature.
func TestSignature(t *testing.T) {
	for _, program := range []string{"ssh-keygen", "sha256sum"} {
		_, err := exec.LookPath(program)
		if err != nil {
			t.Skip(err)
		}
	}
	r := Release{Version: "1.0.0", Dir: t.TempDir(), notes: "New.\n", Key: filepath.Join(t.TempDir(), "key")}
	err := quietly(exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", r.Key))
	if err != nil {
		t.Fatal(err)
	}
	err = writePaper(filepath.Join(r.Dir, "seaworthy_1.0.0_amd64.deb"), []byte("a package"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := r.finish(t.Context())
	if err != nil || len(names) != 4 {
		t.Fatalf("got %q, %v: want the package, notes, checksums and signature", names, err)
	}
	public, err := os.ReadFile(r.Key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	err = os.WriteFile(filepath.Join(r.Dir, "allowed_signers"), append([]byte("release@seaworthy "), public...), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	verify := "ssh-keygen -Y verify -f allowed_signers -I release@seaworthy -n seaworthy -s SHA256SUMS.sig < SHA256SUMS && sha256sum -c --ignore-missing SHA256SUMS"
	c := exec.CommandContext(t.Context(), "sh", "-c", verify)
	c.Dir = r.Dir
	err = quietly(c)
	if err != nil {
		t.Error(err)
	}
	err = os.WriteFile(filepath.Join(r.Dir, "seaworthy_1.0.0_amd64.deb"), []byte("another"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	again := exec.CommandContext(t.Context(), "sh", "-c", verify)
	again.Dir = r.Dir
	if quietly(again) == nil {
		t.Error("a changed package was accepted")
	}
}

// The units of the packages are ones that systemd takes, start what the program has, and are
// closed to what they do not need.
func TestUnits(t *testing.T) {
	needs.Tool(t, "systemd-analyze")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	units, err := filepath.Glob("../../../packaging/systemd/*")
	if err != nil || len(units) == 0 {
		t.Fatalf("no units: %v", err)
	}
	dir := t.TempDir()
	for _, unit := range units {
		text, err := os.ReadFile(unit)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(unit)
		starts := regexp.MustCompile(`(?m)^ExecStart=/usr/bin/seaworthy (.*)$`).FindSubmatch(text)
		if starts == nil {
			t.Errorf("%s starts something else than /usr/bin/seaworthy", name)
			continue
		}
		args := strings.Fields(strings.NewReplacer("%i", "dmz", "$OPTIONS", "").Replace(string(starts[1])))
		c, rest, err := cli.Tree().Find(args)
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err == nil {
			err = c.ValidateArgs(c.Flags().Args())
		}
		if err != nil {
			t.Errorf("%s: %q: %v", name, args, err)
		}
		staged := filepath.Join(dir, name)
		err = os.WriteFile(staged, bytes.ReplaceAll(text, []byte("/usr/bin/seaworthy "), []byte(program+" ")), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		err = quietly(exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", staged))
		if err != nil {
			t.Error(err)
		}
		// 0.1 to 10; a unit that sets nothing has 9.6.
		err = quietly(exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--threshold=15", staged))
		if err != nil {
			t.Error(err)
		}
	}
}
