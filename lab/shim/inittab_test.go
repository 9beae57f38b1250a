package shim

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInittab(t *testing.T) {
	file := filepath.Join(t.TempDir(), "inittab")
	if err := os.WriteFile(file, []byte("init:2:initdefault:\nrctcpip:2:wait:/etc/rc.tcpip\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		args []string
		ok   bool
		want string // the file after it; empty: as before
	}{
		{"mkitab", []string{"x:2:once:/bin/true"}, true, "init:2:initdefault:\nrctcpip:2:wait:/etc/rc.tcpip\nx:2:once:/bin/true\n"},
		{"mkitab", []string{"x:2:once:/bin/false"}, false, ""},
		{"mkitab", []string{"-i", "init", "y:2:wait:/bin/true"}, true,
			"init:2:initdefault:\ny:2:wait:/bin/true\nrctcpip:2:wait:/etc/rc.tcpip\nx:2:once:/bin/true\n"},
		{"mkitab", []string{"-i", "none", "z:2:wait:/bin/true"}, false, ""},
		{"mkitab", []string{"no entry"}, false, ""},
		{"lsitab", []string{"x"}, true, ""},
		{"lsitab", []string{"-a"}, true, ""},
		{"lsitab", []string{"nosuch"}, false, ""},
		{"rmitab", []string{"y"}, true, "init:2:initdefault:\nrctcpip:2:wait:/etc/rc.tcpip\nx:2:once:/bin/true\n"},
		{"rmitab", []string{"y"}, false, ""},
		{"telinit", []string{"q"}, true, ""},
		{"telinit", []string{"0"}, false, ""},
	} {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := inittabOf(file, tc.name, tc.args); (err == nil) != tc.ok {
			t.Errorf("%s %q: got %v", tc.name, tc.args, err)
		}
		if tc.want == "" {
			tc.want = string(before)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != tc.want {
			t.Errorf("%s %q: got %q, %v, want %q", tc.name, tc.args, now, err, tc.want)
		}
	}
}
