package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
)

// demo is a short one: what matters here is how it ends.
var demo = []string{"demo", "--seconds", "0.1", "--blocks", "1", "--control", "-1", "--seed", "1"}

// A demo takes its lab with it, whatever ends it.
func TestDemoEnds(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, ordinary bool) {
		b := newBox(t, ordinary)
		b.needLab()
		random := moments(t)
		signals := append([]syscall.Signal{syscall.SIGKILL}, polite...)
		for i := range rounds(2) {
			sig := signals[(i+random.IntN(2)*2)%len(signals)]
			if i == 0 {
				sig = syscall.SIGKILL
			}
			after := time.Duration(50+random.IntN(5000)) * time.Millisecond
			r := b.interrupted(sig, after, demo...)
			switch {
			case sig == syscall.SIGKILL && r.exit == -1, r.exit == command.ExitDone:
			case r.exit == command.ExitFailed || r.exit == command.ExitRolledBack:
				r.says(t, "signal received")
			case r.signal == 0:
				t.Errorf("%v after %s: %s\nwant exit 1 or 4", sig, after, r)
			}
			// What was killed before its lab lived leaves a folder, which the next command removes.
			if labs := b.labs(); len(labs) > 0 && sig != syscall.SIGKILL {
				t.Errorf("%v after %s: labs %v are left", sig, after, labs)
			}
			b.empty()
			if labs := b.labs(); len(labs) > 0 {
				t.Errorf("%v after %s: labs %v are left", sig, after, labs)
			}
		}
	})
}

// shell runs a line of sh in which $S is the program.
func (b *box) shell(line string) *result {
	b.t.Helper()
	r := &running{Cmd: b.command(), t: b.t, ended: make(chan struct{})}
	r.Path, r.Args = "/bin/sh", []string{"sh", "-c", line}
	r.Env = append(r.Env, "S="+b.path("bin", "seaworthy"))
	r.Stdout, r.Stderr = &r.out, &r.err
	r.begin()
	return r.end()
}

// The program's output may go nowhere: what it does is done to its end all the
// same, and nothing stays behind.
func TestOutputGone(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	b := newBox(t, true)
	b.lab("o")
	before := b.values("o")
	plan := b.plan("o")
	for _, c := range []string{
		"$S apply -i lab:o " + plan + " 2>&1 | true",
		"$S apply -i lab:o " + plan + " >&- 2>&-",
	}[:min(2, rounds(1))] {
		b.shell(c)
		run := b.runs()[0]
		if run.Outcome != "applied" {
			t.Errorf("%s: run %s is %s, want applied: nobody asked to stop it", c, run.ID, run.Outcome)
		}
		b.must(command.ExitDone, "rollback", "-i", "lab:o", run.ID)
		if now := b.values("o"); now != before {
			t.Fatalf("%s, then rollback (-before +now):\n%s", c, diff(before, now))
		}
	}
	for _, c := range []struct{ line, out string }{
		{"$S audit -i lab:o | head -1", ""},
		{"{ $S lab ls; echo exit $?; } 2>&1 >&- ", ""},
		{"$S lab ls 2>&- ", "o  "},
		{"$S lab exec --lab o lpar1 -- 'yes' | head -1", "y\n"},
	} {
		r := b.shell(c.line)
		if !strings.Contains(r.out, c.out) {
			t.Errorf("%s: got %s\nwant %q in it", c.line, r, c.out)
		}
		if strings.Contains(r.err, "writing the result") {
			t.Errorf("%s: got %s\nwant no complaint that the reader had enough", c.line, r)
		}
	}
	r := b.shell("$S audit -i lab:o >/dev/full")
	if r.exit != command.ExitFailed || !strings.Contains(r.err, "no space left") {
		t.Errorf("audit to a full device: %s\nwant exit 1 and the reason", r)
	}
	r = b.shell("$S audit -i lab:o -f json >/dev/full")
	if r.exit != command.ExitFailed || !strings.Contains(r.err, "no space left") {
		t.Errorf("audit -f json to a full device: %s\nwant exit 1 and the reason", r)
	}
	b.nodesClean("o")
	if rounds(1) > 1 {
		b.shell("$S " + strings.Join(demo, " ") + " 2>&1 >/dev/null | head -1")
	}
	b.must(command.ExitDone, "lab", "down", "o")
	b.empty()
}

// supervisor is the process of a lab.
func (b *box) supervisor(lab string) int {
	b.t.Helper()
	var list []struct {
		Name string
		PID  int
	}
	b.parse(b.must(command.ExitDone, "lab", "ls", "-f", "json"), &list)
	for _, l := range list {
		if l.Name == lab {
			return l.PID
		}
	}
	b.t.Fatalf("lab ls knows no %s: %v", lab, list)
	return 0
}

