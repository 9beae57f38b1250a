package replica_test

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/lab/replica"
	"seaworthy/lab/topology"
)

func value(v string) *model.Attr { return &model.Attr{Running: &v, NextBoot: &v} }

// fleet is a VIOS with an SEA over an EtherChannel, and its client.
func fleet() *model.Fleet {
	lpar := &model.Host{Name: "LPAR_1", Platform: model.AIX, MachineID: "9009-22A*7812345", Level: "7200-05-03-2148",
		Partition: model.Partition{Number: new(3), Entitled: new(1.5), VirtualCPUs: new(4), Mode: "Uncapped"},
		Routes:    []model.Route{{To: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr("192.0.2.1"), Interface: "en0"}},
		Tunables:  map[string]*model.Attr{"sb_max": value("4194304"), "nobody_knows": value("1")},
		Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Virtual, MAC: "aa:bb:cc:00:00:01", VirtualFacts: model.VirtualFacts{PVID: new(10), VSwitch: "ETHERNET0"}},
			"en0": {Name: "en0", Kind: model.Interface, On: "ent0", Addrs: []netip.Prefix{netip.MustParsePrefix("192.0.2.11/24")},
				Attrs: map[string]*model.Attr{"mtu_bypass": {Running: new("off"), NextBoot: new("on")}, "mtu": value("9000")}},
		}}
	vios := &model.Host{Name: "vios1", Platform: model.VIOS, MachineID: lpar.MachineID, Level: "7200-05-03-2148", IOSLevel: "3.1.2.21",
		Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Physical, PortFacts: model.PortFacts{SpeedMb: new(int64(25000))},
				Attrs: map[string]*model.Attr{"jumbo_frames": value("yes")}},
			"ent1": {Name: "ent1", Kind: model.Physical, Attrs: map[string]*model.Attr{"jumbo_frames": value("yes")},
				PortFacts: model.PortFacts{SpeedMb: new(int64(25000))}},
			"ent2": {Name: "ent2", Kind: model.EtherChannel, Members: []string{"ent0", "ent1"},
				Attrs: map[string]*model.Attr{"mode": value("8023ad")}},
			"ent4": {Name: "ent4", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: new(10), VLANs: []int{20}, Trunk: new(true),
				Priority: new(2), VSwitch: "ETHERNET0"}},
			"ent5": {Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent2", Trunks: []string{"ent4"}}},
		}}
	return &model.Fleet{Hosts: []*model.Host{lpar, vios}}
}

var loadKnowledge = sync.OnceValues(knowledge.Load)

func knowledgeOf(t *testing.T) *knowledge.Catalog {
	t.Helper()
	c, err := loadKnowledge()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func made(t *testing.T, f *model.Fleet, o replica.Options) (*replica.Copy, *topology.Topology) {
	t.Helper()
	c, err := replica.Of(f, knowledgeOf(t), o)
	if err != nil {
		t.Fatal(err)
	}
	top, err := topology.Parse("copy.yaml", c.Text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, c.Text)
	}
	return c, top
}

func TestCopy(t *testing.T) {
	c, top := made(t, fleet(), replica.Options{})
	if c.Nodes["LPAR_1"] != "lpar-1" {
		t.Errorf("nodes %v, want lpar-1 for LPAR_1", c.Nodes)
	}
	_, lpar, _ := top.Node("lpar-1")
	system, vios, _ := top.Node("vios1")
	if lpar == nil || vios == nil {
		t.Fatalf("no node lpar-1 or vios1 in\n%s", c.Text)
	}
	if system.Model != "9009-22A" || system.Serial != "7812345" || len(system.Nodes) != 2 || lpar.Number != 3 || lpar.Entitled != 1.5 {
		t.Errorf("system %s %s with %d nodes, lpar-1 is number %d with %v cores", system.Model, system.Serial, len(system.Nodes), lpar.Number, lpar.Entitled)
	}
	if a := lpar.Adapter("ent0"); a.PVID != 10 || a.MAC != "aa:bb:cc:00:00:01" {
		t.Errorf("ent0 of lpar-1: %+v", a)
	}
	if en := lpar.Interfaces[0]; en.Address.String() != "192.0.2.11/24" || en.Gateway.String() != "192.0.2.1" {
		t.Errorf("en0 of lpar-1: %+v", en)
	}
	if lpar.Set["en0"]["mtu"] != "9000" || lpar.NextBoot["en0"]["mtu_bypass"] != "on" || lpar.Set["en0"]["mtu_bypass"] != "" {
		t.Errorf("settings of lpar-1: %v, next boot %v", lpar.Set, lpar.NextBoot)
	}
	if lpar.Tunables["sb_max"] != "4194304" {
		t.Errorf("options of lpar-1: %v", lpar.Tunables)
	}
	trunk := vios.Adapter("ent4")
	if !trunk.Trunk || trunk.Priority != 2 || len(trunk.VLANs) != 1 || trunk.VLANs[0] != 20 {
		t.Errorf("ent4 of vios1: %+v", trunk)
	}
	for _, p := range top.Switch.Ports {
		if p.LAG == "" || p.LineRate != 25e9 || p.MTU != 9000 {
			t.Errorf("switch port %+v, want 25 Gbit/s, 9000 bytes, aggregated", p)
		}
	}
}

