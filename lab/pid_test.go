package lab

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A node's root may end everything on it and nothing elsewhere.
func TestKillAll(t *testing.T) {
	t.Parallel()
	l := startLab(t, Options{})
	const begin = "setsid sleep 1000 >/dev/null 2>&1 </dev/null & echo $!"
	const look = "ps -e -o pid= -o args= | grep 'sleep 100[0]' | wc -l | tr -d ' \n'"
	for _, n := range l.Nodes {
		run(t, l, n.Name, "root", begin)
	}
	for i, n := range l.Nodes {
		for _, sig := range []string{"-TERM", "-SEGV", "-9"} { // the first process heeds none of them
			run(t, l, n.Name, "root", "kill "+sig+" 1")
		}
		if _, _, exit := run(t, l, n.Name, "root", "kill -9 -1"); exit != 128+9 && exit != 0 {
			t.Errorf("%s: kill -9 -1: got exit status %d", n.Name, exit)
		}
		for k, other := range l.Nodes {
			want := "1"
			if k <= i {
				want = "0"
			}
			if got, _, _ := run(t, l, other.Name, "root", look); got != want {
				t.Errorf("after kill -9 -1 on %s: %s has %s of its processes, want %s", n.Name, other.Name, got, want)
			}
		}
	}
}

// ps shows what it does on AIX: /etc/init first, and nothing of other nodes.
func TestProcessesOfNode(t *testing.T) {
	t.Parallel()
	l := startLab(t, Options{})
	run(t, l, "lpar2", "root", "setsid sleep 1000 >/dev/null 2>&1 </dev/null &")
	out, _, _ := run(t, l, "lpar1", "root", "ps -e -o pid= -o args=; echo $$")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if f := strings.Fields(lines[0]); len(f) != 2 || f[0] != "1" || f[1] != "/etc/init" {
		t.Errorf("first process: got %q, want 1 /etc/init", lines[0])
	}
	if strings.Contains(out, "sleep 1000") || len(lines) != 4 { // init, the shell, ps, and its number
		t.Errorf("ps on lpar1: got %q", out)
	}
	if own := strings.Fields(lines[1])[0]; own != lines[3] {
		t.Errorf("the shell: ps shows number %s, $$ is %s", own, lines[3])
	}
	if _, errs, exit := run(t, l, "lpar1", "root", "ls -l /proc/1/exe /proc/1/root"); exit == 0 {
		t.Errorf("the first process can be looked into: %s", errs)
	}
}

// The processes of a node are limited, and it cannot change that; the machine's stay as they are.
func TestProcessLimits(t *testing.T) {
	t.Parallel()
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor); err != nil || major*100+minor < 614 {
		t.Skip("PID namespaces have limits of their own since Linux 6.14")
	}
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	before := read("/proc/sys/kernel/pid_max")
	l := startLab(t, Options{})
	out, _, _ := run(t, l, "lpar1", "root", "cat /proc/sys/kernel/pid_max; echo 100000 > /proc/sys/kernel/pid_max; cat /proc/sys/kernel/pid_max")
	if out != "2048\n2048\n" {
		t.Errorf("limit of a node, before and after it tries to set it: got %q, want 2048", out)
	}
	if after := read("/proc/sys/kernel/pid_max"); after != before {
		t.Errorf("limit of the machine: got %s, want %s as before", after, before)
	}
}

// All processes of a lab that root starts are in control groups that bound them, and
// those go with the lab.
func TestControlGroups(t *testing.T) {
	t.Parallel()
	l := startLab(t, Options{})
	var e struct {
		Bounds string `json:"bounds"`
	}
	if err := l.Query(t.Context(), "bounds", nil, &e); err != nil {
		t.Fatal(err)
	}
	if e.Bounds != "" {
		t.Skip(e.Bounds)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", l.PID))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "/seaworthy-") {
		t.Errorf("the supervisor's control groups: got\n%s\nwant seaworthy's", text)
	}
}
