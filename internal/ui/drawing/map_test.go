package drawing_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/drawing"
)

// fleet is one managed system of so many LPARs in some VLANs, and VIOSes in pairs
// that share them.
func fleet(lpars, vioses, vlans int) *model.Fleet {
	const system = "9080-HEX*1234567"
	f := &model.Fleet{}
	virtual := func(name string, pvid int, trunk bool) *model.Element {
		return &model.Element{Name: name, Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: &pvid, VSwitch: "ETHERNET0", Trunk: &trunk}}
	}
	for i := range vioses {
		h := &model.Host{Name: fmt.Sprintf("vios%d", i+1), Platform: model.VIOS, MachineID: system, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Physical, MemberOf: "ent100"}}}
		sea := &model.Element{Name: "ent100", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent0", HAState: "PRIMARY"}}
		if i%2 == 1 {
			sea.HAState = "BACKUP"
		}
		for v := i / 2; v < vlans; v += vioses / 2 {
			name := fmt.Sprintf("ent%d", 10+v)
			h.Elements[name] = virtual(name, v+1, true)
			h.Elements[name].MemberOf = "ent100"
			sea.Trunks = append(sea.Trunks, name)
		}
		h.Elements["ent100"] = sea
		f.Hosts = append(f.Hosts, h)
	}
	for i := range lpars {
		f.Hosts = append(f.Hosts, &model.Host{Name: fmt.Sprintf("production-database-lpar%d", i+1), Platform: model.AIX, MachineID: system,
			Elements: map[string]*model.Element{"ent0": virtual("ent0", i%vlans+1, false), "ent1": virtual("ent1", i%3+1, false)}})
	}
	return f
}

// A system of 200 LPARs and 4 VIOSes: nothing overlaps, every LPAR is there, and
// it takes no time that anybody notices.
func TestMapOfManyLPARs(t *testing.T) {
	begun := time.Now()
	segments := graph.Of(fleet(200, 4, 10)).Segments()
	d := drawing.Map(segments)
	svg := d.SVG()
	if took := time.Since(begun); took > 500*time.Millisecond {
		t.Errorf("the map took %s, want at most 500 ms", took)
	}
	check(t, "map", d)
	lpars, active, standby := 0, 0, 0
	for _, b := range d.Boxes {
		switch {
		case strings.Contains(b.ID, "/lpar/"):
			lpars++
		case b.Kind == "SEA" && b.Standby:
			standby++
		case b.Kind == "SEA":
			active++
		}
	}
	if lpars != 200 || active != 2 || standby != 2 {
		t.Errorf("%d LPARs, %d active SEAs, %d on standby; want 200, 2 and 2", lpars, active, standby)
	}
	if !strings.Contains(string(svg), "<title>production-database-lpar117</title>") {
		t.Error("a name that was cut is nowhere whole")
	}
	for _, s := range segments {
		if len(s.Active) != 1 || len(s.Standby) != 1 || len(s.Clients) < 20 {
			t.Errorf("VLAN %d: active %v, standby %v, %d LPARs", s.VLAN, s.Active, s.Standby, len(s.Clients))
		}
	}
}

func TestMapOfTopologies(t *testing.T) {
	for name, f := range labs(t) {
		check(t, name, drawing.Map(graph.Of(f).Segments()))
	}
	check(t, "nothing", drawing.Map(nil))
	d := drawing.Map(graph.Of(labs(t)["dual-vios"]).Segments())
	svg := string(d.SVG())
	for _, text := range []string{"bridges VLAN 1", "stands by for VLAN 2", "VLAN 1 on ETHERNET0; VLAN 2 on ETHERNET0"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the map does not have %q", text)
		}
	}
	hostileFleet := labs(t)["two-systems"]
	hostileFleet.Hosts[0].Name, hostileFleet.Hosts[0].MachineID = hostile, hostile
	d = drawing.Map(graph.Of(hostileFleet).Segments())
	check(t, "hostile", d)
	if out := string(d.SVG()) + string(d.Mermaid()); strings.Contains(out, "<script") || strings.ContainsAny(out, "\x1b\u202e") {
		t.Error("a host's name got through as it is")
	}
}

func BenchmarkMap(b *testing.B) {
	f := fleet(200, 4, 10)
	for b.Loop() {
		if len(drawing.Map(graph.Of(f).Segments()).SVG()) == 0 {
			b.Fatal("nothing drawn")
		}
	}
}
