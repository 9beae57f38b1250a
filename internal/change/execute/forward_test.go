package execute_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

// lpars are boxes with an interface each.
func lpars(t *testing.T, n int) []*box {
	t.Helper()
	var out []*box
	for i := range n {
		l, _ := pair(t)
		l.host.Name = fmt.Sprintf("lpar%d", i+1)
		out = append(out, l)
	}
	return out
}

// Hosts whose steps do not depend on each other are changed, and taken back,
// side by side: every host waits until all are at it.
func TestSideBySide(t *testing.T) {
	boxes := lpars(t, 5)
	var desired []string
	for _, b := range boxes {
		desired = append(desired, b.Name()+":en0:mtu_bypass=on")
	}
	p := build(t, boxes, desired...)
	together := func() func(string) {
		var all sync.WaitGroup
		all.Add(len(boxes))
		return func(line string) {
			if !strings.HasPrefix(line, "chdev") {
				return
			}
			all.Done()
			met := make(chan struct{})
			go func() { all.Wait(); close(met) }()
			select {
			case <-met:
			case <-time.After(20 * time.Second):
				t.Error("a host waits in vain for the others")
			}
		}
	}
	meet := together()
	for _, b := range boxes {
		b.onRun = meet
	}
	r := runner(t, boxes...)
	run, err := r.Apply(t.Context(), p)
	if err != nil || run.Outcome != execute.Applied {
		t.Fatalf("apply: got %+v, %v, want applied", run, err)
	}
	meet = together()
	for _, b := range boxes {
		b.onRun = meet
	}
	if run, err = r.Rollback(t.Context(), run.ID); err != nil || run.Outcome != execute.RolledBack {
		t.Fatalf("rollback: got %+v, %v, want rolled-back", run, err)
	}
}

// One host of several that fails: all of them have their earlier values.
func TestOneOfManyFails(t *testing.T) {
	boxes := lpars(t, 4)
	var desired []string
	for _, b := range boxes {
		desired = append(desired, b.Name()+":en0:mtu_bypass=on", b.Name()+":no:sb_max=2097152")
	}
	p := build(t, boxes, desired...)
	boxes[2].fail = map[string]string{"chdev -l en0 -a mtu_bypass=on": "exit"}
	run, err := runner(t, boxes...).Apply(t.Context(), p)
	if err == nil || !strings.Contains(err.Error(), "lpar3") || run.Outcome != execute.RolledBack {
		t.Fatalf("got %+v, %v, want rolled-back since lpar3 failed", run, err)
	}
	for _, b := range boxes {
		if got := state(b.host); got["en0 mtu_bypass"] != "off/off" || got["no sb_max"] != "1048576/1048576" {
			t.Errorf("%s: got %v, want its earlier values", b.Name(), got)
		}
	}
}

// The clients of an SEA are not handed to a mate that has failed since.
func TestMateIsLookedAtBeforeItTakesOver(t *testing.T) {
	for _, c := range []struct {
		name string
		fail func(sea, port *model.Element)
		want string
	}{
		{"healthy", func(sea, port *model.Element) {}, ""},
		{"no longer in the pair", func(sea, port *model.Element) { sea.HAState = "LIMBO" },
			`vios2 ent5 cannot take over: its state is "LIMBO"`},
		{"kept out of it", func(sea, port *model.Element) { sea.Attrs["ha_mode"] = attrs("ha_mode=standby")["ha_mode"] },
			"vios2 ent5 cannot take over: its ha_mode is standby"},
		{"its port is down", func(sea, port *model.Element) { down := false; port.LinkUp = &down },
			"vios2 ent5 cannot take over: the link of ent0 is down"},
	} {
		f := behind(t, "5.14.0")
		p := simulate(t, f, []string{"R020", "R023", "R047"}, "vios1:ent5:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes")
		at := slices.IndexFunc(p.Steps, func(s plan.Step) bool { return s.ID == "vios1:ent5:failover" })
		if at < 0 || len(p.Steps[at].Needs) != 1 {
			t.Fatalf("%s: got steps %v, want a failover that needs its mate", c.name, ids(p))
		}
		need := p.Steps[at].Needs[0]
		mate := f.Host("vios2")
		c.fail(mate.Elements["ent5"], mate.Elements[mate.Elements["ent5"].Real])
		err := need.Holds(mate)
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && !strings.Contains(got, c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// An adapter and its interface that both need the interface down get one
// bounce for both, the adapter's change first; undone the other way round.
func TestOneBounceForAdapterAndInterface(t *testing.T) {
	l, v := pair(t)
	set(l.host.Elements["en0"].Attrs["mtu"], "1400", false)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu=1500", "lpar1:ent0:chksum_offload=yes", "vios1:ent5:largesend=1")
	if got, want := ids(p), []string{"vios1:ent5:largesend", "lpar1:ent0:chksum_offload+en0.mtu"}; !slices.Equal(got, want) {
		t.Fatalf("steps: got %v, want %v", got, want)
	}
	s := p.Steps[1]
	if got, want := strings.Join(s.Do, "; "), "chdev -l en0 -a state=down; chdev -l en0 -a state=detach; chdev -l ent0 -a "+
		"chksum_offload=yes; "+
		"chdev -l en0 -a mtu=1500; chdev -l en0 -a state=up; mkdev -l inet0"; got != want {
		t.Errorf("do: got\n%s\nwant\n%s", got, want)
	}
	if got, want := strings.Join(s.Undo, "; "), "chdev -l en0 -a state=down; chdev -l en0 -a state=detach; chdev -l en0 -a mtu=1400; "+
		"chdev -l ent0 -a chksum_offload=no; chdev -l en0 -a state=up; mkdev -l inet0"; got != want {
		t.Errorf("undo: got\n%s\nwant\n%s", got, want)
	}
	before := state(l.host)
	r := runner(t, l, v)
	run, err := r.Apply(t.Context(), p)
	if err != nil || run.Outcome != execute.Applied {
		t.Fatalf("apply: got %+v, %v, want applied", run, err)
	}
	if got, want := []string{run.Steps[1].Prior[0].Name(), run.Steps[1].Prior[1].Name()}, []string{"chksum_offload",
		"en0 mtu"}; !slices.Equal(got, want) {
		t.Errorf("values before the step, in the journal: got those of %q, want %q", got, want)
	}
	if got := state(l.host); got["en0 mtu"] != "1500/1500" || got["ent0 chksum_offload"] != "yes/yes" {
		t.Errorf("after apply: got %v, want both changed", got)
	}
	if run, err = r.Rollback(t.Context(), run.ID); err != nil || run.Outcome != execute.RolledBack {
		t.Fatalf("rollback: got %+v, %v, want rolled-back", run, err)
	}
	for k, want := range before {
		if got := state(l.host)[k]; got != want {
			t.Errorf("%s after rollback: got %s, want %s", k, got, want)
		}
	}
	// Drift of either stops it.
	set(l.host.Elements["en0"].Attrs["mtu"], "1450", false)
	if _, err := r.Apply(t.Context(), p); err == nil || !strings.Contains(err.Error(), "lpar1 en0: mtu is 1450") {
		t.Errorf("apply after somebody changed en0's mtu: got %v, want drift that names it", err)
	}
	// One lowered, one raised: what is lowered goes first, on its own.
	p = build(t, []*box{l, v}, "lpar1:en0:mtu=1300", "lpar1:ent0:chksum_offload=yes")
	if got := len(p.Steps); got != 2 {
		t.Errorf("lowered and raised: got steps %v, want two", ids(p))
	}
}
