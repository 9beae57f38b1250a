package execute_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"seaworthy/audit/rule"
	"seaworthy/catalog"
	"seaworthy/change/execute"
	"seaworthy/change/plan"
	"seaworthy/inventory"
)

// A pair that has failed over since the plan was made is not changed in the
// plan's order.
func TestConditionsStopApply(t *testing.T) {
	f := behind(t, "5.14.0")
	p := simulate(t, f, []string{"R020", "R023", "R047"}, "vios1:ent5:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes")
	f.Host("vios1").Elements["ent5"].HAState, f.Host("vios2").Elements["ent5"].HAState = "BACKUP", "PRIMARY"
	one, two := &box{host: f.Host("vios1")}, &box{host: f.Host("vios2")}
	_, err := runner(t, one, two).Apply(t.Context(), p)
	if !errors.Is(err, execute.ErrDrift) || !strings.Contains(err.Error(), "ha_state is BACKUP, not PRIMARY") {
		t.Errorf("apply: got %v, want the drift of ha_state", err)
	}
	if n := len(one.log) + len(two.log); n > 0 {
		t.Errorf("%d commands were sent all the same", n)
	}
}

// behind is a pair of VIOSes with an SEA each and a Linux and an AIX client.
func behind(t *testing.T, kernel string) *inventory.Fleet {
	t.Helper()
	one, yes := 1, true
	trunk := func(name string) *inventory.Element {
		return &inventory.Element{Name: name, Kind: inventory.Virtual, PVID: &one, VSwitch: "ETHERNET0", Trunk: &yes, MemberOf: "ent5",
			Attrs: attrs("max_buf_small=2048", "min_buf_small=512")}
	}
	vios := func(name, state string) *inventory.Host {
		return &inventory.Host{Name: name, Platform: inventory.VIOS, User: "padmin", MachineID: "9009-22A*1", IOSLevel: "3.1.4.10",
			Elements: map[string]*inventory.Element{
				"ent0": {Name: "ent0", Kind: inventory.Physical, MemberOf: "ent5", Attrs: attrs("large_receive=no", "jumbo_frames=no",
					"large_send=yes", "chksum_offload=yes")},
				"ent4": trunk("ent4"), "ent6": trunk("ent6"),
				"ent5": {Name: "ent5", Kind: inventory.SEA, Real: "ent0", Trunks: []string{"ent4", "ent6"}, HAState: state,
					Attrs: attrs("large_receive=no", "jumbo_frames=no", "largesend=1", "ha_mode=auto", "adapter_reset=yes")},
			}}
	}
	client := func(name string, p inventory.Platform, level, iface string) *inventory.Host {
		return &inventory.Host{Name: name, Platform: p, MachineID: "9009-22A*1", Level: level, Elements: map[string]*inventory.Element{
			"ent0": {Name: "ent0", Kind: inventory.Virtual, PVID: &one, VSwitch: "ETHERNET0", Attrs: attrs("chksum_offload=yes")},
			"en0": {Name: "en0", Kind: inventory.Interface, On: "ent0", Addrs: prefixes(t, "10.0.0.1/24"), Up: &yes,
				Flags: []string{"UP", "LARGESEND"},
				Attrs: attrs("mtu_bypass=on", "mtu=1500", "state=up")},
		}, Tunables: attrs("net.ipv4.ip_forward=0", "ipforwarding=0")}
	}
	return &inventory.Fleet{Hosts: []*inventory.Host{
		vios("vios1", "PRIMARY"), vios("vios2", "BACKUP"),
		client("lpar1", inventory.AIX, "7200-05-06-2320", "en0"), client("linux1", inventory.Linux, kernel, "eth0"),
	}}
}

func simulate(t *testing.T, f *inventory.Fleet, accept []string, want ...string) *plan.Plan {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rule.Compile(cat.Rules())
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Simulator{Rules: rules, Accept: accept}.Build(context.Background(), f, cat, desired(want...))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(); err != nil {
		t.Errorf("the plan does not hold its own id: %v", err)
	}
	return p
}
