package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

type element = func(*model.Element)

func state(s string) element          { return func(e *model.Element) { e.HAState = s } }
func of(owner string) element         { return func(e *model.Element) { e.MemberOf = owner } }
func realAdapter(name string) element { return func(e *model.Element) { e.Real = name } }
func tags(ids ...int) element         { return func(e *model.Element) { e.VLANs = ids } }

func onSwitch(name string) element { return func(e *model.Element) { e.VSwitch = name } }
func channel(name string) element  { return func(e *model.Element) { e.Channel = name } }

func bridges(trunks ...string) element { return func(e *model.Element) { e.Trunks = trunks } }

func turn(active bool) element {
	return func(e *model.Element) { yes := true; e.Trunk, e.Bridges = &yes, &active }
}

func value(name, v string) element {
	return func(e *model.Element) { e.Attrs[name] = &model.Attr{Name: name, NextBoot: &v} }
}

// sharing is a system of two VIOSes that share three VLANs over three trunk
// adapters each: the first bridges 10 and 30, the second 20.
func sharing(system, prefix string) []*model.Host {
	vios := func(name, now string, active [3]bool) *model.Host {
		return machine(name, model.VIOS, system, map[string]*model.Element{
			"ent0":  device(model.Physical, of("ent9")),
			"ent4":  device(model.Virtual, vlan(10), of("ent9"), turn(active[0])),
			"ent5":  device(model.Virtual, vlan(20), of("ent9"), turn(active[1])),
			"ent6":  device(model.Virtual, vlan(30), of("ent9"), turn(active[2])),
			"ent9":  device(model.SEA, realAdapter("ent0"), bridges("ent4", "ent5", "ent6"), state(now)),
			"ent11": device(model.VLANDevice, on("ent9"), tags(40)),
			"en11":  device(model.Interface, on("ent11"), at("10.40.0.1/24")),
			"en9":   device(model.Interface, on("ent9"), at("10.10.0.1/24")),
		})
	}
	return []*model.Host{
		vios(prefix+"1", "PRIMARY_SH", [3]bool{true, false, true}),
		vios(prefix+"2", "BACKUP_SH", [3]bool{false, true, false}),
	}
}

func client(name, system string, n int, more map[string]*model.Element) *model.Host {
	all := map[string]*model.Element{
		"en0":  device(model.Interface, on("ent0"), at(fmt.Sprintf("10.%d.0.5/24", n))),
		"ent0": device(model.Virtual, vlan(n)),
	}
	for k, e := range more {
		all[k] = e
	}
	return machine(name, model.AIX, system, all)
}

// hops writes a path as a line: what stands on it, and what a gap says.
func hops(t *testing.T, f *model.Fleet, from, to string) (string, string) {
	t.Helper()
	p, err := graph.Of(f).Path(from, to)
	if err != nil {
		t.Fatalf("%s to %s: %v", from, to, err)
	}
	var names, gaps []string
	for _, h := range p.Hops {
		switch {
		case h.Ref != nil:
			names = append(names, h.Ref.String())
		case h.Kind == model.HypervisorSwitch:
			names = append(names, "hyp")
		default:
			names = append(names, "wire")
		}
	}
	for _, g := range p.Gaps {
		gaps = append(gaps, g.What+": "+g.Why)
	}
	return strings.Join(names, " "), strings.Join(gaps, "; ")
}

