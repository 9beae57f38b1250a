package deploy_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"seaworthy/bench/deploy"
	"seaworthy/probe"
	"seaworthy/remote"
	"seaworthy/remote/local"
)

// built is a folder with a helper for this machine.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "seaworthy-probe"), "seaworthy/cmd/seaworthy-probe").CombinedOutput()
	if err != nil {
		t.Fatalf("building the helper: %v\n%s", err, out)
	}
	return dir
}

func bareHost(t *testing.T) (host remote.Host, tmp string) {
	t.Helper()
	tmp = t.TempDir()
	return local.New("h1", "TMPDIR="+tmp, "PATH=/usr/bin:/bin:/usr/sbin"), tmp
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
	host, tmp := bareHost(t)
	a, err := deploy.Start(t.Context(), host, deploy.Options{Dirs: []string{built(t)}})
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
	a, err := deploy.Start(t.Context(), host, deploy.Options{Version: "dev"})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Uploaded {
		t.Error("got an uploaded helper, want the installed one")
	}
	_, err = deploy.Start(t.Context(), host, deploy.Options{Version: "9.9", Dirs: []string{t.TempDir()}})
	if err == nil || !strings.Contains(err.Error(), "version dev") {
		t.Errorf("other version, none to copy: got %v, want an error that names the installed one", err)
	}
}

func TestNoBinary(t *testing.T) {
	host, tmp := bareHost(t)
	_, err := deploy.Start(t.Context(), host, deploy.Options{Dirs: []string{t.TempDir()}})
	var re *remote.Error
	if !errors.As(err, &re) || re.Host != "h1" || !strings.Contains(re.Hint, "--probe-dir") {
		t.Errorf("got %v, want an error that names h1 and --probe-dir", err)
	}
	if left := entries(t, tmp); len(left) > 0 {
		t.Errorf("got %v left behind, want nothing", left)
	}
}

func TestBrokenBinary(t *testing.T) {
	host, tmp := bareHost(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "seaworthy-probe"), []byte("#!/bin/sh\necho I am broken >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := deploy.Start(t.Context(), host, deploy.Options{Dirs: []string{dir}})
	if !errors.Is(err, probe.ErrNoHello) || !strings.Contains(err.Error(), "h1") {
		t.Errorf("got %v, want ErrNoHello on h1", err)
	}
	if left := entries(t, tmp); len(left) > 0 {
		t.Errorf("got %v left behind, want nothing", left)
	}
}

func TestCancelledUpload(t *testing.T) {
	host, tmp := bareHost(t)
	dir := built(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(15*time.Millisecond, cancel)
	if a, err := deploy.Start(ctx, host, deploy.Options{Dirs: []string{dir}}); err == nil {
		a.Close()
	}
	if left := entries(t, tmp); len(left) > 0 {
		t.Errorf("got %v left behind, want nothing", left)
	}
}