// What is not as read is said: each change of the fleet gives a part with these words.
func TestParts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(lpar, vios *model.Host)
		fate   replica.Fate
		what   string
		why    string
	}{
		"vNIC":          {func(l, _ *model.Host) { l.Elements["ent0"].Kind = model.VNIC }, replica.StandsIn, "LPAR_1:ent0", "vNIC"},
		"PVID not read": {func(l, _ *model.Host) { l.Elements["ent0"].PVID = nil }, replica.Assumed, "LPAR_1:ent0", "port VLAN was not read"},
		"speed not read": {func(_, v *model.Host) {
			v.Elements["ent1"].SpeedMb = nil
			v.Elements["ent0"].SpeedMb = new(int64(10000))
		},
			replica.Assumed, "vios1:ent1", "speed was not read"},
		"other switch": {func(_, v *model.Host) {
			v.Elements["ent6"] = &model.Element{Name: "ent6", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: new(1), VSwitch: "VSW2"}}
		}, replica.LeftOut, "vios1:ent6", "hypervisor switch VSW2"},
		"adapter of two": {func(_, v *model.Host) {
			v.Elements["ent7"] = &model.Element{Name: "ent7", Kind: model.EtherChannel, Members: []string{"ent1"}}
		}, replica.LeftOut, "vios1:ent7", "belongs to ent2, too"},
		"no members": {func(_, v *model.Host) { v.Elements["ent2"].Members = nil }, replica.LeftOut, "vios1:ent5", "ent2 below it is not in the copy"},
		"IPv6": {func(l, _ *model.Host) {
			l.Elements["en0"].Addrs = []netip.Prefix{netip.MustParsePrefix("2001:db8::1/64")}
		}, replica.LeftOut, "LPAR_1:en0", "2001:db8::1/64"},
		"address twice": {func(_, v *model.Host) {
			v.Elements["en5"] = &model.Element{Name: "en5", Kind: model.Interface, On: "ent5", Addrs: []netip.Prefix{netip.MustParsePrefix("192.0.2.11/24")}}
		}, replica.LeftOut, "vios1:en5", "LPAR_1:en0 has it"},
		"level not read": {func(l, _ *model.Host) { l.Level = "" }, replica.Assumed, "LPAR_1", "level was not read"},
		"LACP partner": {func(_, v *model.Host) {
			for _, name := range []string{"ent0", "ent1"} {
				v.Elements[name].Attrs["partner_system"] = value("00:11:22:33:44:55")
			}
		}, replica.AsRead, "vios1:ent2", "00:11:22:33:44:55 is their LACP partner"},
		"no LACP partner": {func(_, v *model.Host) {
			v.Elements["ent0"].Attrs["partner_system"] = value("00:11:22:33:44:55")
			v.Elements["ent1"].Attrs["partner_system"] = value("00:00:00:00:00:00")
		}, replica.Assumed, "vios1:ent2", "the switch aggregates its ports"},
		"system not read":  {func(l, _ *model.Host) { l.MachineID = "" }, replica.Assumed, "LPAR_1", "managed system was not read"},
		"unknown option":   {func(_, _ *model.Host) {}, replica.LeftOut, "LPAR_1", "no nobody_knows"},
		"value not taken":  {func(l, _ *model.Host) { l.Elements["en0"].Attrs["mtu"] = value("70000") }, replica.LeftOut, "LPAR_1", "en0 mtu=70000"},
		"settings unread":  {func(l, _ *model.Host) { l.Elements["en0"].Attrs = nil }, replica.Assumed, "LPAR_1", "have their defaults"},
		"routes not read":  {func(l, _ *model.Host) { l.Routes = nil }, replica.Assumed, "LPAR_1", "routes were not read"},
		"no default route": {func(l, _ *model.Host) { l.Routes = []model.Route{} }, replica.Assumed, "LPAR_1", "a default route, which it does not have"},
		"nothing of it":    {func(l, _ *model.Host) { l.Elements = nil }, replica.LeftOut, "LPAR_1", "nothing of it was read"},
	} {
		t.Run(name, func(t *testing.T) {
			f := fleet()
			c.change(f.Hosts[0], f.Hosts[1])
			got, _ := made(t, f, replica.Options{})
			for _, p := range got.Parts {
				if p.Fate == c.fate && p.What == c.what && strings.Contains(p.Why, c.why) {
					return
				}
			}
			t.Errorf("no part %q of %s with %q:\n%v", c.fate, c.what, c.why, got.Parts)
		})
	}
}

