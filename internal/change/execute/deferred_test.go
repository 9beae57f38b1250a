package execute_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// A plan is taken up where its hosts are.
func TestDue(t *testing.T) {
	l, v := pair(t)
	p := build(t, []*box{l, v}, "vios1:ent0:large_send=yes")
	next := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on")
	p.Next = next
	p.ID = digest(t, p)
	r := runner(t, l, v)
	due := func() (*plan.Plan, error) { return r.NextPhase(t.Context(), p) }
	if got, err := due(); got != p || err != nil {
		t.Fatalf("on hosts that nobody changed: got %v, %v, want the plan itself", got, err)
	}
	run, err := r.Apply(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := due(); !errors.Is(err, execute.ErrReboot) || !strings.Contains(err.Error(), "vios1") {
		t.Errorf("before the reboot: got %v, want that it waits for vios1", err)
	}
	look := func(want execute.PendingState, drift string) {
		t.Helper()
		got, err := r.VerifyAfterReboot(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		if s := got.Steps[0]; s.PendingState != want || s.Drift != drift || (want == execute.Waiting) != slices.Equal(got.Waits,
			[]string{"vios1"}) {
			t.Errorf("run: got %q %q, waits for %v, want %q %q", s.PendingState, s.Drift, got.Waits, want, drift)
		}
	}
	look(execute.Waiting, "large_send is no running, yes at next boot")
	a := v.host.Elements["ent0"].Attrs["large_send"]
	a.Running = a.NextBoot // the reboot
	if got, err := due(); got != next || err != nil {
		t.Errorf("after the reboot: got %v, %v, want what comes next", got, err)
	}
	look(execute.InForce, "")
	*a = *attrs("large_send=no")["large_send"]
	look(execute.InForce, "") // it was, and is not looked at again
	if got, _, err := r.Journals.Load(t.Context(), run.ID); err != nil || got.Steps[0].PendingState != execute.InForce {
		t.Errorf("journal: got %+v, %v, want in force", got.Steps, err)
	}
}

func TestValuesForTheNextBootChanged(t *testing.T) {
	l, v := pair(t)
	r := runner(t, l, v)
	run, err := r.Apply(t.Context(), build(t, []*box{l, v}, "vios1:ent0:large_send=yes"))
	if err != nil {
		t.Fatal(err)
	}
	v.host.Elements["ent0"].Attrs["large_send"] = attrs("large_send=no")["large_send"]
	got, err := r.VerifyAfterReboot(t.Context(), run.ID)
	if err != nil || got.Steps[0].PendingState != execute.Changed || len(got.Waits) > 0 {
		t.Errorf("got %+v, %v, want that somebody changed it since", got, err)
	}
}

// Packets that do not arrive whole undo the plan.
func TestProofFails(t *testing.T) {
	for _, c := range []struct {
		name, printed string
		want          execute.Outcome
	}{
		{"they arrive", "2 packets transmitted, 2 packets received, 0% packet loss", execute.Applied},
		{"they vanish", "2 packets transmitted, 0 packets received, 100% packet loss", execute.RolledBack},
	} {
		l, v := pair(t)
		p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on")
		p.Proofs = []plan.Proof{{Host: "lpar1", Element: "en0", Peer: model.Ref{Host: "lpar2", Element: "en0"}, Bytes: 9000,
			Command: "ping it", Via: []string{"vios1"}}}
		r := runner(t, l, v)
		r.Hosts["lpar1"] = &pinging{box: l, printed: c.printed}
		run, err := r.Apply(t.Context(), p)
		if run == nil || run.Outcome != c.want || (err == nil) != (c.want == execute.Applied) {
			t.Errorf("%s: got %+v, %v, want %s", c.name, run, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "from lpar1:en0 to lpar2:en0: ping it: "+c.printed) {
			t.Errorf("%s: got error %q, want one that names both ends and what ping printed", c.name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "look at jumbo_frames and mtu on lpar1, vios1, lpar2,") {
			t.Errorf("%s: got error %q, want one that says where to look, since lpar2 cannot be read", c.name, err)
		}
	}
}

// pinging is a host whose ping prints the same every time.
type pinging struct {
	*box
	printed string
}

func (p *pinging) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	if c.Line == "ping it" {
		return &remote.Result{Stdout: []byte(p.printed)}, nil
	}
	return p.box.Run(ctx, c)
}

// The undo of a value that waits for a reboot needs none; that of a value which is in force
// does.
func TestRollbackOfValuesForTheNextBoot(t *testing.T) {
	for _, c := range []struct {
		name   string
		reboot bool
		want   execute.PendingState
		waits  []string
	}{
		{"not rebooted", false, execute.NeverActive, nil},
		{"rebooted", true, execute.StillActive, []string{"vios1"}},
	} {
		l, v := pair(t)
		r := runner(t, l, v)
		run, err := r.Apply(t.Context(), build(t, []*box{l, v}, "vios1:ent0:large_send=yes"))
		if err != nil {
			t.Fatal(err)
		}
		a := v.host.Elements["ent0"].Attrs["large_send"]
		if c.reboot {
			a.Running = a.NextBoot
		}
		back, err := r.Rollback(t.Context(), run.ID)
		if err != nil || back.Outcome != execute.RolledBack {
			t.Fatalf("%s: rollback: got %+v, %v", c.name, back, err)
		}
		again, _, err := r.Journals.Load(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []*execute.Run{back, again} {
			if got.Steps[0].State != "undone" || got.Steps[0].PendingState != c.want || !slices.Equal(got.Waits, c.waits) || !got.Over() {
				t.Errorf("%s: got step %+v, waits for %v, want %q and %v", c.name, got.Steps[0], got.Waits, c.want, c.waits)
			}
		}
	}
}
