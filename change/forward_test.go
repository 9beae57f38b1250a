package change_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seaworthy/change"
	"seaworthy/inventory"
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
	var wishes []string
	for _, b := range boxes {
		wishes = append(wishes, b.Name()+":en0:mtu_bypass=on")
	}
	p := build(t, boxes, wishes...)
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
	if err != nil || run.Outcome != change.Applied {
		t.Fatalf("apply: got %+v, %v, want applied", run, err)
	}
	meet = together()
	for _, b := range boxes {
		b.onRun = meet
	}
	if run, err = r.Rollback(t.Context(), run.ID); err != nil || run.Outcome != change.RolledBack {
		t.Fatalf("rollback: got %+v, %v, want rolled-back", run, err)
	}
}

// One host of several that fails: all of them have their earlier values.
func TestOneOfManyFails(t *testing.T) {
	boxes := lpars(t, 4)
	var wishes []string
	for _, b := range boxes {
		wishes = append(wishes, b.Name()+":en0:mtu_bypass=on", b.Name()+":no:sb_max=2097152")
	}
	p := build(t, boxes, wishes...)
	boxes[2].fail = map[string]string{"chdev -l en0 -a mtu_bypass=on": "exit"}
	run, err := runner(t, boxes...).Apply(t.Context(), p)
	if err == nil || !strings.Contains(err.Error(), "lpar3") || run.Outcome != change.RolledBack {
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
		fail func(sea, port *inventory.Element)
		want string
	}{
		{"healthy", func(sea, port *inventory.Element) {}, ""},
		{"no longer in the pair", func(sea, port *inventory.Element) { sea.HAState = "LIMBO" }, `vios2 ent5 cannot take over: its state is "LIMBO"`},
		{"kept out of it", func(sea, port *inventory.Element) { sea.Attrs["ha_mode"] = attrs("ha_mode=standby")["ha_mode"] }, "vios2 ent5 cannot take over: its ha_mode is standby"},
		{"its port is down", func(sea, port *inventory.Element) { down := false; port.LinkUp = &down }, "vios2 ent5 cannot take over: the link of ent0 is down"},
	} {
		f := behind(t, "5.14.0")
		p := foresee(t, f, []string{"R020", "R023", "R047"}, "vios1:ent5:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes")
		at := slices.IndexFunc(p.Steps, func(s change.Step) bool { return s.ID == "vios1:ent5:failover" })
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