// The path between hosts is whole only where none of their parts is left out.
func TestReached(t *testing.T) {
	f := fleet()
	c, _ := made(t, f, replica.Options{SwitchMTU: 1500})
	if missing := c.Reached([]string{"LPAR_1"}); len(missing) > 0 {
		t.Errorf("missing: %v", missing)
	}
	f.Hosts[1].Elements["ent2"].Members = nil
	c, _ = made(t, f, replica.Options{})
	if missing := c.Reached([]string{"vios1", "elsewhere"}); len(missing) != 3 {
		t.Errorf("missing: %v, want ent2, ent5 and the host elsewhere", missing)
	}
}

// Hosts that nothing needs are left out, and said to be; the VIOSes of those that are asked for stay.
func TestNeeded(t *testing.T) {
	plain := func(name, machine, address string, pvid int) *model.Host {
		return &model.Host{Name: name, Platform: model.AIX, MachineID: machine, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: &pvid, VSwitch: "ETHERNET0"}},
			"en0":  {Name: "en0", Kind: model.Interface, On: "ent0", Addrs: []netip.Prefix{netip.MustParsePrefix(address)}}}}
	}
	f := fleet()
	machine := f.Hosts[0].MachineID
	f.Hosts = append(f.Hosts, plain("lpar2", machine, "192.0.2.12/24", 10), plain("lpar3", machine, "198.51.100.3/24", 30),
		plain("lpar4", "9009-22A*7899999", "192.0.2.14/24", 10), plain("lpar5", machine, "203.0.113.5/24", 20))
	for name, c := range map[string]struct {
		options replica.Options
		want    string
	}{
		"all":                   {replica.Options{}, "LPAR_1 lpar2 lpar3 lpar4 lpar5 vios1"},
		"a path":                {replica.Options{Hosts: []string{"LPAR_1", "lpar4"}}, "LPAR_1 lpar4 vios1"},
		"a VIOS is changed":     {replica.Options{Touched: []string{"vios1"}}, "LPAR_1 lpar2 lpar5 vios1"},
		"a partition is":        {replica.Options{Touched: []string{"LPAR_1"}}, "LPAR_1 lpar2 lpar4 vios1"},
		"one without neighbour": {replica.Options{Touched: []string{"lpar3"}}, "lpar3"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := made(t, f, c.options)
			if names := strings.Join(slices.Sorted(maps.Keys(got.Nodes)), " "); names != c.want {
				t.Errorf("got %s, want %s", names, c.want)
			}
			said := slices.ContainsFunc(got.Parts, func(p replica.Part) bool { return strings.Contains(p.Why, "--all takes them") })
			if len(got.Nodes)+len(got.NotNeeded) != len(f.Hosts) || said != (len(got.NotNeeded) > 0) {
				t.Errorf("%d hosts built, not needed %v, said %v", len(got.Nodes), got.NotNeeded, said)
			}
		})
	}
}

