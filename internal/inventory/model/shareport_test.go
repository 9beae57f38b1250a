package model_test

import (
	"testing"

	"seaworthy/internal/inventory/model"
)

// Two logical ports of one physical port, one of which backs a vNIC, and one of another.
func TestSharedPorts(t *testing.T) {
	logical := func(lpar, port, id string, most *float64) model.AdapterProfile {
		return model.AdapterProfile{Kind: model.Physical, System: "9080-M9S*12345CD", LPAR: lpar, PhysicalPort: port, LogicalPort: id,
			PortShare: model.PortShare{Capacity: new(2.0), MaxCapacity: most}}
	}
	vnic := model.AdapterProfile{Kind: model.VNIC, System: "9080-M9S*12345CD", LPAR: "lpar2",
		VNICFacts: model.VNICFacts{Backing: []model.Backing{{VIOS: "vios1", Port: "1/0", LogicalPort: "27004002"}, {VIOS: "vios2", Port: "3/1"}}}}
	c := &model.HMC{Adapters: []model.AdapterProfile{
		logical("lpar1", "1/0", "27004001", new(100.0)), logical("vios1", "1/0", "27004002", new(50.0)), logical("vios1", "1/0", "27004002", new(50.0)),
		logical("lpar1", "2/0", "27008001", nil), vnic,
	}}
	f := &model.Fleet{HMCs: []*model.HMC{c}}
	f.MergeHMC()
	shared := func(name string, s model.PortShare, sharers int, most float64) {
		t.Helper()
		if s.Sharers == nil || *s.Sharers != sharers {
			t.Errorf("%s: got %v sharers, want %d", name, s.Sharers, sharers)
		}
		if most == 0 && s.SharersMax != nil || most > 0 && (s.SharersMax == nil || *s.SharersMax != most) {
			t.Errorf("%s: got %v per cent in all, want %g", name, s.SharersMax, most)
		}
	}
	shared("two share it", c.Adapters[0].PortShare, 2, 150)
	shared("alone, its largest share not read", c.Adapters[3].PortShare, 1, 0)
	shared("a backing device", c.Adapters[4].Backing[0].PortShare, 2, 150)
	if s := c.Adapters[4].Backing[1].PortShare; s.Sharers != nil {
		t.Errorf("a port that no list has: got %d sharers, want none known", *s.Sharers)
	}
}

// A physical port without a link takes it from the logical port on it, and from the backing device; the port that carries a
// vNIC gives it its speed. What a host says itself stays.
func TestPortStates(t *testing.T) {
	const system = "9105-42A*12345CD"
	down := model.AdapterProfile{Kind: model.Physical, System: system, LPAR: "lpar1", MAC: "0a1b2c000308", PhysicalPort: "1/0", LogicalPort: "27004001"}
	other := model.AdapterProfile{Kind: model.Physical, System: system, LPAR: "lpar1", MAC: "0a1b2c000309", PhysicalPort: "2/0", LogicalPort: "27008001"}
	vnic := model.AdapterProfile{Kind: model.VNIC, System: system, LPAR: "lpar1", MAC: "0a1b2c00030a", VNICFacts: model.VNICFacts{Backing: []model.Backing{
		{VIOS: "vios1", Port: "1/0", Ready: new(true), Active: new(false)}, {VIOS: "vios2", Port: "1/1", Ready: new(true), Active: new(true)}}}}
	c := &model.HMC{Adapters: []model.AdapterProfile{down, other, vnic}, Ports: []model.SRIOVPort{
		{System: system, Port: "1/0", Works: new(false)}, {System: system, Port: "1/1", Works: new(true), SpeedMb: new(int64(25000))},
		{System: system, Port: "2/0", Works: new(true)}, {System: system, Port: "2/", Works: new(false)}, {System: "other", Port: "1/1", Works: new(false)},
	}}
	h := &model.Host{Name: "lpar1", MachineID: system, Elements: map[string]*model.Element{
		"ent3": {Name: "ent3", Kind: model.Physical, MAC: down.MAC}, "ent4": {Name: "ent4", Kind: model.Physical, MAC: other.MAC, LinkUp: new(true)},
		"ent5": {Name: "ent5", Kind: model.VNIC, MAC: vnic.MAC},
	}}
	f := &model.Fleet{Hosts: []*model.Host{h}, HMCs: []*model.HMC{c}}
	f.MergeHMC()
	if up := h.Elements["ent3"].LinkUp; up == nil || *up {
		t.Errorf("on a port without a link: got %v", up)
	}
	if up := h.Elements["ent4"].LinkUp; up == nil || !*up {
		t.Errorf("the host says that its link is up: got %v", up)
	}
	if up := c.Adapters[1].LinkUp; up == nil || *up {
		t.Errorf("on an adapter that does not work: got %v", up)
	}
	e := h.Elements["ent5"]
	if e.LinkUp == nil || !*e.LinkUp || e.SpeedMb == nil || *e.SpeedMb != 25000 || *e.Backing[0].Ready || !*e.Backing[1].Ready {
		t.Errorf("vNIC: got link %v, speed %v, backing devices %+v", e.LinkUp, e.SpeedMb, e.Backing)
	}
}
