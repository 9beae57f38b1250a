package labs_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/remote/labs"
)

// Only labs that answer are found; a folder that cannot be read, or that a dead
// lab left, hides none of them.
func TestHosts(t *testing.T) {
	base, err := os.MkdirTemp("", "sw") // short, for the sockets' paths
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	t.Setenv("XDG_RUNTIME_DIR", base)
	expect := func(name, file, message string) {
		t.Helper()
		got, err := labs.Hosts(name)
		if message != "" && (err == nil || !strings.Contains(err.Error(), message)) {
			t.Errorf("Hosts(%q): got %q, %v, want an error with %q", name, got, err, message)
		}
		if message == "" && (err != nil || got != file) {
			t.Errorf("Hosts(%q): got %q, %v, want %s", name, got, err, file)
		}
	}
	expect("", "", "no lab is running")
	expect("a", "", "lab a is not running")
	dir := func(name string) string { return filepath.Join(base, "seaworthy", name) }
	for _, name := range []string{"a", "b", "dead", "unreadable"} {
		if err := os.MkdirAll(dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir("unreadable"), 0); err != nil {
		t.Fatal(err)
	}
	up := func(name string) {
		s, err := net.Listen("unix", labs.ControlSocket(dir(name)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
	}
	up("a")
	expect("", labs.HostsFile(dir("a")), "")
	expect("dead", "", "lab dead is not running")
	up("b")
	expect("", "", "several labs are running: a, b")
	expect("b", labs.HostsFile(dir("b")), "")
	if got, err := labs.Running(dir("")); err != nil || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("Running: got %v, %v, want a and b", got, err)
	}
	if err := os.Chmod(dir(""), 0o777); err != nil {
		t.Fatal(err)
	}
	expect("b", "", "nobody else can write to")
}