// A host that was not read but is known from elsewhere is a silent node, or it is said why not.
func TestSilent(t *testing.T) {
	neighbour := model.Neighbour{Address: netip.MustParseAddr("192.0.2.77"), MAC: "aa:bb:cc:00:00:77"}
	listed := func(name string, pvid *int) func(*model.Fleet) {
		return func(f *model.Fleet) {
			a := model.AdapterProfile{Kind: model.Virtual, System: f.Hosts[0].MachineID, LPAR: name, MAC: neighbour.MAC, PVID: pvid, Trunk: new(false)}
			f.HMCs = []*model.HMC{{Name: "hmc1", Adapters: []model.AdapterProfile{a}}}
			f.Hosts[0].Learnt = []model.Neighbour{neighbour}
		}
	}
	client := func(c model.SEAClient) func(*model.Fleet) {
		return func(f *model.Fleet) { f.Hosts[1].Elements["ent5"].Clients = []model.SEAClient{c} }
	}
	for name, c := range map[string]struct {
		change  func(f *model.Fleet)
		options replica.Options
		node    string // empty: none
		address string
		part    string
	}{
		"listed":      {listed("lpar7", new(10)), replica.Options{}, "lpar7", "192.0.2.77/24", "stands in lpar7 HMC hmc1 lists it"},
		"no VLAN":     {listed("lpar7", nil), replica.Options{}, "host-192-0-2-77", "192.0.2.77/24", "left out lpar7 HMC hmc1 lists it, without the port VLAN"},
		"a path":      {listed("lpar7", new(10)), replica.Options{Hosts: []string{"LPAR_1"}}, "", "", ""},
		"a change":    {listed("lpar7", new(20)), replica.Options{Touched: []string{"vios1"}}, "lpar7", "192.0.2.77/24", "stands in lpar7"},
		"not touched": {listed("lpar7", new(77)), replica.Options{Touched: []string{"vios1"}}, "", "", ""},
		"a client of an SEA": {client(model.SEAClient{MAC: neighbour.MAC, VLAN: new(20)}), replica.Options{}, "client-aabbcc000077", "",
			"assumed client-aabbcc000077 it has no address"},
		"a client that was read": {client(model.SEAClient{MAC: "AA:BB:CC:00:00:01"}), replica.Options{}, "", "", ""},
		"of an ARP table": {func(f *model.Fleet) { f.Hosts[0].Learnt = []model.Neighbour{neighbour} }, replica.Options{}, "host-192-0-2-77",
			"192.0.2.77/24", "stands in host-192-0-2-77 LPAR_1 has 192.0.2.77 in its ARP table"},
		"the gateway": {func(f *model.Fleet) {
			f.Hosts[0].Learnt = []model.Neighbour{{Address: netip.MustParseAddr("192.0.2.1"), MAC: neighbour.MAC}}
		}, replica.Options{}, "", "", ""},
		"in a tagged VLAN": {func(f *model.Fleet) {
			f.Hosts[0].Learnt = []model.Neighbour{neighbour}
			f.Hosts[0].Elements["ent0"].PVID = new(20)
		}, replica.Options{}, "", "", "left out host-192-0-2-77 LPAR_1 has it in its ARP table, in a VLAN that is tagged"},
	} {
		t.Run(name, func(t *testing.T) {
			f := fleet()
			c.change(f)
			got, top := made(t, f, c.options)
			found, address := "", ""
			for _, n := range top.Hosts() {
				if n.OS != topology.Linux {
					continue
				}
				found = n.Name
				for _, i := range n.Interfaces {
					address = i.Address.String()
				}
			}
			if found != c.node || address != c.address {
				t.Errorf("silent node %q with address %q, want %q with %q", found, address, c.node, c.address)
			}
			said := func(p replica.Part) bool {
				return strings.HasPrefix(fmt.Sprintf("%s %s %s", p.Fate, p.What, p.Why), c.part)
			}
			if c.part != "" && !slices.ContainsFunc(got.Parts, said) {
				t.Errorf("no part %q:\n%v", c.part, got.Parts)
			}
		})
	}
}

