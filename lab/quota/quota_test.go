package quota

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"seaworthy/internal/test/await"
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
		dir, is2, err := controller([]byte(tt.text), "cpu")
		if dir != tt.dir || is2 != tt.v2 || (err == nil) != tt.ok {
			t.Errorf("%s: got %q, v2 %v, %v; want %q, %v, ok %v", tt.name, dir, is2, err, tt.dir, tt.v2, tt.ok)
		}
	}
}

func FuzzController(f *testing.F) {
	f.Add([]byte("31 25 0:27 / /cpu rw shared:9 - cgroup cgroup rw,cpu\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if dir, _, err := controller(text, "cpu"); err == nil && dir == "" {
			t.Error("got no folder and no error")
		}
	})
}

// The guard removes the groups when the last who holds its file has gone.
func TestGuard(t *testing.T) {
	held, err := StartGuard()
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	g, err := Make(held, "seaworthy-test-guard", map[string]Part{"a": {Cores: 0.5, Weight: 128}, "b": {Cores: 1, Weight: 128}})
	if err != nil {
		t.Skipf("no control groups here: %v", err)
	}
	defer g.Remove()
	again, err := Make(nil, "seaworthy-test-guard", map[string]Part{"a": {Weight: 128}})
	if err != nil || again.Root == g.Root {
		t.Errorf("a second one of that name: got %+v, %v, want another than %s", again, err, g.Root)
	}
	again.Remove()
	await.Stays(t, "the group is there while it is held", 50*time.Millisecond, func() bool {
		_, err := os.Stat(g.Dirs["a"])
		return err == nil
	})
	held.Close()
	await.Until(t, g.Root+" is gone", func() bool {
		_, err := os.Stat(g.Root)
		return os.IsNotExist(err)
	})
}

// A folder goes with the guard's file, but not from under whom has its lock.
func TestGuardFolder(t *testing.T) {
	for name, taken := range map[string]bool{"nobody's": false, "another's": true} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a lab")
			lock := filepath.Join(dir, "lock")
			err := errors.Join(os.MkdirAll(filepath.Join(dir, "root"), 0o755), os.WriteFile(lock, nil, 0o600))
			if err != nil {
				t.Fatal(err)
			}
			if taken {
				f, err := os.Open(lock)
				if err == nil {
					err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
				}
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
			}
			g, err := StartGuard()
			if err == nil {
				err = g.Folder(dir, lock)
			}
			if err != nil {
				t.Fatal(err)
			}
			there := func() bool {
				_, err := os.Stat(lock)
				return err == nil
			}
			await.Stays(t, "the folder is there while the guard is held", 50*time.Millisecond, there)
			g.Close()
			if taken {
				await.Stays(t, "the folder is there while another has its lock", 200*time.Millisecond, there)
				return
			}
			await.Until(t, dir+" is gone", func() bool { return !there() })
		})
	}
}

// What is written of a partition's part, in a tree that only looks like one of
// control groups.
func TestFill(t *testing.T) {
	parts := map[string]Part{
		"capped": {Cores: 0.25, Weight: 128}, "sliver": {Cores: 0.001, Weight: 128},
		"light": {Weight: 64}, "heavy": {Weight: 255}, "least": {Cores: 2, Weight: 0},
	}
	for _, tt := range []struct {
		v2   bool
		want map[string]string
	}{
		{false, map[string]string{
			"cpu.shares":        "4600",
			"capped/cpu.shares": "1024", "capped/cpu.cfs_quota_us": "25000",
			"sliver/cpu.shares": "1024", "sliver/cpu.cfs_quota_us": "1000",
			"light/cpu.shares": "512", "heavy/cpu.shares": "2040",
			"least/cpu.shares": "2", "least/cpu.cfs_quota_us": "200000",
		}},
		{true, map[string]string{
			"cgroup.subtree_control": "+cpu", "cpu.weight": "449",
			"capped/cpu.weight": "100", "capped/cpu.max": "25000 100000",
			"sliver/cpu.weight": "100", "sliver/cpu.max": "1000 100000",
			"light/cpu.weight": "50", "heavy/cpu.weight": "199",
			"least/cpu.weight": "1", "least/cpu.max": "200000 100000",
		}},
	} {
		g := &Groups{V2: tt.v2, Dirs: map[string]string{}, Root: t.TempDir()}
		if err := g.fill(nil, parts); err != nil {
			t.Fatalf("v2 %v: %v", tt.v2, err)
		}
		got := map[string]string{}
		err := filepath.WalkDir(g.Root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			name, _ := filepath.Rel(g.Root, path)
			got[name] = string(text)
			return err
		})
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("v2 %v: %v (-want +got):\n%s", tt.v2, err, diff)
		}
	}
}

