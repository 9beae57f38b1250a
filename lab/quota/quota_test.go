package quota

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestController(t *testing.T) {
	v2 := t.TempDir()
	if err := os.WriteFile(filepath.Join(v2, "cgroup.controllers"), []byte("cpuset cpu io\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bare := t.TempDir() // a hybrid machine's: no controller
	if err := os.WriteFile(filepath.Join(bare, "cgroup.controllers"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	line2 := func(dir string) string { return "35 25 0:30 / " + dir + " rw,nosuid - cgroup2 cgroup2 rw\n" }
	const line1 = "31 25 0:27 / /groups/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
	const set = "32 25 0:28 / /groups/cpuset rw - cgroup cgroup rw,cpuset\n"
	for _, tt := range []struct {
		name, text, dir string
		v2, ok          bool
	}{
		{"v1", set + line1, "/groups/cpu,cpuacct", false, true},
		{"hybrid", line2(bare) + set + line1, "/groups/cpu,cpuacct", false, true},
		{"v2", line2(v2), v2, true, true},
		{"no controller", line2(bare) + set, "", false, false},
		{"nothing", "", "", false, false},
		{"no mountinfo", "what is this\n- cgroup\n", "", false, false},
	} {
		dir, is2, err := controller([]byte(tt.text))
		if dir != tt.dir || is2 != tt.v2 || (err == nil) != tt.ok {
			t.Errorf("%s: got %q, v2 %v, %v; want %q, %v, ok %v", tt.name, dir, is2, err, tt.dir, tt.v2, tt.ok)
		}
	}
}

func FuzzController(f *testing.F) {
	f.Add([]byte("31 25 0:27 / /cpu rw shared:9 - cgroup cgroup rw,cpu\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if dir, _, err := controller(text); err == nil && dir == "" {
			t.Error("got no folder and no error")
		}
	})
}

// The guard removes the groups when the last who holds its file has gone.
func TestGuard(t *testing.T) {
	g, err := Make("seaworthy-test-guard", map[string]float64{"a": 0.5, "b": 1})
	if err != nil {
		t.Skipf("no control groups here: %v", err)
	}
	defer g.Remove()
	held, err := g.Guard()
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if _, err := os.Stat(g.Dirs["a"]); err != nil {
		t.Errorf("while it is held: got %v, want the group", err)
	}
	held.Close()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(g.Root); os.IsNotExist(err) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is still there", g.Root)
		}
	}
}