// Readings that contradict each other give a copy without what does not fit, and each part is said.
func TestContradictions(t *testing.T) {
	another := func(f *model.Fleet, switchName string) *model.Host {
		trunk := *f.Hosts[1].Elements["ent4"]
		trunk.VSwitch = switchName
		return &model.Host{Name: "vios2", Platform: model.VIOS, MachineID: f.Hosts[0].MachineID, Elements: map[string]*model.Element{"ent4": &trunk}}
	}
	for name, c := range map[string]struct {
		change func(f *model.Fleet)
		part   string
	}{
		"priority of two": {func(f *model.Fleet) { f.Hosts = append(f.Hosts, another(f, "ETHERNET0")) },
			"left out vios2:ent4 node vios2 ent4: trunk priority 2 on VLAN 10 belongs to vios1 ent4"},
		"two hypervisor switches": {func(f *model.Fleet) { f.Hosts = append(f.Hosts, another(f, "SECOND")) }, "stands in system2 hypervisor switch SECOND"},
		"systems not read": {func(f *model.Fleet) {
			f.Hosts = append(f.Hosts, another(f, "ETHERNET0"))
			for _, h := range f.Hosts {
				h.MachineID = ""
			}
		}, "assumed vios2 its managed system was not read"},
		"control channel on a trunk": {func(f *model.Fleet) {
			trunk := *f.Hosts[1].Elements["ent4"]
			trunk.Name, trunk.PVID, trunk.VLANs = "ent6", new(99), nil
			f.Hosts[1].Elements["ent6"] = &trunk
			f.Hosts[1].Elements["ent5"].Control = "ent6"
		}, `left out vios1:ent5 node vios1 ent5: ctl_chan "ent6"`},
		"an SEA of a client": {func(f *model.Fleet) { f.Hosts[1].Platform = model.AIX }, "left out vios1:ent5 node vios1 ent5: an SEA belongs to a vios"},
		"too many VLANs": {func(f *model.Fleet) {
			for v := range 40 {
				f.Hosts[1].Elements["ent4"].VLANs = append(f.Hosts[1].Elements["ent4"].VLANs, 100+v)
			}
		}, "left out vios1:ent4 node vios1 ent4: 41 tagged VLANs"},
		"the network's own address": {func(f *model.Fleet) {
			f.Hosts[0].Elements["en0"].Addrs = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
		}, "left out LPAR_1:en0 "},
	} {
		t.Run(name, func(t *testing.T) {
			f := fleet()
			c.change(f)
			got, _ := made(t, f, replica.Options{})
			said := func(p replica.Part) bool {
				return strings.HasPrefix(fmt.Sprintf("%s %s %s", p.Fate, p.What, p.Why), c.part)
			}
			if !slices.ContainsFunc(got.Parts, said) {
				t.Errorf("no part %q:\n%v", c.part, got.Parts)
			}
		})
	}
}

func TestNothingToBuild(t *testing.T) {
	_, err := replica.Of(&model.Fleet{Hosts: []*model.Host{{Name: "x", Platform: model.Unknown}}}, nil, replica.Options{})
	if !errors.Is(err, replica.ErrNothing) {
		t.Errorf("got %v, want %v", err, replica.ErrNothing)
	}
}

// linuxHost has a bond of two ports with a VLAN device and a second address, and a virtual adapter with a VLAN device.
func linuxHost() *model.Host {
	running := func(v string) *model.Attr { return &model.Attr{Running: &v} }
	port := func(name string) *model.Element {
		return &model.Element{Name: name, Kind: model.Physical, MemberOf: "bond0", PortFacts: model.PortFacts{SpeedMb: new(int64(25000))},
			Attrs: map[string]*model.Attr{"rings": running("512"), "tso": running("off"), "lro": running("off")}}
	}
	return &model.Host{Name: "linux1", Platform: model.Linux, Routes: []model.Route{}, MachineID: "9009-22A*7812345",
		Tunables: map[string]*model.Attr{"net.ipv4.ip_local_port_range": running("20000\t60999"), "net.core.netdev_budget": running("300")},
		Elements: map[string]*model.Element{
			"eth0": {Name: "eth0", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: new(10), VSwitch: "ETHERNET0"}},
			"eth0.20": {Name: "eth0.20", Kind: model.VLANDevice, On: "eth0", VirtualFacts: model.VirtualFacts{VLANs: []int{20}},
				Addrs: []netip.Prefix{netip.MustParsePrefix("198.51.100.1/25")}},
			"eth1": port("eth1"), "eth2": port("eth2"),
			"bond0": {Name: "bond0", Kind: model.EtherChannel, Members: []string{"eth1", "eth2"},
				Addrs: []netip.Prefix{netip.MustParsePrefix("203.0.113.5/28"), netip.MustParsePrefix("203.0.113.6/28")},
				Attrs: map[string]*model.Attr{"bonding-mode": running("802.3ad"), "miimon": running("50"), "xmit_hash_policy": running("layer2+3"),
					"lacp_rate": running("fast"), "ad_partner_mac": running("00:11:22:33:44:55"), "primary": running("eth1")}},
			"bond0.100": {Name: "bond0.100", Kind: model.VLANDevice, On: "bond0", VirtualFacts: model.VirtualFacts{VLANs: []int{100}},
				Attrs: map[string]*model.Attr{"mtu": running("9000")}, Addrs: []netip.Prefix{netip.MustParsePrefix("203.0.113.33/30")}},
		}}
}

