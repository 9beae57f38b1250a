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
