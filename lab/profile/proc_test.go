package profile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A process that is on its way out can still have a command line, but no file:
// it keeps the name that it had before.
func TestProcessesOnTheirWayOut(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("net", "")
	add := func(pid, cmdline, exe string) {
		t.Helper()
		write(pid+"/stat", pid+" (ftp) S "+strings.Repeat("1 ", 50))
		write(pid+"/cmdline", cmdline)
		write(pid+"/ns/x", "")
		if err := os.Symlink(filepath.Join(root, "net"), filepath.Join(root, pid, "ns/net")); err != nil {
			t.Fatal(err)
		}
		if exe != "" {
			if err := os.Symlink(exe, filepath.Join(root, pid, "exe")); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("self", "x\x00", "/usr/bin/x")
	add("10", "ftp\x00-n\x00", "/usr/bin/ftp")
	add("11", "ftp\x00-n\x00", "")
	add("12", "", "")
	write("13/stat", "13 (a) b) Z 1 1 1 0 -1 0 0 0 0 0 5 6 0 0 20 0 1 0 777 "+strings.Repeat("0 ", 32))
	list, err := proc{root}.processes()
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]process{}
	for _, p := range list {
		got[p.PID] = p
	}
	if p := got[10]; p.Dead || p.Name != "/usr/bin/ftp" {
		t.Errorf("one that runs: got %+v, want it named after its file", p)
	}
	for _, pid := range []int{11, 12} {
		if p, ok := got[pid]; !ok || !p.Dead {
			t.Errorf("process %d without a file: got %+v, want it dying", pid, p)
		}
	}
	if p := got[13]; p.Name != "a) b" || !p.Dead || p.ticks != (ticks{5, 6}) || p.Start != 777 {
		t.Errorf("a dead one: got %+v, want its name, ticks and start", p)
	}
	write("stat", "cpu  1 2 3 40 5 6 7\ncpu0 1 2 3 4 5\ncpu1 1 2 3 4 5\nintr 5\n")
	if i, n, err := (proc{root}).idle(); err != nil || i != 45 || n != 2 {
		t.Errorf("idle: got %d of %d processors, %v, want 45 of 2", i, n, err)
	}
	write("stat", "intr 5\n")
	if _, _, err := (proc{root}).idle(); err == nil {
		t.Error("no processor: got success")
	}
}