// A Linux host's bond is built with its settings where the kernel makes bonds; elsewhere a port stands in, as fast as its
// ports together. VLAN devices stand on ports and adapters of their own.
func TestLinuxCopy(t *testing.T) {
	for name, c := range map[string]struct {
		none  bool // no bonds
		kind  topology.AdapterKind
		lines []string // node of the adapter: what, why
	}{
		"bonding": {false, topology.Bond, []string{"as read linux1:bond0 the switch aggregates its ports: 00:11:22:33:44:55",
			"left out linux1 settings that a Linux host of the lab has as this machine does (2): bond0 primary, net.core.netdev_budget",
			"left out linux1 settings of drivers (2), since a lab's ports are virtual cables without rings"}},
		"no bonding": {true, topology.Physical, []string{"stands in linux1:bond0 this machine's kernel has no bonding driver: one port in place of " +
			"its ports eth1, eth2"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := fleet()
			f.Hosts = append(f.Hosts, linuxHost())
			got, top := made(t, f, replica.Options{NoBonding: c.none})
			var n *topology.Node
			for _, o := range top.Hosts() {
				if o.Name == "linux1" {
					n = o
				}
			}
			if n == nil || n.Adapter("bond0") == nil || n.Adapter("bond0.100") == nil || n.Adapter("eth0.20") == nil {
				t.Fatalf("linux1 lacks bond0, bond0.100 or eth0.20:\n%s", got.Text)
			}
			bond, vlan := n.Adapter("bond0"), n.Adapter("bond0.100")
			if bond.Kind != c.kind || (n.Adapter("eth1") == nil) != c.none {
				t.Errorf("bond0 is a %s; eth1: %v", bond.Kind, n.Adapter("eth1"))
			}
			if c.none && bond.LineRate != 50e9 || !c.none && (bond.Mode != topology.LACP || n.Set["bond0"]["miimon"] != "50" ||
				n.Set["bond0"]["xmit_hash_policy"] != "layer2+3" || n.Set["bond0"]["lacp_rate"] != "fast") {
				t.Errorf("bond0 is %+v with %v", bond, n.Set["bond0"])
			}
			at := slices.IndexFunc(top.Switch.Ports, func(p topology.Port) bool { return p.Name == vlan.Port })
			if at < 0 || top.Switch.Ports[at].VLAN != 100 || n.Set["bond0.100"]["mtu"] != "9000" {
				t.Errorf("bond0.100 is %+v with %v", vlan, n.Set["bond0.100"])
			}
			if a := n.Adapter("eth0.20"); a.Kind != topology.Virtual || a.PVID != 20 {
				t.Errorf("eth0.20 is %+v", a)
			}
			if n.Sysctls["net.ipv4.ip_local_port_range"] != "20000 60999" {
				t.Errorf("options %v", n.Sysctls)
			}
			var addresses []string
			for _, i := range n.Interfaces {
				for _, p := range i.Addresses() {
					addresses = append(addresses, i.Name+" "+p.String())
				}
			}
			want := "bond0 203.0.113.5/28, bond0 203.0.113.6/28, bond0.100 203.0.113.33/30, eth0.20 198.51.100.1/25"
			slices.Sort(addresses)
			if strings.Join(addresses, ", ") != want {
				t.Errorf("addresses %q, want %s", addresses, want)
			}
			for _, line := range c.lines {
				said := func(p replica.Part) bool {
					return strings.HasPrefix(fmt.Sprintf("%s %s %s", p.Fate, p.What, p.Why), line)
				}
				if !slices.ContainsFunc(got.Parts, said) {
					t.Errorf("no part %q:\n%v", line, got.Parts)
				}
			}
		})
	}
}
