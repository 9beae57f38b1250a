package pathmtu

import (
	"context"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

const gate = "10.0.0.254"

func gateway(hosts []*model.Host, names ...string) {
	for _, h := range hosts {
		for _, n := range names {
			if h.Name == n {
				h.Routes = []model.Route{{To: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr(gate), Interface: "en0"}}
			}
		}
	}
}

func TestWitnessesWithoutLogin(t *testing.T) {
	const arp = "  ? (10.0.0.77) at 0:9:6b:2e:1:7 [ethernet] stored in bucket 3\n  ? (10.0.0.78) at 32:43:1:1:0:0 [ethernet] stored " +
		"in bucket 4\n"
	a, b := map[string]int{"a": 1500, "b": 9000}, map[string]int{"a": 9000, "b": 1500}
	for _, c := range []struct {
		name     string
		port     map[string]int
		third    map[string]third
		arp      string
		route    []string
		trunk    int
		change   func(a, b *model.Host)
		suspects []string
		shows    []string
	}{
		{name: "gateway, b's port", port: b, third: map[string]third{gate: {mtu: 9216}}, route: []string{"a", "b"},
			suspects: []string{"the switch port of b:ent0"}, shows: []string{gate + " takes them from a, not from b"}},
		{name: "gateway, a's port", port: a, third: map[string]third{gate: {mtu: 9216}}, route: []string{"a", "b"},
			suspects: []string{"the switch port of a:ent0"}, shows: []string{gate + " takes them from b, not from a"}},
		{name: "only one of them has a route", port: a, third: map[string]third{gate: {mtu: 9216}}, route: []string{"b"},
			suspects: []string{"the switch port of a:ent0"}, shows: []string{gate + " takes them from b, not from a"}},
		{name: "a gateway of 1500 says nothing", port: a, third: map[string]third{gate: {mtu: 1500}}, route: []string{"a", "b"},
			suspects: []string{"the switch port of a:ent0", "the switch port of b:ent0"}, shows: []string{gate + " answers none: it may not " +
				"take them itself, so this shows nothing"}},
		{name: "a neighbour instead, not that of a partition", port: b, third: map[string]third{gate: {mtu: 1500},
			"10.0.0.77": {mtu: 9000}, "10.0.0.78": {mtu: 9000}}, arp: arp, route: []string{"a", "b"},
			suspects: []string{"the switch port of b:ent0"}, shows: []string{gate + " answers none: it may not take them itself, so this " +
				"shows nothing", "10.0.0.77 takes them from a, not from b"}},
		{name: "a neighbour that does not answer b at all", port: a, third: map[string]third{"10.0.0.77": {mtu: 9000, deaf: "b"}}, arp: arp,
			suspects: []string{"the switch port of a:ent0", "the switch port of b:ent0"}, shows: []string{"10.0.0.77 answers none: it may " +
				"not take them itself, so this shows nothing"}},
		{name: "deaf to b, takes those of a", port: b, third: map[string]third{"10.0.0.77": {mtu: 9000, deaf: "b"}}, arp: arp,
			suspects: []string{"the switch port of b:ent0"}, shows: []string{"10.0.0.77 takes them from a"}},
		{name: "a link inside", port: map[string]int{"a": 9000, "b": 9000}, trunk: 1500, third: map[string]third{gate: {mtu: 9216}},
			route: []string{"a", "b"},
			suspects: []string{"a link inside the network, between the switch port of a:ent0 and the switch port of " +
				"b:ent0"}, shows: []string{gate + " takes them from both"}},
		{name: "a neighbour that may be the own VIOS's", port: b, third: map[string]third{"10.0.0.77": {mtu: 9000}}, arp: arp,
			change:   func(a, b *model.Host) { virtual(a); virtual(b) },
			suspects: []string{"the switch port of what carries a:en0", "the switch port of what carries b:en0"}},
		{name: "nobody", port: b, suspects: []string{"the switch port of a:ent0", "the switch port of b:ent0"}},
		{name: "several ports below a: one passes, another may not", port: map[string]int{"a": 9000, "b": 9000}, trunk: 1500,
			third: map[string]third{gate: {mtu: 9216}}, route: []string{"a", "b"},
			change: func(a, _ *model.Host) { channel(a) },
			suspects: []string{"the switch ports of a:ent1 and a:ent2",
				"the switch port of b:ent0"}, shows: []string{gate + " takes them from both"}},
		{name: "several ports below a, b's port", port: b, third: map[string]third{gate: {mtu: 9216}}, route: []string{"a", "b"},
			change:   func(a, _ *model.Host) { channel(a) },
			suspects: []string{"the switch port of b:ent0"}, shows: []string{gate + " takes them from a, not from b"}},
	} {
		n, p, log := lan(t, map[string]int{"a": 9000, "b": 9000, "c": 9000}, c.port)
		n.fleet.Hosts = n.fleet.Hosts[:2] // nobody else to log in to
		n.third, n.trunk = c.third, c.trunk
		n.arp = map[string]string{"a": c.arp}
		gateway(n.fleet.Hosts, c.route...)
		if c.change != nil {
			c.change(n.fleet.Hosts[0], n.fleet.Hosts[1])
		}
		ways, err := p.Between(context.Background(), "a", "b")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, w := range ways { // both ways find the same, in either order
			var names, shows []string
			for _, s := range w.Suspect {
				names = append(names, s.Is)
			}
			for _, x := range w.Witnesses {
				shows = append(shows, x.Address.String()+" "+x.Shows)
			}
			if w.From.Host == "b" && len(names) == 2 {
				names[0], names[1] = names[1], names[0]
			}
			want := c.suspects
			if w.From.Host == "b" && strings.HasPrefix(want[0], "a link") {
				want = []string{"a link inside the network, between the switch port of b:ent0 and the switch port of a:ent0"}
			}
			if d := cmp.Diff(want, names); d != "" {
				t.Errorf("%s: %s: suspects (-want +got):\n%s%s", c.name, w.From, d, strings.Join(*log, "\n"))
			}
			if d := cmp.Diff(c.shows, shows); d != "" && w.From.Host == "a" {
				t.Errorf("%s: %s: witnesses (-want +got):\n%s", c.name, w.From, d)
			}
		}
		seen := map[string]int{}
		for _, line := range *log {
			seen[line]++
			if seen[line] > 2 && strings.Contains(line, gate) {
				t.Errorf("%s: asked again: %s", c.name, line)
			}
			if strings.Contains(line, "10.0.0.78") {
				t.Errorf("%s: a partition's adapter was asked, which may be before the port: %s", c.name, line)
			}
		}
	}
}

// virtual makes a host a client of a VIOS that was not read.
func virtual(h *model.Host) {
	one := 1
	h.MachineID = "M*" + h.Name
	h.Elements["ent0"] = &model.Element{Name: "ent0", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: &one}}
}

