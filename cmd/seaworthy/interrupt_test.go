package main_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/draw"
)

// polite are the signals a user or a terminal sends.
var polite = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// interrupted starts the program and signals it after a while.
func (b *box) interrupted(sig syscall.Signal, after time.Duration, args ...string) *result {
	b.t.Helper()
	r := b.start(args...)
	select {
	case <-r.ended:
	case <-time.After(after):
		_ = r.Process.Signal(sig) // it may have ended by itself
	}
	return r.end()
}

// says fails the test if a run said nothing of why it stopped.
func (r *result) says(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(r.err, w) {
			t.Errorf("%s\nwant a message with %q", r, w)
		}
	}
}

func TestInterruptedUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, ordinary bool) {
		b := newBox(t, ordinary)
		b.needLab()
		random := moments(t)
		for range rounds(5) {
			sig := polite[random.IntN(len(polite))]
			after := time.Duration(random.IntN(120)) * time.Millisecond
			r := b.interrupted(sig, after, "lab", "up", "two-systems", "--name", "cut")
			switch labs := b.labs(); {
			case r.exit == command.ExitDone && slices.Equal(labs, []string{"cut"}):
				b.must(command.ExitDone, "lab", "down", "cut")
			case r.exit == command.ExitDone:
				t.Errorf("%v after %s: %s\nyet the labs are %v", sig, after, r, labs)
			case len(labs) > 0:
				// Interrupted when it stood already: it is whole, and reported.
				if out := b.on("cut", "lpar1", "hostname"); out.out != "lpar1\n" {
					t.Errorf("%v after %s: a lab that is there is not whole: %s", sig, after, out)
				}
				b.must(command.ExitDone, "lab", "down", "cut")
			case r.signal == 0:
				r.says(t, "lab cut")
			}
			b.empty()
		}
	})
}

func TestInterruptedCollect(t *testing.T) {
	onLab(t, "c", func(t *testing.T, b *box, before string, random *rand.Rand) {
		for i := range rounds(2) {
			sig := polite[random.IntN(len(polite))]
			after := time.Duration(random.IntN(1000)) * time.Millisecond
			dir := b.path("out", "snap"+string(rune('a'+i%26))+strings.Repeat("x", i/26))
			r := b.interrupted(sig, after, "collect", "-i", "lab:c", "-o", dir)
			entries, err := os.ReadDir(dir)
			entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() }) // round trips between hosts
			switch {
			case r.signal != 0: // before it listened: nothing was done
			case r.exit == command.ExitDone:
				if len(entries) != len(nodes) {
					t.Errorf("%v after %s: exit 0 with %v", sig, after, entries)
				}
			case r.exit != command.ExitFailed && r.exit != command.ExitInconclusive:
				t.Errorf("%v after %s: %s\nwant exit 1 or 3", sig, after, r)
			default:
				r.says(t, "signal received")
				if err != nil && !os.IsNotExist(err) {
					t.Error(err)
				}
				// What was read so far is kept, and can be read.
				for _, e := range entries {
					if _, err := os.Stat(filepath.Join(dir, e.Name(), "manifest.json")); err != nil {
						t.Errorf("%v after %s: %s without a manifest", sig, after, e.Name())
					}
				}
				if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !strings.HasPrefix(e.Name(), "hmc1") }) { // which is not a host to show
					if show := b.try("show", "host", dir, "-f", "json"); show.exit == command.ExitFailed {
						t.Errorf("what an interrupted collect kept cannot be read: %s", show)
					}
				}
			}
		}
		if after := b.values("c"); after != before {
			t.Errorf("collect changed values (-before +after):\n%s", diff(before, after))
		}
		b.nodesClean("c")
	})
}

// runs are the journals as status reports them.
type run struct {
	ID, Outcome string
	Steps       []struct{ State string }
}

func (b *box) runs() []run {
	b.t.Helper()
	var all []run
	b.parse(b.must(command.ExitDone, "status", "-f", "json"), &all)
	return all
}

// plan makes a plan for a lab that changes several hosts.
func (b *box) plan(lab string) string {
	b.t.Helper()
	file := b.path("out", lab+".json")
	b.must(command.ExitNo, "plan", "-i", "lab:"+lab, "-o", file,
		"--set", "lpar1:en0:mtu_bypass=on", "--set", "lpar2:no:tcp_recvspace=65536", "--set", "vios1:ent5:largesend=0")
	return file
}

func TestInterruptedApply(t *testing.T) {
	draw.Rarely(t, 10)
	onLab(t, "a", func(t *testing.T, b *box, before string, random *rand.Rand) {
		plan := b.plan("a")
		began := time.Now()
		b.must(command.ExitDone, "apply", "-i", "lab:a", plan)
		whole := time.Since(began)
		planned := b.values("a")
		if planned == before {
			t.Fatal("the plan changes nothing")
		}
		b.must(command.ExitDone, "rollback", "-i", "lab:a", b.runs()[0].ID)
		if now := b.values("a"); now != before {
			t.Fatalf("rollback (-before +now):\n%s", diff(before, now))
		}
		for range rounds(1) {
			sig := polite[random.IntN(len(polite))]
			after := time.Duration(random.Int64N(int64(whole)))
			known := len(b.runs())
			r := b.interrupted(sig, after, "apply", "-i", "lab:a", plan)
			now := b.values("a")
			runs := b.runs()
			switch r.exit {
			case command.ExitDone:
				if now != planned || runs[0].Outcome != "applied" {
					t.Errorf("%v after %s: %s\nnot all is as planned (%+v)", sig, after, r, runs[0])
				}
				b.must(command.ExitDone, "rollback", "-i", "lab:a", runs[0].ID)
				now = b.values("a")
			case command.ExitRolledBack:
				if runs[0].Outcome != "rolled-back" {
					t.Errorf("%v after %s: exit 4, yet the journal says %s", sig, after, runs[0].Outcome)
				}
				r.says(t, "signal received")
			case command.ExitFailed, -1:
				if len(runs) != known {
					t.Errorf("%v after %s: %s\na run was begun (%+v): want exit 4", sig, after, r, runs[0])
				}
			default:
				t.Errorf("%v after %s: %s\nwant exit 0, 1 or 4", sig, after, r)
			}
			if now != before {
				t.Errorf("%v after %s: %s\nvalues (-before +now):\n%s", sig, after, r, diff(before, now))
			}
		}
	})
}

func TestInterruptedRollback(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	b := newBox(t, true)
	b.lab("r")
	before := b.values("r")
	plan := b.plan("r")
	random := moments(t)
	for range rounds(1) {
		b.must(command.ExitDone, "apply", "-i", "lab:r", plan)
		id := b.runs()[0].ID
		sig := polite[random.IntN(len(polite))]
		after := 20*time.Millisecond + time.Duration(random.IntN(700))*time.Millisecond
		r := b.interrupted(sig, after, "rollback", "-i", "lab:r", id)
		if r.exit != command.ExitDone && r.exit != -1 && r.exit != command.ExitFailed {
			t.Errorf("%v after %s: %s\nwant exit 0 or 1", sig, after, r)
		}
		if r.exit == command.ExitFailed {
			r.says(t, "signal received")
		}
		// Once more finishes what is left; a third time has nothing to do.
		for range 2 {
			b.must(command.ExitDone, "rollback", "-i", "lab:r", id)
		}
		if now := b.values("r"); now != before {
			t.Errorf("%v after %s: values (-before +now):\n%s", sig, after, diff(before, now))
		}
		if got := b.runs()[0].Outcome; got != "rolled-back" {
			t.Errorf("the journal says %s, want rolled-back", got)
		}
	}
}