// Many or heavy partitions stay within what the kernel takes.
func TestFillBounds(t *testing.T) {
	many := map[string]Part{}
	for i := range 300 {
		many[fmt.Sprint("lpar", i)] = Part{Weight: 255}
	}
	for v2, want := range map[bool]string{false: "262144", true: "10000"} {
		g := &Groups{V2: v2, Dirs: map[string]string{}, Root: t.TempDir()}
		if err := g.fill(nil, many); err != nil {
			t.Fatal(err)
		}
		file := "cpu.shares"
		if v2 {
			file = "cpu.weight"
		}
		if got, err := os.ReadFile(filepath.Join(g.Root, file)); string(got) != want {
			t.Errorf("v2 %v: got %s %q, %v, want %s", v2, file, got, err, want)
		}
	}
}

// On cgroup v2 a process is born in its group; whether the group has a
// controller is not a matter.
func TestEnterV2(t *testing.T) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	at := ""
	for _, line := range strings.Split(string(text), "\n") {
		if before, after, ok := strings.Cut(line, " - "); ok && strings.HasPrefix(after, "cgroup2 ") {
			at = strings.Fields(before)[4]
		}
	}
	if at == "" {
		t.Skip("no cgroup v2 is mounted here")
	}
	root := filepath.Join(at, fmt.Sprintf("seaworthy-test-%d", os.Getpid()))
	g := &Groups{V2: true, Root: root, Dirs: map[string]string{"lpar1": filepath.Join(root, "lpar1")}}
	if err := os.MkdirAll(g.Dirs["lpar1"], 0o755); err != nil {
		t.Skipf("no group can be made: %v", err)
	}
	defer g.Remove()
	tasks, dir, err := g.Enter("lpar1")
	if err != nil || tasks != nil || dir == nil {
		t.Fatalf("got tasks %v, dir %v, %v; want a folder only", tasks, dir, err)
	}
	defer dir.Close()
	cmd := exec.Command("/bin/cat", "/proc/self/cgroup")
	cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(dir.Fd())}
	out, err := cmd.CombinedOutput()
	if want := "0::/" + filepath.Base(root) + "/lpar1\n"; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("got %v and groups\n%swant %q", err, out, want)
	}
	if tasks, dir, err := g.Enter("vios1"); tasks != nil || dir != nil || err != nil {
		t.Errorf("a node without a group: got %v, %v, %v, want nothing", tasks, dir, err)
	}
}

// Two partitions that want all of one processor get it by weight.
func TestWeights(t *testing.T) {
	g, err := Make(nil, fmt.Sprintf("seaworthy-test-weights-%d", os.Getpid()), map[string]Part{"light": {Weight: 64}, "heavy": {Weight: 192}})
	if err != nil {
		t.Skipf("no control groups here: %v", err)
	}
	defer g.Remove()
	used := func(pid int) time.Duration {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		var user, system int64
		f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if _, err := fmt.Sscan(f[11]+" "+f[12], &user, &system); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return time.Duration(user+system) * 10 * time.Millisecond
	}
	var own, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &own); err != nil {
		t.Fatal(err)
	}
	for cpu := range 1024 {
		if own.IsSet(cpu) {
			one.Set(cpu)
			break
		}
	}
	pids := map[string]int{}
	for name, dir := range g.Dirs {
		cmd := exec.Command("/bin/sh", "-c", "read go; while :; do :; done")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
		file := "tasks"
		if g.V2 {
			file = "cgroup.procs"
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(fmt.Sprint(cmd.Process.Pid)), 0); err != nil {
			t.Fatal(err)
		}
		if err := unix.SchedSetaffinity(cmd.Process.Pid, &one); err != nil {
			t.Fatal(err)
		}
		pids[name] = cmd.Process.Pid
		defer in.Close()
		if _, err := fmt.Fprintln(in); err != nil {
			t.Fatal(err)
		}
	}
	var light, heavy time.Duration
	await.Until(t, "1.5 s of processor time are used", func() bool {
		light, heavy = used(pids["light"]), used(pids["heavy"])
		return light+heavy >= 1500*time.Millisecond
	})
	if ratio := float64(heavy) / float64(light); ratio < 2 || ratio > 4.5 {
		t.Errorf("weights 64 and 192: got %v and %v of processor time, want 1 to 3", light, heavy)
	}
}
