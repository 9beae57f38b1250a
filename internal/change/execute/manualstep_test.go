package execute_test

import (
	"encoding/json"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

func TestStepByHand(t *testing.T) {
	a, b, c := cabled(t, "host1", "10.0.0.1", "1500"), cabled(t, "host2", "10.0.0.2", "1500"), cabled(t, "host3", "10.0.0.3", "9000")
	all := []*box{a, b, c}
	p := build(t, all, "host1:en0:mtu=9000", "host2:en0:mtu=9000")
	if d := cmp.Diff([]string{"switch-ports", "host1:en0:mtu", "host2:en0:mtu"}, ids(p)); d != "" {
		t.Fatalf("steps (-want +got), refused %+v:\n%s", p.Refused, d)
	}
	hand := p.Steps[0].Manual
	want := []string{"host1:ent0, MAC address 00:09:6b:00:00:01, location U78-P1-T1", "host2:ent0, MAC address 00:09:6b:00:00:02, location U78-P1-T1",
		"host3:ent0, MAC address 00:09:6b:00:00:03, location U78-P1-T1"}
	if d := cmp.Diff(want, hand.Names()); d != "" || hand.MTU != 9000 {
		t.Errorf("ports for %d bytes (-want +got):\n%s", hand.MTU, d)
	}
	if got := p.Hosts; !slices.Equal(got, []string{"host1", "host2"}) {
		t.Errorf("hosts: got %v, want those that are changed", got)
	}
	// As a file: the same plan comes back.
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	saved := new(plan.Plan)
	if err := json.Unmarshal(text, saved); err != nil {
		t.Fatal(err)
	}
	if err := saved.Check(); err != nil {
		t.Error(err)
	}
	if again := build(t, all, "host2:en0:mtu=9000", "host1:en0:mtu=9000"); again.ID != p.ID {
		t.Errorf("the same desired gave plans %s and %s", p.ID, again.ID)
	}

	r := runner(t, all...)
	_, err = r.Apply(t.Context(), p)
	if !errors.Is(err, execute.ErrManual) || !strings.Contains(err.Error(), "--done switch-ports") || !strings.Contains(err.Error(),
		"host2:ent0, MAC address 00:09:6b:00:00:02") {
		t.Errorf("apply: got %v, want what is to be done where", err)
	}
	if n := len(a.log) + len(b.log); n > 0 {
		t.Errorf("%d commands were run before the ports were done", n)
	}

	// Said to be done: the first pair proves it before the second is begun.
	r.Done = []string{plan.SwitchPorts}
	before := state(a.host)
	run, err := r.Apply(t.Context(), p)
	if err == nil || run.Outcome != execute.RolledBack || len(b.log) > 0 {
		t.Errorf("apply with ports that drop them: got %+v, %v, and on host2 %v, want host1 undone and host2 not begun", run, err, b.log)
	}
	if d := cmp.Diff(before, state(a.host)); d != "" {
		t.Errorf("host1 (-before +after):\n%s", d)
	}
	for _, x := range all {
		x.passes = map[string]bool{"10.0.0.1": true, "10.0.0.2": true, "10.0.0.3": true}
	}
	run, err = r.Apply(t.Context(), p)
	if err != nil || run.Outcome != execute.Applied || run.Steps[0].State != "done" || run.Steps[0].How != "on your word (--done)" {
		t.Fatalf("apply: got %+v, %v, want it applied", run, err)
	}
	if run, err = r.Rollback(t.Context(), run.ID); err != nil || run.Outcome != execute.RolledBack {
		t.Errorf("rollback: got %+v, %v", run, err)
	}
}

// Interfaces that send such packets already show that the ports are done.
func TestPortsShownByPackets(t *testing.T) {
	a, b, c := cabled(t, "host1", "10.0.0.1", "9000"), cabled(t, "host2", "10.0.0.2", "1500"), cabled(t, "host3", "10.0.0.3", "9000")
	b.host.Routes = []model.Route{{To: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr("10.0.0.254"), Interface: "en0"}}
	p := build(t, []*box{a, b, c}, "host2:en0:mtu=9000")
	hand := p.Steps[0].Manual
	if len(hand.Proofs) != 1 || hand.Proofs[0].Command != "ping -n -c 2 -w 2 -s 8972 10.0.0.3" {
		t.Fatalf("proofs: got %+v, want host1 to host3, which send such packets now", hand.Proofs)
	}
	for _, x := range []*box{a, b, c} {
		x.passes = map[string]bool{"10.0.0.1": true, "10.0.0.3": true}
	}
	r := runner(t, a, b, c)
	_, err := r.Apply(t.Context(), p)
	if !errors.Is(err, execute.ErrManual) || !strings.Contains(err.Error(), "done already: host1:ent0, host3:ent0") {
		t.Errorf("apply: got %v, want that only the port of host2 is left", err)
	}
	// A second address of host2 sends them: now its port is shown as well.
	en1 := *b.host.Elements["en0"]
	en1.Name, en1.Attrs, en1.Addrs = "en1", attrs("mtu=9000", "state=up"), prefixes(t, "10.0.0.4/24")
	b.host.Elements["en1"] = &en1
	for _, x := range []*box{a, b, c} {
		x.passes["10.0.0.4"], x.passes["10.0.0.2"] = true, true
	}
	run, err := r.Apply(t.Context(), build(t, []*box{a, b, c}, "host2:en0:mtu=9000"))
	if err != nil || !strings.HasPrefix(run.Steps[0].How, "shown by packets of 9000 bytes") {
		t.Errorf("apply: got %+v, %v, want the ports shown by packets", run, err)
	}
}
