package execute_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/execute"
)

func TestToggle(t *testing.T) {
	l, v := pair(t)
	beforeL, beforeV := state(l.host), state(v.host)
	tg := &execute.Toggle{Runner: runner(t, l, v), Plan: build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")}
	ctx := t.Context()
	if err := tg.Off(ctx); err != nil || len(l.log)+len(v.log) != 0 {
		t.Errorf("off while off: got %v and commands %v %v, want nothing done", err, l.log, v.log)
	}
	for range 2 {
		if err := tg.On(ctx); err != nil {
			t.Fatal(err)
		}
		if got := state(l.host)["en0 mtu_bypass"]; got != "on/on" {
			t.Errorf("mtu_bypass while on: got %s, want on/on", got)
		}
		l.log = nil
		if err := tg.On(ctx); err != nil || len(l.log) != 0 {
			t.Errorf("on while on: got %v and commands %v, want nothing done", err, l.log)
		}
		if err := tg.Off(ctx); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(beforeL, state(l.host)) + cmp.Diff(beforeV, state(v.host)); d != "" {
			t.Errorf("off: not as before:\n%s", d)
		}
	}
	if len(tg.Runs) != 2 || tg.Runs[0].Outcome != execute.RolledBack || tg.Runs[0].ID == tg.Runs[1].ID {
		t.Errorf("runs: got %+v, want two of their own, rolled back", tg.Runs)
	}
}

func TestToggleFailsToGoOn(t *testing.T) {
	l, v := pair(t)
	tg := &execute.Toggle{Runner: runner(t, l, v), Plan: build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")}
	before := state(v.host)
	l.fail = map[string]string{"chdev -l en0 -a mtu_bypass=on": "exit"}
	if err := tg.On(t.Context()); err == nil || !strings.Contains(err.Error(), tg.Plan.ID.String()) {
		t.Errorf("on: got %v, want an error that names the plan", err)
	}
	if d := cmp.Diff(before, state(v.host)); d != "" {
		t.Errorf("after a failed on, vios1 is not as before:\n%s", d)
	}
	v.log = nil
	if err := tg.Off(t.Context()); err != nil || len(v.log) != 0 {
		t.Errorf("off after a failed on: got %v and commands %v, want nothing left to do", err, v.log)
	}
}
