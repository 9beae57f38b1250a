package graph_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

func device(kind model.Kind, change ...func(*model.Element)) *model.Element {
	e := &model.Element{Kind: kind, Attrs: map[string]*model.Attr{}}
	for _, f := range change {
		f(e)
	}
	return e
}

func at(list ...string) func(*model.Element) {
	return func(e *model.Element) {
		for _, a := range list {
			e.Addrs = append(e.Addrs, netip.MustParsePrefix(a))
		}
	}
}

func on(name string) func(*model.Element) { return func(e *model.Element) { e.On = name } }

func has(names ...string) func(*model.Element) {
	return func(e *model.Element) { e.Members = names }
}

func vlan(n int) func(*model.Element) {
	return func(e *model.Element) { e.PVID, e.VSwitch = &n, "ETHERNET0" }
}

func machine(name string, p model.Platform, system string, elements map[string]*model.Element, routes ...model.Route) *model.Host {
	for n, e := range elements {
		e.Name = n
	}
	return &model.Host{Name: name, Platform: p, MachineID: system, Elements: elements, Routes: routes}
}

func linuxFleet() *model.Fleet {
	return &model.Fleet{Hosts: []*model.Host{
		machine("virt", model.Linux, "M*1", map[string]*model.Element{
			"lo":   device(model.Interface, at("127.0.0.1/8")),
			"eth0": device(model.Virtual, at("10.0.0.5/24"), vlan(1)),
			"eth1": device(model.Virtual, at("10.9.0.5/24")),
		}),
		machine("bare", model.Linux, "", map[string]*model.Element{
			"eth0": device(model.Physical), "eth1": device(model.Physical), "eth2": device(model.Physical),
			"bond0":   device(model.EtherChannel, has("eth0", "eth1")),
			"bond0.7": device(model.VLANDevice, on("bond0"), at("10.0.0.7/24")),
			"br0":     device(model.Interface, has("eth2", "vnet0"), at("192.0.2.7/24")),
			"vnet0":   device(model.Interface),
			"loop.1":  device(model.VLANDevice, on("loop.2"), at("10.8.0.7/24")),
			"loop.2":  device(model.VLANDevice, on("loop.1")),
		}),
		machine("vios", model.VIOS, "M*1", map[string]*model.Element{
			"ent0": device(model.Physical), "ent1": device(model.Virtual, vlan(1)),
			"ent2": device(model.SEA, func(e *model.Element) { e.Real, e.Trunks = "ent0", []string{"ent1"} }),
		}),
		machine("far", model.Linux, "", map[string]*model.Element{
			"eth0": device(model.Interface, at("172.16.0.9/24")), "eth1": device(model.Interface, at("172.17.0.9/24")),
		}, model.Route{To: netip.MustParsePrefix("10.9.0.0/16"), Gateway: netip.MustParseAddr("172.17.0.1"), Interface: "eth1"},
			model.Route{To: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr("172.16.0.1"), Interface: "eth0"}),
	}}
}

func TestLinuxPaths(t *testing.T) {
	f := linuxFleet()
	f.Host("virt").Routes = []model.Route{{To: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr("10.9.0.1"), Interface: "eth1"}}
	for _, c := range []struct {
		from, to string
		hops     string
		gaps     int
	}{
		// The interface is the adapter: it goes straight to its SEA, and to a VLAN of a bond.
		{"virt", "bare", "virt:eth0 hypervisor-switch vios:ent1 vios:ent2 vios:ent0 ethernet-switch bare:eth1 bare:eth0 bare:bond0 bare:bond0.7", 0},
		// Of a bridge's ports the one that leaves the host.
		{"bare:br0", "far:eth0", "bare:br0 bare:eth2 ethernet-switch far:eth0", 0},
		// No shared subnet: the routes of both say which interfaces meet.
		{"virt", "far", "virt:eth1 hypervisor-switch ethernet-switch far:eth1", 1},
		{"bare:loop.1", "far:eth0", "", 1},
	} {
		p, err := graph.Of(f).Path(c.from, c.to)
		if err != nil {
			t.Fatalf("%s to %s: %v", c.from, c.to, err)
		}
		var hops []string
		for _, h := range p.Hops {
			if h.Ref != nil {
				hops = append(hops, h.Ref.String())
			} else {
				hops = append(hops, h.Kind)
			}
		}
		if diff := cmp.Diff(c.hops, strings.Join(hops, " ")); c.hops != "" && diff != "" {
			t.Errorf("%s to %s (-want +got):\n%s", c.from, c.to, diff)
		}
		if len(p.Gaps) != c.gaps {
			t.Errorf("%s to %s: got gaps %v, want %d", c.from, c.to, p.Gaps, c.gaps)
		}
	}
	for _, c := range [][3]string{
		{"bare:eth9", "virt", "bare has no interface eth9 (it has bond0, bond0.7, br0"},
		{"virt:eth0", "virt:eth0", "both ends"},
		{"nobody", "virt", "was not read"},
		{"vios", "virt", "no interface with an address"},
	} {
		if p, err := graph.Of(f).Path(c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s to %s: got %v, %v; want an error with %q", c[0], c[1], p, err, c[2])
		}
	}
}

// A port VLAN id that Linux does not report is a gap that names who does.
func TestLinuxWithoutVLAN(t *testing.T) {
	f := linuxFleet()
	_, gap := bridgesOf(f, model.Ref{Host: "virt", Element: "eth1"})
	if got := fmt.Sprint(gap); !strings.Contains(got, "HMC") || !strings.Contains(got, "virt:eth1") {
		t.Errorf("got %s, want one that names virt:eth1 and the HMC", got)
	}
}
