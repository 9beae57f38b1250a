package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Questions that were once answered in several places, in different ways: see decision 013.

// Two SEAs with a VLAN in common are partners, also where it is a tagged one; two with the same VLAN on
// other switches are none.
func TestPartnersByAnyVLAN(t *testing.T) {
	sea := func(name string, pvid int, vswitch string, tagged ...int) *model.Host {
		return machine(name, model.VIOS, "M", map[string]*model.Element{
			"ent4": device(model.Virtual, vlan(pvid), tags(tagged...), onSwitch(vswitch), of("ent5")), "ent0": device(model.Physical),
			"ent5": device(model.SEA, realAdapter("ent0"), bridges("ent4")),
		})
	}
	f := &model.Fleet{Hosts: []*model.Host{
		sea("v1", 1, "ETHERNET0", 20), sea("v2", 2, "ETHERNET0", 20), sea("v3", 1, "ETHERNET1", 20), sea("v4", 3, "ETHERNET0"),
	}}
	for of, want := range map[string][]string{"v1": {"v2:ent5"}, "v2": {"v1:ent5"}, "v3": nil, "v4": nil} {
		got, err := graph.Of(f).At(model.Ref{Host: of, Element: "ent5"}).Partners()
		if err != nil || !slices.Equal(names(got), want) {
			t.Errorf("partners of %s: got %v, %v, want %v", of, names(got), err, want)
		}
	}
	f.Hosts[0].Elements["ent4"].PVID = nil
	if got, err := graph.Of(f).At(model.Ref{Host: "v1", Element: "ent5"}).Partners(); err == nil {
		t.Errorf("partners of an SEA whose VLAN was not read: got %v, want that it is missing", names(got))
	}
}

// One SEA that does not say whether it bridges a VLAN leaves open what the others do there, nowhere else.
func TestActiveWhereOneDoesNotSay(t *testing.T) {
	pair := sharing("M", "v")
	pair[1].Elements["ent5"].Bridges = nil // VLAN 20
	g := graph.Of(&model.Fleet{Hosts: append(pair, client("c", "M", 20, nil))})
	ref := func(host string) model.Ref { return model.Ref{Host: host, Element: "ent9"} }
	active := g.Active()
	for vlan, want := range map[int][]model.Ref{10: {ref("v1")}, 30: {ref("v1")}} {
		if got := active[model.Segment{System: "M", VSwitch: "ETHERNET0", VLAN: vlan}]; !slices.Equal(got, want) {
			t.Errorf("VLAN %d is bridged by %v, want %v", vlan, got, want)
		}
	}
	for _, s := range g.Segments() {
		if _, known := active[s.Segment]; known != (s.VLAN != 20) {
			t.Errorf("VLAN %d: who bridges it is known: %t", s.VLAN, known)
		}
		if s.VLAN == 20 && (len(s.Unknown) != 2 || len(s.Active)+len(s.Standby) > 0 || !slices.Equal(s.Clients, []string{"c"})) {
			t.Errorf("VLAN 20: got %+v, want both SEAs unknown, and c in it", s)
		}
	}
	now, standby := g.At(ref("v2")).Bridging()
	if !slices.Equal(now, nil) || !slices.Equal(standby, []int{10, 30}) {
		t.Errorf("the second SEA carries %v and leaves %v, want none and 10, 30; of 20 it does not say", now, standby)
	}
	now, standby = g.At(model.Ref{Host: "v1", Element: "ent4"}).Bridging()
	if !slices.Equal(now, []int{10}) || standby != nil {
		t.Errorf("the first trunk adapter carries %v and leaves %v, want 10 and none", now, standby)
	}
}

// A chain of devices is followed to its end, however long; one in a circle is reported.
func TestLongChains(t *testing.T) {
	const n = 50
	h := machine("l", model.Linux, "", map[string]*model.Element{"eth0": device(model.Physical)})
	below := "eth0"
	for i := range n {
		name := fmt.Sprintf("v%d", i)
		h.Elements[name] = device(model.VLANDevice, on(below), tags(i+1))
		h.Elements[name].Name, below = name, name
	}
	h.Elements[below].Addrs = far().Elements["en0"].Addrs[:1]
	h.Elements["ring0"], h.Elements["ring1"] = device(model.VLANDevice, on("ring1")), device(model.VLANDevice, on("ring0"))
	h.Elements["ring0"].Name, h.Elements["ring1"].Name = "ring0", "ring1"
	g := graph.Of(&model.Fleet{Hosts: []*model.Host{h, far()}})
	p, err := g.Path("l:"+below, "far:en0")
	if err != nil || len(p.Gaps) > 0 || len(p.Hops) != n+1+1+2 {
		t.Errorf("path: got %d hops, gaps %v, %v, want %d and none", len(p.Hops), p.Gaps, err, n+4)
	}
	top := g.At(model.Ref{Host: "l", Element: below})
	if ports, err := top.Ports(); err != nil || !slices.Equal(names(ports), []string{"l:eth0"}) {
		t.Errorf("ports: got %v, %v, want l:eth0", names(ports), err)
	}
	if ports, gaps := top.Uplinks(); len(ports) != 1 || len(gaps) > 0 {
		t.Errorf("uplinks: got %v, %v, want one and no gap", ports, gaps)
	}
	if p, err := g.Path("l:ring0", "far:en0"); err != nil || len(p.Gaps) != 1 {
		t.Errorf("path out of a circle: got %+v, %v, want a gap", p, err)
	}
	if ports, err := g.At(model.Ref{Host: "l", Element: "ring0"}).Ports(); err == nil {
		t.Errorf("ports below a circle: got %v, want an error", names(ports))
	}
	if g.At(model.Ref{Host: "l", Element: "ring0"}).Used() {
		t.Error("a device in a circle without an address is used")
	}
}

