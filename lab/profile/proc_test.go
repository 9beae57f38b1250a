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
		write(pid+"/stat", pid+" (ftp) S "+strings.Repeat("1 ", 30))
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
	list, err := procfs{root}.processes()
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
}
