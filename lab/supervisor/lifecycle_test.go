package supervisor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/remote/labs"
	"seaworthy/internal/test/await"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/topology"
)

// What cannot be started says why, and leaves nothing.
func TestStartFails(t *testing.T) {
	for name, c := range map[string]struct{ config, want string }{
		"no JSON":     {"{", "configuration"},
		"no topology": {"", "test.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := stateDir(t)
			config := []byte(c.config)
			if c.config == "" {
				config = configOf(t, dir, "systems: 7\n")
			}
			r := start(t, dir, config)
			if a := r.answer(); !strings.Contains(a.Error, c.want) {
				t.Errorf("got %q, want %q", a.Error, c.want)
			}
			if exit := r.waitEnd(); exit != 1 {
				t.Errorf("exit status %d, want 1", exit)
			}
			if c.config == "" {
				r.gone()
			}
		})
	}
}

// A lab whose starting process ends before it keeps the lab ends, too. Until it is kept
// nobody is answered.
func TestStarterEnds(t *testing.T) {
	t.Parallel()
	r := up(t)
	if _, err := os.Stat(labs.ControlSocket(r.dir)); err != nil {
		t.Errorf("the control socket of a lab that is up: %v", err)
	}
	r.line.Close()
	if exit := r.waitEnd(); exit != 0 {
		t.Errorf("exit status %d, want 0", exit)
	}
	r.gone()
}

// A tied lab ends with the line to the process that started it, a kept one does not.
func TestTieAndKeep(t *testing.T) {
	t.Parallel()
	tied := up(t)
	tied.say(supervisor.Tie)
	await.Until(t, "the tied lab answers", tied.lives)
	tied.line.Close()
	tied.waitEnd()
	tied.gone()

	keep := kept(t)
	await.Until(t, "the kept lab answers", keep.lives)
	await.Stays(t, "the kept lab answers after its starter has gone", 200*time.Millisecond, keep.lives)
	if err := keep.ask("shutdown", nil, nil); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if exit := keep.waitEnd(); exit != 0 {
		t.Errorf("after shutdown: exit status %d, want 0", exit)
	}
	keep.gone()
}

func TestTerminated(t *testing.T) {
	t.Parallel()
	r := kept(t)
	await.Until(t, "the lab answers", r.lives)
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		_ = r.cmd.Process.Signal(sig)
	}
	await.Stays(t, "the lab answers after signals of a terminal", 100*time.Millisecond, r.lives)
	_ = r.cmd.Process.Signal(syscall.SIGTERM)
	if exit := r.waitEnd(); exit != 0 {
		t.Errorf("after SIGTERM: exit status %d, want 0", exit)
	}
	r.gone()
}

// The kernel ends everything of a lab whose supervisor was killed, and takes back its
// mounts; the state folder stays for anyone who starts the next lab.
func TestKilled(t *testing.T) {
	t.Parallel()
	r := kept(t)
	await.Until(t, "the lab answers", r.lives)
	r.run("lpar1", "setsid sleep 1000 >/dev/null 2>&1 </dev/null &")
	r.run("vios2", "trap '' HUP TERM; setsid sleep 1000 >/dev/null 2>&1 </dev/null &")
	inside := processesBelow(t, r.cmd.Process.Pid)
	if len(inside) < 6 { // four first processes of nodes, and two sleeps
		t.Fatalf("got %d processes of the lab, want 6 and more: %v", len(inside), inside)
	}
	_ = r.cmd.Process.Kill()
	if exit := r.waitEnd(); exit != -1 {
		t.Errorf("exit status %d, want that it was killed", exit)
	}
	await.Until(t, "no process of the lab is left", func() bool {
		for pid, begun := range inside {
			if startOf(pid) == begun {
				return false
			}
		}
		return true
	})
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil || strings.Contains(string(mounts), r.dir) {
		t.Errorf("a mount below %s is left (%v)", r.dir, err)
	}
	if r.lives() {
		t.Error("its control socket answers")
	}
	// The next lab of the name can be started in the folder.
	if err := os.RemoveAll(r.dir); err != nil {
		t.Fatal(err)
	}
	_, text, err := topology.Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	again := start(t, r.dir, configOf(t, r.dir, string(text)))
	if a := again.answer(); a.Error != "" {
		t.Errorf("the next lab: %s", a.Error)
	}
}