// channel puts a host's interface on an EtherChannel of two ports.
func channel(h *model.Host) {
	h.Elements["ent0"] = &model.Element{Name: "ent0", Kind: model.EtherChannel, Members: []string{"ent1", "ent2"}}
	for _, m := range []string{"ent1", "ent2"} {
		h.Elements[m] = &model.Element{Name: m, Kind: model.Physical, MemberOf: "ent0"}
	}
}

// A witness on the far end's own managed system says that both ports pass.
func TestWitnessBehindTheSamePort(t *testing.T) {
	w := &Direction{From: model.Ref{Host: "a", Element: "en0"}, To: model.Ref{Host: "b", Element: "en0"}, Largest: 1500}
	port := func(h string) side {
		return side{end: model.Ref{Host: h, Element: "en0"}, ports: []model.Ref{{Host: "v" + h, Element: "ent0"}},
			kind: model.EthernetSwitch}
	}
	w.Witnesses = []Witness{{Is: "vb:en5", behind: true, Asked: []Asked{{"a", Passed}}}}
	got := blame(w, port("a"), port("b"), sizeWords(w))
	if len(got) != 1 || got[0].Is != "what is between vb:en5 and b:en0" {
		t.Errorf("got %+v, want what is between vb:en5 and b:en0", got)
	}
}

func TestClosed(t *testing.T) {
	vios := func(name, state string) *model.Host {
		vlan := 1
		if name == "other" {
			vlan = 2
		}
		return &model.Host{Name: name, Platform: model.VIOS, MachineID: "M", Elements: map[string]*model.Element{
			"ent5": {Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{HAState: state, Real: "ent0", Trunks: []string{"ent4"}}},
			"ent4": {Name: "ent4", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: &vlan}, MemberOf: "ent5"}, "ent0": {Name: "ent0", Kind: model.Physical}}}
	}
	lpar := &model.Host{Name: "a", Platform: model.AIX, MachineID: "M"}
	end := side{end: model.Ref{Host: "a", Element: "en0"}, ports: []model.Ref{{Host: "v1", Element: "ent0"}},
		kind: model.EthernetSwitch}
	for _, c := range []struct {
		name  string
		hosts []*model.Host
		open  bool
		want  bool
	}{
		{"one VIOS without a mate", []*model.Host{lpar, vios("v1", "")}, false, true},
		{"one VIOS of a pair", []*model.Host{lpar, vios("v1", "PRIMARY")}, false, false},
		{"both of a pair", []*model.Host{lpar, vios("v1", "PRIMARY"), vios("v2", "BACKUP")}, false, true},
		{"one VIOS of a pair, and one of another", []*model.Host{lpar, vios("v1", "PRIMARY"), vios("other", "PRIMARY")}, false, false},
		{"the path has a gap", []*model.Host{lpar, vios("v1", "")}, true, false},
		{"no VIOS", []*model.Host{lpar}, false, false},
	} {
		end.open = c.open
		fleet := &model.Fleet{Hosts: c.hosts}
		if got := (topology{fleet, graph.Of(fleet)}).closed(end); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
}

