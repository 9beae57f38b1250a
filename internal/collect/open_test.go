package collect

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/remote"
	"seaworthy/internal/test/remotetest"
)

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const head = `{"schema":"seaworthy.snapshot/1","host":"h","platform":"aix","commands":[`

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "b/manifest.json", strings.Replace(head, `"h"`, `"b"`, 1)+`{"id":"uname-a","line":"uname -a","stdout":"u.txt"},{"id":"x","element":"ent0","stdout":"none.txt"},{"id":"no-a"}]}`)
	put(t, dir, "b/u.txt", "AIX\n")
	put(t, dir, "a/manifest.json", strings.Replace(head, `"h"`, `"a"`, 1)+`]}`)
	put(t, dir, "a.partial/manifest.json", strings.Replace(head, `"h"`, `"a"`, 1)+`],"error":"x"}`)
	put(t, dir, "notes/readme.txt", "not a snapshot")
	put(t, dir, "file", "not a folder")
	snaps, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var hosts []string
	for _, s := range snaps {
		hosts = append(hosts, s.Manifest.Host+s.Manifest.Error)
	}
	if diff := cmp.Diff([]string{"a", "b"}, hosts); diff != "" {
		t.Errorf("hosts, want -, got +\n%s", diff)
	}
	text, r, ok := stored(snaps[1], "uname-a", "")
	if string(text) != "AIX\n" || r == nil || !ok {
		t.Errorf("got %q, %+v, %v", text, r, ok)
	}
	if text, r, ok := stored(snaps[1], "no-a", ""); text != nil || r == nil || !ok {
		t.Errorf("a command that printed nothing: got %q, %+v, %v", text, r, ok)
	}
	if _, r, ok := stored(snaps[1], "x", "ent0"); r == nil || ok {
		t.Errorf("a missing file: got %+v, %v, want the record and false", r, ok)
	}
	if _, r, ok := stored(snaps[1], "x", "ent1"); r != nil || ok {
		t.Errorf("a command that was not run: got %+v, %v", r, ok)
	}
	if one, err := Open(filepath.Join(dir, "b")); err != nil || len(one) != 1 {
		t.Errorf("one host's own folder: got %d, %v", len(one), err)
	}
	if _, err := Open(filepath.Join(dir, "notes")); err == nil || !strings.Contains(err.Error(), "no host folder") {
		t.Errorf("a folder without snapshots: got %v", err)
	}
}

func TestOpenHostile(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "secret", "secret")
	for _, tc := range []struct{ name, manifest, want string }{
		{"path out", head + `{"line":"l","stdout":"../x"}]}`, "outside the snapshot"},
		{"absolute", head + `{"line":"l","stderr":"/etc/passwd"}]}`, "outside the snapshot"},
		{"nested", head + `{"line":"l","stdout":"a/b"}]}`, "outside the snapshot"},
		{"dot", head + `{"line":"l","stdout":"."}]}`, "outside the snapshot"},
		{"backslash", head + `{"line":"l","stdout":"..\\x"}]}`, "outside the snapshot"},
		{"one file for many commands", head + `{"line":"l","stdout":"x"},{"line":"m","stderr":"x"}]}`, "is another command's"},
		{"schema", `{"schema":"other/9","host":"h"}`, `"other/9"`},
		{"no host", `{"schema":"seaworthy.snapshot/1"}`, "names no host"},
		{"cut", head, "unexpected end"},
		{"type", `{"schema":5}`, "manifest.json"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "good/manifest.json", head+"]}")
			put(t, dir, "bad/manifest.json", tc.manifest)
			snaps, err := Open(dir)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "bad") {
				t.Errorf("got error %v, want it to name the folder and say %q", err, tc.want)
			}
			if len(snaps) != 1 {
				t.Errorf("got %d snapshots, want the good one", len(snaps))
			}
		})
	}
	dir := t.TempDir()
	put(t, dir, "manifest.json", head+`{"id":"a","line":"l","stdout":"link"},{"id":"b","line":"m","stdout":"big"}]}`)
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "big", "")
	if err := os.Truncate(filepath.Join(dir, "big"), 2<<30); err != nil {
		t.Fatal(err)
	}
	snaps, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"a": "not a plain file", "b": "more than the"} {
		if text, _, ok := stored(snaps[0], id, ""); ok || len(text) > 0 {
			t.Errorf("%s: got %d bytes, want none", id, len(text))
		}
		if _, err := snaps[0].Text(recordOf(snaps[0], id, "")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", id, err, want)
		}
	}
}