// Hosts go away in the middle of a verb: the lab's supervisor is killed.
func TestSupervisorKilled(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	b := newBox(t, true)
	b.needLab()
	random := moments(t)
	for i, verb := range [][]string{
		{"collect", "-i", "lab:s", "-o", b.path("out", "snap")},
		{"audit", "-i", "lab:s"},
		{"apply", "-i", "lab:s", "PLAN"},
		{"bench", "run", "-i", "lab:s", "--from", "lpar1", "--to", "lpar2", "--seconds", "30", "-n", "1"},
		{"lab", "exec", "--lab", "s", "lpar1", "--", "sleep 100"},
	} {
		b.lab("s")
		if j := slices.Index(verb, "PLAN"); j >= 0 {
			verb[j] = b.plan("s")
		}
		pid := b.supervisor("s")
		r := b.start(verb...)
		await.Pause(time.Duration(150+random.IntN(250)) * time.Millisecond)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		res := r.end()
		if res.exit == command.ExitDone && i > 2 {
			t.Errorf("%s\nwant a failure: its hosts went away", res)
		}
		if res.exit != command.ExitDone && res.exit != command.ExitNo && !strings.Contains(res.err, "lpar") && !strings.Contains(res.err, "vios") && !strings.Contains(res.err, "lab s") {
			t.Errorf("%s\nwant a message that names a host", res)
		}
		if labs := b.labs(); len(labs) > 0 {
			t.Errorf("lab ls after the kill: got %v, want none", labs)
		}
		b.empty()
	}
}

// apply is killed in the middle: the journal knows, and rollback puts all back.
func TestApplyKilled(t *testing.T) {
	draw.Rarely(t, 10)
	onLab(t, "k", func(t *testing.T, b *box, before string, random *rand.Rand) {
		plan := b.plan("k")
		for range rounds(1) {
			known := len(b.runs())
			r := b.start("apply", "-i", "lab:k", plan)
			// Not before the journal has begun, so that there is something to undo.
			await.Until(t, "the journal has begun", func() bool {
				found, _ := filepath.Glob(b.path("state", "seaworthy", "runs", "*", "journal.jsonl"))
				return len(found) > known
			})
			await.Pause(time.Duration(random.IntN(900)) * time.Millisecond)
			_ = r.Process.Kill()
			r.end()
			runs := b.runs()
			if len(runs) != known+1 {
				t.Fatalf("status: got %d runs, want %d", len(runs), known+1)
			}
			if o := runs[0].Outcome; o != "running" && o != "applied" {
				t.Errorf("status of the killed run: got %s", o)
			}
			for range 2 { // the second has nothing to do
				b.must(command.ExitDone, "rollback", "-i", "lab:k", runs[0].ID)
			}
			if now := b.values("k"); now != before {
				t.Errorf("after kill and rollback (-before +now):\n%s", diff(before, now))
			}
			if o := b.runs()[0].Outcome; o != "rolled-back" {
				t.Errorf("status after rollback: got %s", o)
			}
		}
		b.nodesClean("k")
	})
}

// bench leaves no load, no helper and no changed value, however it ends.
func TestBenchEnds(t *testing.T) {
	draw.Rarely(t, 10)
	onLab(t, "b", func(t *testing.T, b *box, before string, random *rand.Rand) {
		measure := []string{"-i", "lab:b", "--from", "lpar1", "--to", "lpar2", "--seconds", "0.2", "-n", "3", "--counters=false"}
		compare := append([]string{"bench", "compare", "--set", "lpar1:en0:mtu_bypass=on"}, measure...)
		for _, c := range []struct {
			sig  syscall.Signal
			args []string
		}{
			{polite[random.IntN(3)], append([]string{"bench", "run"}, measure...)},
			{polite[random.IntN(3)], compare},
			{syscall.SIGKILL, compare},
		} {
			after := time.Duration(400+random.IntN(1500)) * time.Millisecond
			r := b.interrupted(c.sig, after, c.args...)
			// On a busy machine the signal may end it before it listens.
			if r.signal != c.sig && r.exit != command.ExitDone && r.exit != command.ExitInconclusive {
				if r.exit != command.ExitFailed && r.exit != command.ExitRolledBack {
					t.Errorf("%v after %s: %s\nwant exit 1 or 4", c.sig, after, r)
				}
				r.says(t, "signal received")
			}
			for _, run := range b.runs() {
				if run.Outcome == "rolled-back" {
					continue
				}
				if c.sig != syscall.SIGKILL {
					t.Errorf("%v after %s: run %s is %s, want rolled-back", c.sig, after, run.ID, run.Outcome)
				}
				b.must(command.ExitDone, "rollback", "-i", "lab:b", run.ID)
			}
			if now := b.values("b"); now != before {
				t.Errorf("%v after %s: %s\nvalues (-before +now):\n%s", c.sig, after, r, diff(before, now))
			}
			b.nodesClean("b")
		}
	})
}

// A node's processes are killed during a command: the lab and the node live on.
func TestNodeKilled(t *testing.T) {
	t.Parallel()
	b := newBox(t, true)
	b.lab("n")
	r := b.start("lab", "exec", "--lab", "n", "lpar1", "--", "exec sleep 1000")
	pid := 0
	await.Until(t, "the command starts", func() bool {
		pid = b.find("sleep\x001000")
		return pid != 0
	})
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if res := r.end(); res.exit != 128+int(syscall.SIGKILL) {
		t.Errorf("%s\nwant exit 137, as a shell says it", res)
	}
	if out := b.on("n", "lpar1", "hostname"); out.out != "lpar1\n" {
		t.Errorf("after the kill: %s", out)
	}
}

// find is a process of the box by its command line.
func (b *box) find(line string) int {
	for _, p := range b.processes() {
		var pid int
		if _, err := fmt.Sscanf(p, "process %d:", &pid); err != nil {
			continue
		}
		if text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline")); err == nil && strings.HasPrefix(string(text), line) {
			return pid
		}
	}
	return 0
}