func TestParseNeighbours(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"  ? (10.0.0.9) at 0:9:6b:2e:1:7 [ethernet] stored in bucket 3\n\nbucket:    0     contains:    0 entries\nThere are 1 entries " +
			"in the arp table.\n", []string{"10.0.0.9 universal"}},
		{"  lpar2 (10.0.0.9) at 32:43:1:1:0:0 [ethernet] stored in bucket 3\r\n", []string{"10.0.0.9"}},
		{"? (10.0.0.9) at (incomplete) \n? (10.0.0.300) at 0:9:6b:2e:1:7 \n? (10.0.0.8) at 0:9:6b:2e:1 \n? (10.0.0.7) at 0:9:6b:2e:1:777 " +
			"\n", nil},
		{"IP address       HW type     Flags       HW address            Mask     Device\n10.0.0.9         0x1         0x2         " +
			"00:09:6b:2e:01:07     *        eth0\n10.0.0.8         0x1         0x0         00:00:00:00:00:00     *        " +
			"eth0\n", []string{"10.0.0.9 universal"}},
		{"", nil},
	} {
		var got []string
		for _, n := range parseNeighbours([]byte(c.text)) {
			s := n.address.String()
			if n.universal() {
				s += " universal"
			}
			got = append(got, s)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, d)
		}
	}
}

func FuzzParseNeighbours(f *testing.F) {
	f.Add("? (10.0.0.9) at 0:9:6b:2e:1:7 [ethernet] stored in bucket 3")
	f.Add("10.0.0.9         0x1         0x2         00:09:6b:2e:01:07     *        eth0")
	f.Add("(1.2.3.4) at :::::: ")
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range parseNeighbours([]byte(text)) {
			if !n.address.IsValid() || !strings.Contains(text, n.address.String()) {
				t.Errorf("%q: got %s, which is not in it", text, n.address)
			}
		}
	})
}

// Two clients of one managed system behind SEAs that share its VLANs enter by
// ports of their own: one that takes large packets says nothing of the other's.
func TestClientsWithPortsOfTheirOwn(t *testing.T) {
	id := func(n int) *int { return &n }
	yes, no := true, false
	client := func(name, address, system string, vlan int) *model.Host {
		return &model.Host{Name: name, Platform: model.AIX, MachineID: system, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: id(vlan), VSwitch: "ETHERNET0"}},
			"en0":  {Name: "en0", Kind: model.Interface, On: "ent0", Addrs: []netip.Prefix{netip.MustParsePrefix(address)}},
		}}
	}
	server := func(name, system, state string, first, second *bool) *model.Host {
		return &model.Host{Name: name, Platform: model.VIOS, MachineID: system, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Physical, MemberOf: "ent5"},
			"ent4": {Name: "ent4", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: id(1), VSwitch: "ETHERNET0", Bridges: first}, MemberOf: "ent5"},
			"ent7": {Name: "ent7", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: id(2), VSwitch: "ETHERNET0", Bridges: second}, MemberOf: "ent5"},
			"ent5": {Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent0", Trunks: []string{"ent4", "ent7"}, HAState: state}},
		}}
	}
	p := Prober{Fleet: &model.Fleet{Hosts: []*model.Host{
		client("a", "10.0.0.1/24", "M", 1), server("va", "M", "", &yes, &yes),
		client("b", "10.0.0.2/24", "N", 1), client("c", "10.0.0.3/24", "N", 2), client("d", "10.0.0.4/24", "N", 1),
		server("vb", "N", "PRIMARY_SH", &yes, &no), server("wb", "N", "BACKUP_SH", &no, &yes),
	}}}
	p.links = graph.Of(p.Fleet)
	path, err := p.links.Path("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	near, far := sides(path)
	if len(far.ports) != 1 || far.ports[0].Host != "vb" {
		t.Fatalf("the port of b: got %v, want that of vb", far.ports)
	}
	for host, want := range map[string]bool{"c": false, "d": true} {
		if got := p.topology().arrives(near, model.Ref{Host: host, Element: "en0"}, far.ports); got != want {
			t.Errorf("%s enters by the port of b: got %t, want %t", host, got, want)
		}
	}
}
