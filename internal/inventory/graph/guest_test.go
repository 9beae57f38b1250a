package graph_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

func driven(name string) func(*model.Element) {
	return func(e *model.Element) { e.Driver = name }
}

func mac(s string) func(*model.Element) { return func(e *model.Element) { e.MAC = s } }

// port makes an element a port of a bridge, with a tag if it is not 0.
func port(of string, tag int) func(*model.Element) {
	return func(e *model.Element) {
		e.MemberOf = of
		if tag > 0 {
			e.PVID = &tag
		}
	}
}

func to(peer string) func(*model.Element) { return func(e *model.Element) { e.Peer = peer } }

func runs(name, mac string) func(*model.Element) {
	return func(e *model.Element) { e.Guest = &model.Guest{Name: name, MAC: mac} }
}

// What leads into a host from a bridge, over patch ports too, whether they meet in a circle.
func TestInner(t *testing.T) {
	f := kvmFleet()
	f.Host("kvm").Elements["vnet1"].Up = new(false)
	g := graph.Of(f)
	for bridge, want := range map[string]string{"br-int": "mgmt vnet0 vnet2", "br-ex": "mgmt vnet0 vnet2", "eno1": ""} {
		e := g.At(model.Ref{Host: "kvm", Element: bridge})
		var got []string
		for _, x := range graph.Inner(e) {
			got = append(got, x.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %s, want %s", bridge, got, want)
		}
	}
}

func learned(macs ...string) func(*model.Element) {
	return func(e *model.Element) { e.Learned = macs }
}

// kvmFleet is a KVM host whose machines are on a bridge for themselves, which a patch
// port joins to the bridge of the port.
func kvmFleet() *model.Fleet {
	guest := func(name, addr, hw string) *model.Host {
		return machine(name, model.Linux, "", map[string]*model.Element{
			"eth0": device(model.Interface, driven("virtio_net"), at(addr), mac(hw)),
			"br0":  device(model.Interface, driven("bridge"), mac(hw), has("veth0")), // of its containers
		})
	}
	ovs, tun := driven(model.OpenVSwitch), driven("tun")
	return &model.Fleet{Hosts: []*model.Host{
		guest("g1", "192.0.2.1/24", "52:54:00:00:00:01"), guest("g2", "192.0.2.2/24", "52:54:00:00:00:02"),
		guest("g3", "192.0.2.3/24", "52:54:00:00:00:03"), guest("g4", "192.0.2.4/24", "52:54:00:00:00:04"),
		guest("g5", "192.0.2.5/24", "52:54:00:00:00:05"), guest("g6", "192.0.2.6/24", "52:54:00:00:00:06"),
		guest("g7", "192.0.2.7/24", "52:54:00:00:00:07"),
		machine("kvm", model.Linux, "", map[string]*model.Element{
			"br-int": device(model.Interface, ovs, has("vnet0", "vnet1", "vnet2", "to-ex")),
			"br-ex":  device(model.Interface, ovs, has("to-int", "eno1", "mgmt"), at("192.0.2.9/24")),
			"to-ex":  device(model.Patch, ovs, to("to-int"), port("br-int", 0)),
			"to-int": device(model.Patch, ovs, to("to-ex"), port("br-ex", 0)),
			"mgmt":   device(model.Interface, ovs, port("br-ex", 7), at("198.51.100.9/24")),
			"eno1":   device(model.Physical, port("br-ex", 0)),
			"vnet0":  device(model.Interface, tun, port("br-int", 0), runs("one", "52:54:00:00:00:01")),
			"vnet1":  device(model.Interface, tun, port("br-int", 0), runs("two", "52:54:00:00:00:02")),
			"vnet2":  device(model.Interface, tun, port("br-int", 5), runs("three", "52:54:00:00:00:03")),
			"vnet4":  device(model.Interface, tun, runs("four", "52:54:00:00:00:04")),
		}),
		machine("direct", model.Linux, "", map[string]*model.Element{
			"eno1":     device(model.Physical),
			"macvtap0": device(model.Interface, driven("macvtap"), on("eno1"), runs("five", "52:54:00:00:00:05")),
		}),
		// Without libvirt, and a bridge for the packet filter of each machine.
		machine("bare", model.Linux, "", map[string]*model.Element{
			"tap6":  device(model.Interface, tun, port("fwbr6", 0), learned("52:54:00:00:00:06", "52:54:00:00:00:06")),
			"tap7":  device(model.Interface, tun, port("vmbr0", 0), learned("52:54:00:00:00:07")),
			"fwbr6": device(model.Interface, driven("bridge"), has("fwln6", "tap6")),
			"fwln6": device(model.Interface, driven("veth"), to("fwpr6"), port("fwbr6", 0)),
			"fwpr6": device(model.Interface, driven("veth"), to("fwln6"), port("vmbr0", 0)),
			"vmbr0": device(model.Interface, driven("bridge"), has("eno1", "fwpr6", "tap7"), at("192.0.2.10/24")),
			"eno1":  device(model.Physical, port("vmbr0", 0)),
		}),
		machine("bare2", model.Linux, "", map[string]*model.Element{
			"tap7": device(model.Interface, tun, port("vmbr0", 0), learned("52:54:00:00:00:07")),
		}),
		machine("kvm2", model.Linux, "", map[string]*model.Element{
			"vnet4": device(model.Interface, tun, runs("four", "52:54:00:00:00:04")),
		}),
		machine("far", model.Linux, "", map[string]*model.Element{"eth0": device(model.Physical, at("192.0.2.8/24", "198.51.100.8/24"))}),
	}}
}

func TestGuestPaths(t *testing.T) {
	f := kvmFleet()
	f.MergeHMC()
	f.MergeHMC() // changes nothing
	for _, c := range [][]string{
		{"g1", "far", "g1:eth0 kvm:vnet0 kvm:br-int kvm:to-ex kvm:to-int kvm:br-ex kvm:eno1 ethernet-switch far:eth0"},
		{"g1", "g2", "g1:eth0 kvm:vnet0 kvm:br-int kvm:vnet1 g2:eth0"},
		{"g1", "kvm:br-ex", "g1:eth0 kvm:vnet0 kvm:br-int kvm:to-ex kvm:to-int kvm:br-ex"},
		{"kvm:br-ex", "g2", "kvm:br-ex kvm:to-int kvm:to-ex kvm:br-int kvm:vnet1 g2:eth0"},
		// Another VLAN of the same bridge: what joins the two is not on this host.
		{"g1", "g3", "g1:eth0 kvm:vnet0 kvm:br-int kvm:to-ex kvm:to-int kvm:br-ex kvm:eno1 ethernet-switch " +
			"kvm:eno1 kvm:br-ex kvm:to-int kvm:to-ex kvm:br-int kvm:vnet2 g3:eth0"},
		{"kvm:mgmt", "far", "kvm:mgmt kvm:br-ex kvm:eno1 ethernet-switch far:eth0"},
		// Without a bridge.
		{"g5", "far", "g5:eth0 direct:macvtap0 direct:eno1 ethernet-switch far:eth0"},
		// By what bridges have learned.
		{"g6", "far", "g6:eth0 bare:tap6 bare:fwbr6 bare:fwln6 bare:fwpr6 bare:vmbr0 bare:eno1 ethernet-switch far:eth0"},
		{"bare:vmbr0", "g6", "bare:vmbr0 bare:fwpr6 bare:fwln6 bare:fwbr6 bare:tap6 g6:eth0"},
		{"g7", "far", "g7:eth0 ethernet-switch far:eth0", "g7:eth0"},
		// Two hosts say that they run it.
		{"g4", "far", "g4:eth0 ethernet-switch far:eth0", "g4:eth0"},
	} {
		p, err := graph.Of(f).Path(c[0], c[1])
		if err != nil {
			t.Fatalf("%s to %s: %v", c[0], c[1], err)
		}
		var hops []string
		for _, h := range p.Hops {
			if h.Ref != nil {
				hops = append(hops, h.Ref.String())
			} else {
				hops = append(hops, h.Kind)
			}
		}
		var gaps []string
		for _, g := range p.Gaps {
			gaps = append(gaps, g.What)
		}
		if got := strings.Join(hops, " "); got != c[2] || !slices.Equal(gaps, c[3:]) {
			t.Errorf("%s to %s, gaps %v:\n got %s\nwant %s", c[0], c[1], p.Gaps, got, c[2])
		}
	}
}

// A tap device whose bridge has learned the address of a machine that was read is that
// machine's, and its frames leave by the port behind both bridges.
func TestLearnedGuest(t *testing.T) {
	f := kvmFleet()
	f.MergeHMC()
	if g := f.Element(model.Ref{Host: "bare", Element: "tap6"}).Guest; g == nil || *g != (model.Guest{Name: "g6", MAC: "52:54:00:00:00:06", Learned: true}) {
		t.Errorf("tap6: got %+v, want g6", g)
	}
	if g := f.Element(model.Ref{Host: "bare", Element: "tap7"}).Guest; g != nil {
		t.Errorf("tap7, whose address two hosts have learned: got %+v, want none", g)
	}
	ports, gaps := graph.Of(f).At(model.Ref{Host: "g6", Element: "eth0"}).Uplinks()
	if len(ports) != 1 || ports[0].String() != "bare:eno1" || len(gaps) > 0 {
		t.Errorf("uplinks: got %v, %v, want bare:eno1", ports, gaps)
	}
}

// A network of libvirt that translates addresses has no port: the host's routes decide; a
// tunnel's packets leave by the device below it.
func TestGuestPathOverNetworkOrTunnel(t *testing.T) {
	f := kvmFleet()
	f.MergeHMC()
	bridge, port := f.Host("kvm").Elements["br-ex"], f.Host("kvm").Elements["eno1"]
	bridge.Members = []string{"to-int"}
	nat := "nat"
	bridge.Attrs = map[string]*model.Attr{"libvirt-forward": {Running: &nat}}
	p, err := graph.Of(f).Path("g1", "far")
	if err != nil || len(p.Gaps) != 1 || p.Gaps[0].What != "kvm:br-ex" || !strings.Contains(p.Gaps[0].Why, "the host's routes (nat)") {
		t.Errorf("network: got gaps %v, %v, want one of kvm:br-ex", p.Gaps, err)
	}
	bridge.Attrs, port.MemberOf, bridge.Members = nil, "", []string{"to-int", "vx0"}
	f.Host("kvm").Elements["vx0"] = &model.Element{Name: "vx0", Kind: model.TunnelPort, Driver: model.OpenVSwitch, MemberOf: "br-ex", On: "eno1"}
	p, err = graph.Of(f).Path("g1", "far")
	if err != nil || len(p.Gaps) > 0 || len(p.Hops) < 8 || p.Hops[6].Ref.String()+" "+p.Hops[7].Ref.String() != "kvm:vx0 kvm:eno1" {
		t.Errorf("tunnel: got %+v, %v, want a path over kvm:vx0 and kvm:eno1", p, err)
	}
}

// A part of a fleet may lack the machine's host.
func TestGuestWithoutItsHost(t *testing.T) {
	f := kvmFleet()
	f.MergeHMC()
	f.Hosts = append(f.Hosts[:1:1], f.Host("far"))
	p, err := graph.Of(f).Path("g1", "far")
	if err != nil || len(p.Gaps) != 1 || !strings.Contains(p.Gaps[0].What, "kvm:vnet0") {
		t.Errorf("got %+v, %v, want a gap that names kvm:vnet0", p, err)
	}
}

// A folder may hold a host of several days: what its last alone has is not looked for in its first.
func TestGuestOfSeveralDays(t *testing.T) {
	port := &model.Element{Name: "eth1", Kind: model.Interface, MAC: "52:54:00:00:00:99"}
	tap := &model.Element{Name: "vnet1", Kind: model.Interface, TapFacts: model.TapFacts{Learned: []string{port.MAC}}}
	f := model.Fleet{Hosts: []*model.Host{
		{Name: "kvm"}, {Name: "guest"},
		{Name: "kvm", Elements: map[string]*model.Element{tap.Name: tap}},
		{Name: "guest", Elements: map[string]*model.Element{port.Name: port}},
	}}
	f.MergeHMC()
	if port.Tap == nil || *port.Tap != (model.Ref{Host: "kvm", Element: "vnet1"}) {
		t.Errorf("tap of eth1: got %v, want kvm:vnet1", port.Tap)
	}
}
