package change_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/change/execute"
	"seaworthy/change/plan"
	"seaworthy/change/task"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// Jumbo frames from the port to the clients: what needs the SEAs' restart
// first, what needs jumbo SEAs after it.
func TestAfterRestart(t *testing.T) {
	f := behind(t, "5.14.0")
	other := *f.Host("lpar1")
	other.Name = "lpar2"
	en0 := *other.Elements["en0"]
	en0.Addrs, en0.Attrs = prefixes(t, "10.0.0.2/24"), attrs("mtu_bypass=on", "mtu=9000", "state=up")
	other.Elements = map[string]*inventory.Element{"ent0": other.Elements["ent0"], "en0": &en0}
	f.Hosts = append(f.Hosts, &other)
	p := simulate(t, f, nil,
		"lpar1:en0:mtu=9000", "vios1:ent5:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes",
		"vios1:ent0:jumbo_frames=yes", "vios2:ent0:jumbo_frames=yes")
	if d := cmp.Diff([]string{"switch-ports", "vios2:ent0:jumbo_frames", "vios2:ent5:jumbo_frames", "vios1:ent0:jumbo_frames",
		"vios1:ent5:jumbo_frames"}, ids(p)); d != "" || len(p.Refused) > 0 {
		t.Fatalf("before the restarts (-want +got), refused %+v:\n%s", p.Refused, d)
	}
	if got := p.Restarts(); !slices.Equal(got, []string{"vios2", "vios1"}) {
		t.Errorf("restarts: got %v, want the backup first", got)
	}
	if p.Next == nil {
		t.Fatal("nothing is planned for the time after the restarts")
	}
	if got := ids(p.Next); !slices.Equal(got, []string{"lpar1:en0:mtu"}) {
		t.Errorf("after the restarts: got %v", got)
	}
	if got := p.AllHosts(); !slices.Equal(got, []string{"lpar1", "vios1", "vios2"}) {
		t.Errorf("hosts: got %v", got)
	}
	var facts []string
	for _, c := range p.Next.Conditions {
		facts = append(facts, c.String())
	}
	if !slices.Contains(facts, "vios1:ent0 jumbo_frames is yes") {
		t.Errorf("conditions of what comes after: got %v, want that vios1 was restarted", facts)
	}
	want := []plan.Proof{{Host: "lpar1", Element: "en0", Login: task.Login{Platform: inventory.AIX},
		Peer: inventory.Ref{Host: "lpar2", Element: "en0"}, To: netip.MustParseAddr("10.0.0.2"), Bytes: 9000,
		Command: "ping -n -c 2 -w 2 -s 8972 10.0.0.2", Via: []string{"vios1", "vios2"}}}
	if d := cmp.Diff(want, p.Next.Proofs, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); d != "" {
		t.Errorf("proofs (-want +got):\n%s", d)
	}
}

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
	if _, err := due(); !errors.Is(err, execute.ErrRestart) || !strings.Contains(err.Error(), "vios1") {
		t.Errorf("before the restart: got %v, want that it waits for vios1", err)
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
	a.Running = a.NextBoot // the restart
	if got, err := due(); got != next || err != nil {
		t.Errorf("after the restart: got %v, %v, want what comes next", got, err)
	}
	look(execute.InForce, "")
	*a = *attrs("large_send=no")["large_send"]
	look(execute.InForce, "") // it was, and is not looked at again
	if got, _, err := r.Journals.Load(run.ID); err != nil || got.Steps[0].PendingState != execute.InForce {
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
		p.Proofs = []plan.Proof{{Host: "lpar1", Element: "en0", Peer: inventory.Ref{Host: "lpar2", Element: "en0"}, Bytes: 9000,
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
