package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/test/await"
	"seaworthy/lab/supervisor"
)

// traces are the namespaces that a running lab is in.
func traces(t *testing.T, l *Lab) map[string]bool {
	t.Helper()
	own := map[string]bool{}
	for _, kind := range []string{"pid", "net", "mnt", "uts", "ipc"} {
		id, err := os.Readlink("/proc/self/ns/" + kind)
		if err != nil {
			t.Fatal(err)
		}
		own[id] = true
	}
	found := map[string]bool{}
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/ns/*", l.PID))
	if err != nil || len(links) == 0 {
		t.Fatalf("supervisor %d: no namespaces to be seen (%v)", l.PID, err)
	}
	for _, link := range links {
		if b := filepath.Base(link); b == "user" || strings.HasPrefix(b, "time") || b == "cgroup" {
			continue
		}
		if id, err := os.Readlink(link); err == nil && !own[id] {
			found[id] = true
		}
	}
	// Each of the four nodes has its own mount, network and UTS namespace.
	if len(found) < 12 {
		t.Fatalf("a lab of four nodes: got %d namespaces, want at least 12", len(found))
	}
	return found
}

// nothingLeft fails if a process is in one of the namespaces, a mount shows
// the folder, or the folder is there.
func nothingLeft(t *testing.T, dir string, spaces map[string]bool) {
	t.Helper()
	// The kernel ends a killed supervisor's processes after it, one by one.
	await.Until(t, "no process in the lab's namespaces", func() bool { return len(living(spaces)) == 0 })
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(mounts), dir) {
		t.Errorf("a mount on %s is left", dir)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left (%v)", dir, err)
	}
}

// living are the processes in any of some namespaces.
func living(spaces map[string]bool) (left []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/ns/*")
	for _, link := range links {
		if id, err := os.Readlink(link); err == nil && spaces[id] {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(link)), "cmdline"))
			if len(line) > 0 { // a zombie that waits for its parent holds nothing
				left = append(left, fmt.Sprintf("%s is left in %s: %q", link, id, line))
			}
		}
	}
	return left
}

func TestDownLeavesNothing(t *testing.T) {
	l := startLab(t, Options{})
	run(t, l, "lpar1", "", "sleep 1000 >/dev/null 2>&1 </dev/null & setsid sleep 1000 >/dev/null 2>&1 </dev/null &")
	spaces := traces(t, l)
	if err := l.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, l.Dir, spaces)
	if err := l.Down(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("down of a lab that is down: got %v, want that it is not running", err)
	}
}

func TestSupervisorKilled(t *testing.T) {
	l := startLab(t, Options{})
	base := filepath.Dir(l.Dir)
	run(t, l, "vios1", "root", "setsid sleep 1000 >/dev/null 2>&1 </dev/null &")
	spaces := traces(t, l)
	if err := syscall.Kill(l.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	gone(t, l)
	labs, err := List(base)
	if err != nil || len(labs) != 0 {
		t.Errorf("labs after the kill: got %v, %v; want none", labs, err)
	}
	nothingLeft(t, l.Dir, spaces)
	if _, err := Open(base, l.Name); !errors.Is(err, ErrNotRunning) {
		t.Errorf("open after the kill: got %v, want that it is not running", err)
	}
	// The name is free again, whether or not anyone looked in between.
	again := startLab(t, Options{StateDir: base})
	if err := syscall.Kill(again.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	gone(t, again)
	third := startLab(t, Options{StateDir: base})
	if out, _, _ := run(t, third, "lpar2", "", "hostname"); out != "lpar2\n" {
		t.Errorf("hostname in the third lab: got %q", out)
	}
}

// gone waits for the end of a lab's supervisor.
func gone(t *testing.T, l *Lab) {
	t.Helper()
	await.Until(t, "the supervisor is gone", func() bool { return syscall.Kill(l.PID, 0) != nil })
}

func TestSupervisorTerminated(t *testing.T) {
	l := startLab(t, Options{})
	spaces := traces(t, l)
	if err := syscall.Kill(l.PID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	gone(t, l)
	nothingLeft(t, l.Dir, spaces)
}

func TestSideBySide(t *testing.T) {
	base := stateDir(t)
	a := startLab(t, Options{StateDir: base, Name: "a"})
	b := startLab(t, Options{StateDir: base, Name: "b", Topology: "dedicated"})
	if _, err := Up(t.Context(), Options{StateDir: base, Name: "a", Topology: "dedicated"}); err == nil ||
		!strings.Contains(err.Error(), "running already") {
		t.Errorf("up of a running lab: got %v, want a refusal", err)
	}
	labs, err := List(base)
	if err != nil || len(labs) != 2 || labs[0].Name != "a" || labs[1].Name != "b" {
		t.Errorf("list: got %v, %v; want a and b", labs, err)
	}
	broken := supervisor.LockFile(filepath.Join(base, "broken"))
	if err := os.MkdirAll(broken, 0o700); err != nil {
		t.Fatal(err)
	}
	if labs, err := List(base); len(labs) != 2 || err == nil || !strings.Contains(err.Error(), "lab broken: ") {
		t.Errorf("list beside a broken folder: got %v, %v; want a, b and an error with its name", labs, err)
	}
	if err := os.RemoveAll(filepath.Dir(broken)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(base, ""); err == nil || !strings.Contains(err.Error(), "several") {
		t.Errorf("open without a name: got %v, want that several run", err)
	}
	if err := a.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
	only, err := Open(base, "")
	if err != nil || only.Name != "b" || only.Topology != "dedicated" {
		t.Fatalf("open of the only lab: got %v, %v; want b", only, err)
	}
	if out, _, _ := run(t, b, "lpar1", "", "ip -br addr show en0"); !strings.Contains(out, "10.10.10.11/24") {
		t.Errorf("b lpar1 en0 after a went down: got %q", out)
	}
}

// Interrupting at any moment of the start leaves nothing.
func TestInterruptedUp(t *testing.T) {
	startLab(t, Options{}) // skip here where there can be no lab
	base := stateDir(t)
	for i := range 25 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*3*time.Millisecond)
		l, err := Up(ctx, Options{StateDir: base, Topology: "two-systems"})
		cancel()
		if err == nil {
			if err := l.Down(t.Context()); err != nil {
				t.Fatal(err)
			}
		} else if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("up interrupted after %d ms: got %v, want that time is up", 3*i, err)
		}
		entries, err := os.ReadDir(base)
		if err != nil || len(entries) != 0 {
			t.Fatalf("after %d ms: left in the state folder: %v, %v", 3*i, entries, err)
		}
	}
}

// A starting process that is killed takes its half-started lab with it.
func TestStarterKilled(t *testing.T) {
	if base := os.Getenv("LAB_TEST_START"); base != "" {
		if _, err := Up(context.Background(), Options{StateDir: base, Topology: "two-systems"}); err != nil {
			fmt.Println(err)
		}
		await.Kill()
		return
	}
	startLab(t, Options{})
	for i := range 12 {
		base := stateDir(t)
		cmd := exec.Command(os.Args[0], "-test.run=^TestStarterKilled$")
		cmd.Env = append(os.Environ(), "LAB_TEST_START="+base)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		await.Pause(time.Duration(20+5*i) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		// Either the lab stood already, and is whole, or nothing is left of it.
		await.Until(t, fmt.Sprintf("nothing is left of a lab whose start was killed after %d ms", 20+5*i), func() bool {
			labs, err := List(base)
			if err != nil {
				t.Fatal(err)
			}
			if len(labs) == 1 {
				if out, _, _ := run(t, labs[0], "lpar1", "", "hostname"); out != "lpar1\n" {
					t.Errorf("a lab that stood: hostname gives %q", out)
				}
				if err := labs[0].Down(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			entries, _ := os.ReadDir(base)
			return len(entries) == 0
		})
	}
}

func TestStateDirOwned(t *testing.T) {
	base := stateDir(t)
	if err := os.Mkdir(base, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(base, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Up(t.Context(), Options{StateDir: base, Topology: "two-systems"}); err == nil ||
		!strings.Contains(err.Error(), "belongs to you") {
		t.Errorf("a state folder open to all: got %v, want a refusal", err)
	}
	long := filepath.Join(stateDir(t), strings.Repeat("x", 120))
	if err := os.Mkdir(filepath.Dir(long), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Up(t.Context(), Options{StateDir: long, Topology: "two-systems"}); err == nil || !strings.Contains(err.Error(), "socket") {
		t.Errorf("a long state folder: got %v, want a refusal", err)
	}
}

// A limit of namespaces is named, where the kernel says that there is no space.
func TestNoNamespaces(t *testing.T) {
	if got := whyNot("fork/exec /proc/self/exe: no space left on device"); !strings.Contains(got, "sysctl") {
		t.Errorf("got %q, want it to name a sysctl", got)
	}
}

func TestUpErrors(t *testing.T) {
	base := stateDir(t)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Topology: "none"}, "two-systems"},
		{Options{Topology: "two-systems", Name: "../x"}, "lab name"},
		{Options{Topology: "two-systems", Probe: "/nonexistent/probe"}, "/nonexistent/probe"},
	} {
		c.o.StateDir = base
		_, err := Up(t.Context(), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want an error with %q", c.o, err, c.want)
		}
		if _, err := os.Lstat(supervisor.LockFile(filepath.Join(base, "two-systems"))); err == nil {
			t.Errorf("%+v: its state folder is left", c.o)
		}
	}
}
