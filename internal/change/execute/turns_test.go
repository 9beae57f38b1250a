package execute_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
)

// turns are plans for two hosts, and what says whether these are as they were.
func turns(t *testing.T) (turns *execute.Turns, l, v *box, check func(when string)) {
	t.Helper()
	l, v = pair(t)
	beforeL, beforeV := state(l.host), state(v.host)
	check = func(when string) {
		t.Helper()
		diff := cmp.Diff(beforeL, state(l.host)) + cmp.Diff(beforeV, state(v.host))
		if diff != "" {
			t.Errorf("%s: the hosts are not as they were:\n%s", when, diff)
		}
	}
	return &execute.Turns{Runner: runner(t, l, v)}, l, v, check
}

func TestTurnsPutOnePlanOnAtATime(t *testing.T) {
	turns, l, v, check := turns(t)
	large := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on")
	both := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
	put := func(p *plan.Plan) {
		t.Helper()
		err := turns.Put(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
	}
	put(both)
	put(large)
	if got := state(v.host)["ent5 largesend"]; got != "0/0" {
		t.Errorf("largesend of vios1, which the second plan does not set: got %s, want 0/0", got)
	}
	l.log = nil
	put(large)
	if len(l.log) != 0 {
		t.Errorf("the same plan again: got commands %v, want nothing done", l.log)
	}
	put(nil)
	check("after putting nothing on")
	runs := turns.Runs()
	if len(runs) != 2 || runs[0].Plan != both.ID || runs[1].Plan != large.ID || runs[1].Outcome != execute.RolledBack {
		t.Errorf("runs: got %+v, want one of each plan, rolled back", runs)
	}
}

// What was put on comes off although the command was interrupted.
func TestTurnsRestoreAfterInterruption(t *testing.T) {
	turns, l, v, check := turns(t)
	ctx, interrupt := context.WithCancel(t.Context())
	hard, err := turns.Add(ctx, build(t, []*box{l, v}, "vios1:ent5:largesend=1"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = turns.Add(ctx, build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on"))
	if err != nil {
		t.Fatal(err)
	}
	interrupt()
	err = turns.Remove(ctx, hard)
	if err != nil {
		t.Fatal(err)
	}
	check("after the first plan and all above it came off")
	err = turns.Restore(ctx)
	if err != nil {
		t.Errorf("restoring twice: %v", err)
	}
}

// An interruption while a plan is put on leaves nothing on either.
func TestTurnsInterruptedWhilePuttingOn(t *testing.T) {
	turns, l, v, check := turns(t)
	ctx, interrupt := context.WithCancel(t.Context())
	l.onRun = func(line string) {
		if strings.HasPrefix(line, "chdev") {
			interrupt()
		}
	}
	err := turns.Put(ctx, build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1"))
	if err == nil {
		t.Error("got no error, want that it was interrupted")
	}
	l.onRun = nil
	err = turns.Restore(ctx)
	if err != nil {
		t.Fatal(err)
	}
	check("after an interruption")
}

// What could not be taken off is not forgotten.
func TestTurnsRestoreAgain(t *testing.T) {
	turns, l, v, check := turns(t)
	err := turns.Put(t.Context(), build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on"))
	if err != nil {
		t.Fatal(err)
	}
	l.fail = map[string]string{"chdev -l en0 -a mtu_bypass=off": "exit"}
	err = turns.Put(t.Context(), build(t, []*box{l, v}, "vios1:ent5:largesend=1"))
	if err == nil {
		t.Error("the first plan could not come off: got no error")
	}
	if got := state(v.host)["ent5 largesend"]; got != "0/0" {
		t.Errorf("largesend of vios1: got %s, want that no plan goes on beside one that should be off", got)
	}
	l.fail = nil
	err = turns.Restore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	check("after restoring again")
}

// A failure to go on undoes itself, and says so where hosts guard themselves.
func TestTurnsPlanThatFails(t *testing.T) {
	turns, l, v, check := turns(t)
	l.fail = map[string]string{"chdev -l en0 -a mtu_bypass=on": "exit"}
	toggle, err := turns.Add(t.Context(), build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1"))
	if err == nil || len(toggle.Runs) != 1 || toggle.Runs[0].Outcome != execute.RolledBack {
		t.Errorf("got %v and runs %+v, want a run that was rolled back", err, toggle.Runs)
	}
	check("after a plan that failed")
	turns.Within = time.Minute
	err = turns.Remove(t.Context(), toggle)
	if err != nil {
		t.Errorf("removing what is not on: %v", err)
	}
}