func TestPathsOfTopologies(t *testing.T) {
	out := machine("far", model.AIX, "", map[string]*model.Element{
		"en0": device(model.Interface, on("ent0"), at("10.10.0.99/24", "10.20.0.99/24", "10.40.0.99/24", "10.50.0.99/24")), "ent0": device(model.Physical),
	})
	nib := func(active string) map[string]*model.Element {
		return map[string]*model.Element{
			"en0": device(model.Interface), "ent0": device(model.Virtual, vlan(10), of("ent2")),
			"ent1": device(model.Virtual, vlan(20), of("ent2")),
			"ent2": device(model.EtherChannel, has("ent0"), value("backup_adapter", "ent1"), channel(active)),
			"en2":  device(model.Interface, on("ent2"), at("10.10.0.5/24")),
		}
	}
	tagged := map[string]*model.Element{
		"ent0": device(model.Virtual, vlan(10), tags(20, 30)), "ent3": device(model.VLANDevice, on("ent0"), tags(20)),
		"en3": device(model.Interface, on("ent3"), at("10.20.0.5/24")), "en0": device(model.Interface, on("ent0"), at("10.10.0.5/24")),
	}
	for _, c := range []struct {
		name     string
		hosts    []*model.Host
		from, to string
		want     string
		gap      string
	}{
		{"shared VLAN of the primary", append(sharing("M", "v"), client("c", "M", 10, nil), out), "c", "far",
			"c:en0 c:ent0 hyp v1:ent4 v1:ent9 v1:ent0 wire far:ent0 far:en0", ""},
		{"shared VLAN of the backup", append(sharing("M", "v"), client("c", "M", 20, nil), out), "c", "far",
			"c:en0 c:ent0 hyp v2:ent5 v2:ent9 v2:ent0 wire far:ent0 far:en0", ""},
		{"which of two that share bridges was not read", func() []*model.Host {
			pair := sharing("M", "v")
			for _, h := range pair {
				for _, e := range h.Elements {
					e.Bridges = nil
				}
			}
			return append(pair, client("c", "M", 20, nil), out)
		}(), "c", "far", "c:en0 c:ent0 hyp v1:ent5 v1:ent9 v1:ent0 wire far:ent0 far:en0", "both can carry VLAN 20"},
		{"between two systems that share", append(append(sharing("M", "v"), sharing("N", "w")...), client("c", "M", 20, nil), client("d", "N", 10, nil)), "c", "d",
			"c:en0 c:ent0 hyp v2:ent5 v2:ent9 v2:ent0 wire w1:ent0 w1:ent9 w1:ent4 hyp d:ent0 d:en0", ""},
		{"only the VIOS that stands by was read", append(sharing("M", "v")[1:], client("c", "M", 10, nil), out), "c", "far",
			"c:en0 c:ent0 hyp v2:ent4 v2:ent9 v2:ent0 wire far:ent0 far:en0", "on standby"},
		{"a VLAN device on the client takes its own way", append(sharing("M", "v"), client("c", "M", 10, tagged), out), "c:en3", "far",
			"c:en3 c:ent3 c:ent0 hyp v2:ent5 v2:ent9 v2:ent0 wire far:ent0 far:en0", ""},
		{"beside it the adapter's own VLAN", append(sharing("M", "v"), client("c", "M", 10, tagged), out), "c:en0", "far",
			"c:en0 c:ent0 hyp v1:ent4 v1:ent9 v1:ent0 wire far:ent0 far:en0", ""},
		{"two clients in one tagged VLAN, one without tag", append(sharing("M", "v"), client("c", "M", 10, tagged), client("d", "M", 20, nil)), "c:en3", "d",
			"c:en3 c:ent3 c:ent0 hyp d:ent0 d:en0", ""},
		{"one adapter in two VLANs reaches the other's only with a tag", append(sharing("M", "v"), client("c", "M", 10, tagged), client("d", "M", 20, nil)), "c:en0", "d",
			"c:en0 c:ent0 hyp v1:ent4 v1:ent9 v1:ent0 wire v2:ent0 v2:ent9 v2:ent5 hyp d:ent0 d:en0", ""},
		{"an SEA whose real adapter was not read", func() []*model.Host {
			pair := sharing("M", "v")
			pair[0].Elements["ent9"].Real = ""
			return append(pair, client("c", "M", 10, nil), out)
		}(), "c", "far", "c:en0 c:ent0 hyp v1:ent4 v1:ent9 wire far:ent0 far:en0", "v1:ent9: its real adapter was not read (lsattr -El ent9)"},
		{"a VIOS's interface on a VLAN device of its SEA", append(sharing("M", "v"), out), "v1:en11", "far",
			"v1:en11 v1:ent11 v1:ent9 v1:ent0 wire far:ent0 far:en0", ""},
		{"a client and its SEA's own interface", append(sharing("M", "v"), client("c", "M", 10, nil)), "c", "v1:en9",
			"c:en0 c:ent0 hyp v1:ent4 v1:ent9 v1:en9", ""},
		{"NIB, primary channel", append(sharing("M", "v"), client("c", "M", 10, nib("primary")), out), "c:en2", "far",
			"c:en2 c:ent2 c:ent0 hyp v1:ent4 v1:ent9 v1:ent0 wire far:ent0 far:en0", ""},
		{"NIB on its backup", append(sharing("M", "v"), client("c", "M", 10, nib("backup")), out), "c:en2", "far",
			"c:en2 c:ent2 c:ent1 hyp v2:ent5 v2:ent9 v2:ent0 wire far:ent0 far:en0", ""},
		{"NIB, channel not read", append(sharing("M", "v"), client("c", "M", 10, nib("")), out), "c:en2", "far",
			"c:en2 c:ent2 c:ent0 hyp v1:ent4 v1:ent9 v1:ent0 wire far:ent0 far:en0", "backup adapter ent1 carries the traffic now was not read"},
		{"on another hypervisor switch than the SEAs", append(sharing("M", "v"), client("c", "M", 10, map[string]*model.Element{
			"ent0": device(model.Virtual, vlan(10), onSwitch("ETHERNET1"))}), out), "c", "far",
			"c:en0 c:ent0 hyp wire far:ent0 far:en0", "on switch ETHERNET1"},
		{"a logical port of SR-IOV, given whole", []*model.Host{client("c", "M", 10, map[string]*model.Element{"ent0": device(model.Physical)}), out}, "c", "far",
			"c:en0 c:ent0 wire far:ent0 far:en0", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &model.Fleet{Hosts: c.hosts}
			got, gap := hops(t, f, c.from, c.to)
			if got != c.want {
				t.Errorf("hops\n got %s\nwant %s", got, c.want)
			}
			if c.gap == "" && gap != "" || !strings.Contains(gap, c.gap) {
				t.Errorf("gaps: got %q, want %q", gap, c.gap)
			}
		})
	}
}

