package quota

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Groups that a killed guard left go with the next lab; those with a process in them, or of a process that lives, stay.
func TestSweep(t *testing.T) {
	ended := exec.Command("true")
	err := ended.Run()
	if err != nil {
		t.Fatal(err)
	}
	groups := func(pid int, lab string) (dirs []string) {
		name := fmt.Sprintf("seaworthy-%d-%s", pid, lab)
		dirs, err := Bound(nil, name, Bounds{Memory: 64 << 20, Processes: 16})
		if err != nil {
			t.Skipf("no control groups here: %v", err)
		}
		t.Cleanup(func() { remove(dirs) })
		g, err := Make(nil, name, map[string]Part{"node1": {Cores: 0.5, Weight: 128}})
		if err != nil {
			t.Skipf("no control groups here: %v", err)
		}
		t.Cleanup(g.Remove)
		return append(dirs, g.All()...)
	}
	left, used := groups(ended.Process.Pid, "test-left"), groups(ended.Process.Pid, "test-used")
	own := groups(os.Getpid(), "test-own")
	sh := exec.Command("sh", "-c", "read go")
	in, err := sh.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	err = sh.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sh.Wait() }()
	defer in.Close()
	err = Join(used[:len(used)-2], sh.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	Sweep()
	for _, c := range []struct {
		dirs  []string
		stays bool
	}{{left, false}, {used, true}, {own, true}} {
		for _, d := range c.dirs {
			_, err := os.Stat(d)
			if (err == nil) != c.stays {
				t.Errorf("%s is there: %v, want %v", filepath.Base(d), err == nil, c.stays)
			}
		}
	}
}