// Frames of a VLAN device leave by the SEAs of its VLAN alone, those of the interface beside it by those of
// the port VLAN; of the adapter as such all count.
func TestUplinksByVLAN(t *testing.T) {
	pair := sharing("M", "v")
	pair[0].Elements["ent9"].Trunks = []string{"ent4", "ent6"} // not VLAN 20
	c := client("c", "M", 10, map[string]*model.Element{
		"ent0": device(model.Virtual, vlan(10), tags(20)), "ent3": device(model.VLANDevice, on("ent0"), tags(20)),
		"en3": device(model.Interface, on("ent3"), at("10.20.0.5/24")),
	})
	pair[1].Elements["ent9"].Trunks = []string{"ent5", "ent6"} // not VLAN 10
	g := graph.Of(&model.Fleet{Hosts: append(pair, c)})
	for element, want := range map[string]string{"en3": "[v2:ent0] []", "en0": "[v1:ent0] []", "ent0": "[v1:ent0 v2:ent0] []"} {
		ports, gaps := g.At(model.Ref{Host: "c", Element: element}).Uplinks()
		if got := fmt.Sprint(ports, gaps); got != want {
			t.Errorf("uplinks of %s: got %s, want %s", element, got, want)
		}
	}
}

// What kind of adapter is below was not read: it may have any port.
func TestUplinksOfAnUnknownAdapter(t *testing.T) {
	h := machine("a", model.AIX, "", map[string]*model.Element{"en0": device(model.Interface, on("ent0")), "ent0": device(model.Adapter)})
	ports, gaps := graph.Of(&model.Fleet{Hosts: []*model.Host{h}}).At(model.Ref{Host: "a", Element: "en0"}).Uplinks()
	if len(ports) > 0 || len(gaps) != 1 || gaps[0].What != "a:ent0" {
		t.Errorf("got %v, %v, want a gap that names a:ent0", ports, gaps)
	}
}

// Of a host that is twice in a fleet the first counts, everywhere.
func TestHostTwice(t *testing.T) {
	first, again := client("c", "M", 10, nil), client("c", "M", 20, nil)
	again.Elements["ent8"] = device(model.Virtual, vlan(20))
	g := graph.Of(&model.Fleet{Hosts: append(sharing("M", "v"), first, again)})
	if g.Host("c") != first || g.At(model.Ref{Host: "c", Element: "ent8"}) != nil || g.At(model.Ref{Host: "c", Element: "en0"}).Of != first {
		t.Error("the later reading counts, too")
	}
	for _, s := range g.Segments() {
		if s.VLAN == 20 && len(s.Clients) > 0 {
			t.Errorf("VLAN 20 has %v in it", s.Clients)
		}
	}
}

// Edges are found from both ends, with VLAN and state.
func TestEdges(t *testing.T) {
	g := graph.Of(&model.Fleet{Hosts: append(sharing("M", "v"), client("c", "M", 20, nil))})
	down := g.At(model.Ref{Host: "c", Element: "ent0"}).Down(graph.BridgedBy)
	if len(down) != 2 || down[0].To.Ref().String() != "v2:ent5" || down[0].SEA.Name != "ent9" || down[0].VLAN != 20 ||
		down[0].State != graph.Active || down[1].State != graph.Standby {
		t.Errorf("down from the client: got %+v", down)
	}
	up := g.At(model.Ref{Host: "v2", Element: "ent5"}).Up(graph.BridgedBy)
	if len(up) != 1 || up[0].From.Ref().String() != "c:ent0" {
		t.Errorf("up to the client: got %+v", up)
	}
	sea := g.At(model.Ref{Host: "v1", Element: "ent9"})
	if got := sea.Down(graph.Real, graph.Trunk); len(got) != 4 || got[0].Relation != graph.Real || got[1].To.Name != "ent4" {
		t.Errorf("below the SEA: got %+v", got)
	}
	if got := sea.Up(); len(got) != 2 { // en9, ent11
		t.Errorf("on the SEA: got %+v", got)
	}
}
