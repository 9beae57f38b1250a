package deploy_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/measure/probe"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/local"
	"seaworthy/internal/test/needs"
)

// built is a folder with a helper for this machine.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := needs.Programs(dir, "seaworthy-probe"); err != nil {
		t.Fatal(err)
	}
	return dir
}

func bareHost(t *testing.T) (host remote.Host, system deploy.System, tmp string) {
	t.Helper()
	tmp = t.TempDir()
	host = local.New("h1", "TMPDIR="+tmp, "PATH=/usr/bin:/bin:/usr/sbin")
	return host, asked(t, host), tmp
}

func asked(t *testing.T, host remote.Host) deploy.System {
	t.Helper()
	system, err := deploy.Ask(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	return system
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	es, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range es {
		names = append(names, e.Name())
	}
	return names
}

func TestUploadLeavesNothing(t *testing.T) {
	host, system, tmp := bareHost(t)
	a, err := deploy.Start(t.Context(), host, system, []string{built(t)})
	if err != nil {
		t.Fatal(err)
	}
	if !a.Uploaded || a.Client.Hello.Protocol != probe.Protocol {
		t.Errorf("got uploaded %v, hello %+v; want an uploaded helper of this protocol", a.Uploaded, a.Client.Hello)
	}
	if left := entries(t, tmp); len(left) > 0 {
		t.Errorf("while the helper runs: got %v in its TMPDIR, want nothing", left)
	}
	pid := a.Client.Hello.PID
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("/proc/self"); err == nil {
		if _, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid))); err == nil {
			t.Errorf("the helper, process %d, outlived Close", pid)
		}
	}
}

func TestInstalledIsUsed(t *testing.T) {
	dir := built(t)
	host := local.New("h1", "PATH="+dir+":/usr/bin:/bin")
	system := asked(t, host)
	a, err := deploy.Start(t.Context(), host, system, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Uploaded {
		t.Error("got an uploaded helper, want the installed one")
	}
}

func TestNoBinary(t *testing.T) {
	host, system, tmp := bareHost(t)
	_, err := deploy.Start(t.Context(), host, system, []string{t.TempDir()})
	var re *remote.Error
	if !errors.As(err, &re) || re.Host != "h1" || !strings.Contains(re.Hint, "--probes") || !strings.Contains(re.Hint, "make probes") {
		t.Errorf("got %v, want an error that names h1, --probes and how to build it", err)
	}
	if left := entries(t, tmp); len(left) > 0 {
		t.Errorf("got %v left behind, want nothing", left)
	}
}

func TestBrokenBinary(t *testing.T) {
	host, system, tmp := bareHost(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "seaworthy-probe"), []byte("#!/bin/sh\necho I am broken >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := deploy.Start(t.Context(), host, system, []string{dir})
	if !errors.Is(err, probe.ErrNoHello) || !strings.Contains(err.Error(), "h1") {
		t.Errorf("got %v, want ErrNoHello on h1", err)
	}
	if left := entries(t, tmp); len(left) > 0 {
		t.Errorf("got %v left behind, want nothing", left)
	}
}

func TestCancelledUpload(t *testing.T) {
	host, system, tmp := bareHost(t)
	dir := built(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(15*time.Millisecond, cancel)
	if a, err := deploy.Start(ctx, host, system, []string{dir}); err == nil {
		a.Close()
	}
	if left := entries(t, tmp); len(left) > 0 {
		t.Errorf("got %v left behind, want nothing", left)
	}
}

// logins are hosts that answer, and what was asked of them.
type login struct {
	remote.Host
	answer func(line string) string
	asked  []string
}

func (l *login) Name() string { return "h1" }

func (l *login) Run(_ context.Context, c remote.Command) (*remote.Result, error) {
	l.asked = append(l.asked, c.Line)
	return &remote.Result{Stdout: []byte(l.answer(c.Line))}, nil
}

// What a host is decides whether a helper is sent, before anything is.
func TestOldSystems(t *testing.T) {
	shell := func(text string) func(string) string {
		return func(line string) string {
			if strings.HasPrefix(line, "sh -c ") {
				return text
			}
			return "sh: not found\n"
		}
	}
	padmin := func(text string) func(string) string {
		return func(line string) string {
			if strings.HasSuffix(line, " | oem_setup_env") {
				return text
			}
			return "rksh: sh: not found.\n"
		}
	}
	for _, c := range []struct {
		name   string
		answer func(string) string
		want   string // of the error; empty: it runs
	}{
		{"AIX 7.2 on POWER9", shell("seaworthy|AIX|00F6ABCD4C00|7.2|5 lpar1|PowerPC_POWER9|\n"), ""},
		{"AIX 7.3, silent on its processor", shell("seaworthy|AIX|00F6ABCD4C00|7.3|5 lpar1||\n"), ""},
		{"AIX 7.1", shell("seaworthy|AIX|00F6ABCD4C00|7.1|5 lpar1|PowerPC_POWER8|\n"), "this is AIX 7.1: "},
		{"VIOS 2.2 as root", shell("seaworthy|AIX|00F6ABCD4C00|6.1|1 vios1|PowerPC_POWER8|\n"), "this is AIX 6.1: "},
		{"POWER7", shell("seaworthy|AIX|00F6ABCD4C00|7.2|5 lpar1|PowerPC_POWER7|\n"), "this is a POWER7 processor: "},
		{"padmin of VIOS 3.1", padmin("a banner\nseaworthy|AIX|00F6ABCD4C00|7.2|1 vios1|PowerPC_POWER9|\n"), ""},
		{"padmin of VIOS 2.2", padmin("seaworthy|AIX|00F6ABCD4C00|6.1|1 vios1||\n"), "this is AIX 6.1: "},
		{"Linux on s390x", shell("seaworthy|Linux|s390x|#1 SMP.6.1|||\n"), "for Linux on s390x"},
		{"Linux", shell("seaworthy|Linux|ppc64le|#1 SMP.6.1|||\n"), ""},
	} {
		host := &login{answer: c.answer}
		system, err := deploy.Ask(t.Context(), host)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := system.Runs(); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if c.want == "" {
			continue
		}
		before := len(host.asked)
		if _, err := deploy.Start(t.Context(), host, system, nil); err == nil || !strings.Contains(err.Error(), "--driver") {
			t.Errorf("%s: got %v, want an error that names --driver", c.name, err)
		}
		if len(host.asked) != before {
			t.Errorf("%s: sent %q", c.name, host.asked[before:])
		}
	}
	if _, err := deploy.Ask(t.Context(), &login{answer: func(string) string { return "Welcome" }}); err == nil || !strings.Contains(err.Error(), "Welcome") {
		t.Errorf("a host without a shell: got %v, want what it says", err)
	}
}