// Ports that nobody can know of are reported: a plan asks for the switch's ports by
// them.
func TestOutletsNotRead(t *testing.T) {
	pair := sharing("M", "v")
	pair[0].Elements["ent9"].Real = ""
	f := &model.Fleet{Hosts: append(pair, client("c", "M", 10, nil), machine("l", model.Linux, "", map[string]*model.Element{
		"bond0": device(model.EtherChannel)}))}
	for _, c := range []struct{ of, ports, gap string }{
		{"c:en0", "[v2:ent0]", "v1:ent9: its real adapter was not read (lsattr -El ent9)"},
		{"l:bond0", "[]", "l:bond0: what its members are was not read (ip -d link)"},
	} {
		host, el, _ := strings.Cut(c.of, ":")
		ports, gaps := graph.Of(f).At(model.Ref{Host: host, Element: el}).Uplinks()
		if fmt.Sprint(ports) != c.ports || len(gaps) != 1 || gaps[0].What+": "+gaps[0].Why != c.gap {
			t.Errorf("%s: got %v, gaps %v, want %s and %s", c.of, ports, gaps, c.ports, c.gap)
		}
	}
}

// The two adapters of a Network Interface Backup are clients, each of its SEA; a
// trunk adapter and a control channel are none.
func TestClientsOfTopologies(t *testing.T) {
	nib := client("c", "M", 10, map[string]*model.Element{
		"ent0": device(model.Virtual, vlan(10), of("ent2")), "ent1": device(model.Virtual, vlan(20), of("ent2")),
		"ent2": device(model.EtherChannel, has("ent0"), value("backup_adapter", "ent1")),
	})
	both := client("d", "M", 10, map[string]*model.Element{
		"ent0": device(model.Virtual, vlan(10), tags(20, 30)), "ent1": device(model.Virtual, vlan(10), onSwitch("ETHERNET1")),
	})
	f := &model.Fleet{Hosts: append(sharing("M", "v"), nib, both, client("e", "N", 10, nil))}
	for _, sea := range []string{"v1", "v2"} {
		got := fmt.Sprint(clientsOf(f, model.Ref{Host: sea, Element: "ent9"}))
		if want := "[c:ent0 c:ent1 d:ent0]"; got != want {
			t.Errorf("clients of %s: got %s, want %s", sea, got, want)
		}
	}
	if _, gap := bridgesOf(f, model.Ref{Host: "e", Element: "ent0"}); gap == nil || !strings.Contains(gap.Why, "no VIOS with an SEA was read from managed system N") {
		t.Errorf("a client of a system without VIOS: got gap %v, want one that says so", gap)
	}
	if _, gap := bridgesOf(f, model.Ref{Host: "d", Element: "ent1"}); gap == nil || !strings.Contains(gap.Why, "on switch ETHERNET1") {
		t.Errorf("an adapter on another switch: got gap %v, want one that says so", gap)
	}
}

// clientsOf are the virtual adapters of LPARs that an SEA carries.
func clientsOf(f *model.Fleet, sea model.Ref) (out []model.Ref) {
	for _, h := range f.Hosts {
		for _, name := range h.Names(model.Virtual) {
			r := model.Ref{Host: h.Name, Element: name}
			bridges, _ := bridgesOf(f, r)
			if !h.Serves(h.Elements[name]) && slices.ContainsFunc(bridges, func(x bridge) bool { return x.SEA == sea }) {
				out = append(out, r)
			}
		}
	}
	return out
}
