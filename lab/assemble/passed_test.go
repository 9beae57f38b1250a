package assemble

import (
	"testing"

	"seaworthy/lab"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// A capture leaves out what a stream cannot pass, however large the lab is.
func TestPassed(t *testing.T) {
	text, err := topology.Generate(topology.Spec{Name: "big", Systems: 2,
		LPARs: 40, VIOSes: 4, VLANs: 20, Ports: 1, HA: "auto", MTU: 1500, Rate: "10G"})
	if err != nil {
		t.Fatal(err)
	}
	top, err := topology.Parse("big.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := wire.BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	wanted := passed(top, lab.Stream{From: "lpar2", To: "lpar22"}) // both in VLAN 2
	got, seen := 0, map[string]bool{}
	for _, d := range layout.Devices {
		if !wanted(d) {
			continue
		}
		got++
		seen[d.Node] = true
		if d.VLAN != 0 && d.VLAN != 2 {
			t.Errorf("%s %s: VLAN %d is wanted, want 2 only", d.Namespace, d.Device, d.VLAN)
		}
	}
	for _, node := range []string{"lpar2", "lpar22", "vios1a", "vios2b"} {
		if !seen[node] {
			t.Errorf("%s: got no cable, want its", node)
		}
	}
	if seen["lpar3"] || got > len(layout.Devices)/4 {
		t.Errorf("got %d of %d devices, with lpar3's: %v; want few, and none of a bystander", got, len(layout.Devices), seen["lpar3"])
	}
}