func TestSafe(t *testing.T) {
	seen := map[string]string{}
	for _, s := range []string{"lpar1", "LPAR1", "../lpar1", "..", ".", "", "a/b", "a%2Fb", "a\nb", "a b", "user@host:22", "-rf", "\x00", "é",
		strings.Repeat("x", 300), strings.Repeat("x", 301), "a.partial", "a%2Epartial"} {
		got := folderName(s)
		if len(got) > maxName+2 || got == "" || got[0] == '.' || got[0] == '-' || strings.ContainsAny(got, "/\\\n\x00 :") {
			t.Errorf("%q: got the folder name %q", s, got)
		}
		if strings.HasSuffix(got, partial) {
			t.Errorf("%q: got %q, which looks like an interrupted snapshot", s, got)
		}
		if other, taken := seen[got]; taken {
			t.Errorf("%q and %q share the name %q", s, other, got)
		}
		seen[got] = s
	}
}

// A snapshot answers a second collection as the host answered the first.
func TestCollectFromSnapshot(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"padmin@vios1": padmin(true).Serve})
	dir := t.TempDir()
	if _, err := single(context.Background(), f.Host("vios1"), dir, Options{}); err != nil {
		t.Fatal(err)
	}
	h := remotetest.Start(t, map[string]remotetest.Handler{"padmin@vios1": remotetest.Snapshot(t, filepath.Join(dir, "vios1"))}).Host("vios1")
	for line, want := range map[string]string{"ioscli ioslevel": "3.1.4.21\n", "oslevel -s": "7200-05-06-2320\n", locale + "; ioscli ioslevel": "3.1.4.21\n"} {
		res, err := h.Run(context.Background(), remote.Command{Line: line})
		if err != nil || string(res.Stdout) != want {
			t.Errorf("%q: got %v, %v, want %q", line, res, err, want)
		}
	}
}

// A host's own folder can be collected under any name a user gives it.
func TestOddHostName(t *testing.T) {
	s, err := newStore(t.TempDir(), "../../etc/x\n", false)
	if err != nil {
		t.Fatal(err)
	}
	name, err := s.put(&Record{ID: "id", Element: "../../e"}, ".txt", []byte("x"))
	if err != nil || strings.Contains(name, "/") {
		t.Errorf("got file %q, %v", name, err)
	}
	again, err := s.put(&Record{ID: "id", Element: "../../e"}, ".txt", []byte("y"))
	if err != nil || again == name {
		t.Errorf("a second output of the same item: got %q, %v, want another name", again, err)
	}
}

// What stands where the partial folder goes is not deleted unless it is one.
func TestPartialInTheWay(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "h.partial/thesis.doc", "years of work")
	if _, err := newStore(dir, "h", false); err == nil || !strings.Contains(err.Error(), "thesis.doc") {
		t.Errorf("got %v, want a refusal", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "h.partial", "thesis.doc")); err != nil {
		t.Error(err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(head + `{"id":"a","stdout":"../x"}]}`))
	f.Add([]byte(head + `]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, manifest []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ManifestName), manifest, 0o600); err != nil {
			t.Fatal(err)
		}
		snaps, err := Open(dir)
		if err != nil {
			return
		}
		for _, s := range snaps {
			for i := range s.Manifest.Commands {
				r := &s.Manifest.Commands[i]
				if r.Stdout != "" && filepath.Dir(filepath.Join(dir, r.Stdout)) != dir {
					t.Errorf("file name %q got through", r.Stdout)
				}
				_, _, _ = stored(s, r.ID, r.Element)
			}
		}
	})
}