// processesBelow are the processes in the PID namespace of a supervisor, apart from itself,
// with the time each was started.
func processesBelow(t *testing.T, root int) map[int]string {
	t.Helper()
	out := map[int]string{}
	parents := map[int]bool{root: true}
	for grown := true; grown; {
		grown = false
		all, err := filepath.Glob("/proc/[0-9]*")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			pid, err := strconv.Atoi(filepath.Base(p))
			if err != nil || parents[pid] || !parents[parentOf(pid)] {
				continue
			}
			parents[pid], out[pid], grown = true, startOf(pid), true
		}
	}
	return out
}

// statOf are the fields of a process behind its name.
func statOf(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, fields, named := strings.Cut(string(text), ") ")
	if err != nil || !named {
		return nil
	}
	return strings.Fields(fields)
}

func parentOf(pid int) int {
	fields := statOf(pid)
	if len(fields) < 2 {
		return -1
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return -1
	}
	return parent
}

// startOf is when a process was started; empty if it has ended, reaped or not.
func startOf(pid int) string {
	const started = 19 // behind the name
	fields := statOf(pid)
	if len(fields) <= started || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	return fields[started]
}

// The commands of a node ask the lab over its control socket, each node over its own.
func TestNodeSocket(t *testing.T) {
	t.Parallel()
	r := kept(t)
	await.Until(t, "the lab answers", r.lives)
	for _, on := range []string{"lpar1", "vios2"} {
		if got, want := r.run(on, "whoasks a b; echo $?"), on+" root whoasks a b\n3\n"; got != want {
			t.Errorf("%s: got %q, want %q", on, got, want)
		}
	}
}

// A restart ends what runs on a node but its first process, and nothing on another.
func TestReboot(t *testing.T) {
	t.Parallel()
	r := kept(t)
	await.Until(t, "the lab answers", r.lives)
	const begin = "setsid sleep 1000 >/dev/null 2>&1 </dev/null &"
	const count = "ps -e -o args= | grep -c 'sleep 100[0]'"
	for _, on := range []string{"lpar1", "lpar2"} {
		r.run(on, begin)
	}
	if err := r.ask("reboot", line{Node: "lpar1"}, nil); err != nil {
		t.Fatal(err)
	}
	for on, want := range map[string]string{"lpar1": "0\n", "lpar2": "1\n"} {
		if got := r.run(on, count); got != want {
			t.Errorf("after the restart of lpar1: %s has %q of its processes, want %q", on, got, want)
		}
	}
	if out := r.run("lpar1", "ps -p 1 -o args="); strings.TrimSpace(out) != "/etc/init" {
		t.Errorf("first process after the restart: %q", out)
	}
	if err := r.ask("reboot", line{Node: "lpar9"}, nil); err == nil || !strings.Contains(err.Error(), "lpar9") {
		t.Errorf("restart of an unknown node: got %v", err)
	}
}

// The command of a session is hung up when the session ends, and killed if it ignores that.
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	r := kept(t)
	await.Until(t, "the lab answers", r.lives)
	for on, text := range map[string]string{
		"lpar1": `exec sh -c 'while :; do sleep 1; done' marker`,
		"lpar2": `exec sh -c 'trap "" HUP; while :; do sleep 1; done' marker`,
	} {
		running := func() string { return strings.TrimSpace(r.run(on, "ps -e -o args= | grep -c 'marke[r]'")) }
		if err := r.ask("begin", line{on, text}, nil); err != nil {
			t.Fatal(err)
		}
		await.Until(t, on+": the session's command runs", func() bool { return running() == "1" })
		if err := r.ask("end", line{Node: on}, nil); err != nil {
			t.Fatal(err)
		}
		await.Until(t, on+": the session's command ends", func() bool { return running() == "0" })
	}
}

// A node has a limit of processes of its own, and the lab one that it shares.
func TestProcessLimits(t *testing.T) {
	t.Parallel()
	r := kept(t)
	await.Until(t, "the lab answers", r.lives)
	machine, err := os.ReadFile("/proc/sys/kernel/pid_max")
	if err != nil {
		t.Fatal(err)
	}
	limit := strings.TrimSpace(r.run("lpar1", "cat /proc/sys/kernel/pid_max"))
	if limit == strings.TrimSpace(string(machine)) {
		t.Skip("before Linux 6.14 a namespace has no number of its own")
	}
	if limit != "2048" {
		t.Errorf("process ids of a node: %s, want 2048", limit)
	}
	if n := supervisor.Processes(4); n <= 2048 {
		t.Errorf("processes of a lab of four nodes: %d, want more than one node can have", n)
	}
}
