package wire

import (
	"strings"
	"testing"

	"seaworthy/lab/topology"
)

// Frames of two VLANs have no device in common: VLAN instances meet nowhere.
func TestPlanes(t *testing.T) {
	top, err := topology.Load(t.Context(), "vlans")
	if err != nil {
		t.Fatal(err)
	}
	l, err := BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	byEnd := map[End]Device{}
	ports := map[End][]End{} // bridge -> its ports
	for _, d := range l.Devices {
		if len(d.Device) > 15 {
			t.Errorf("%s: longer than the kernel allows", d.Device)
		}
		if _, dup := byEnd[d.End]; dup {
			t.Errorf("%v is there twice", d.End)
		}
		byEnd[d.End] = d
		if d.Bridge != "" {
			ports[End{d.Namespace, d.Bridge}] = append(ports[End{d.Namespace, d.Bridge}], d.End)
		}
	}
	// reach gives the nodes' devices that a frame can come to from one.
	reach := func(from End) string {
		seen, todo := map[End]bool{}, []End{from}
		for len(todo) > 0 {
			e := todo[0]
			todo = todo[1:]
			if seen[e] {
				continue
			}
			seen[e] = true
			d := byEnd[e]
			todo = append(todo, ports[e]...)
			if d.Peer != (End{}) {
				todo = append(todo, d.Peer)
			}
			if d.Bridge != "" {
				todo = append(todo, End{d.Namespace, d.Bridge})
			}
		}
		var out []string
		for _, d := range l.Devices {
			if seen[d.End] && strings.HasPrefix(d.Namespace, "lpar") {
				out = append(out, d.Namespace+" "+d.Device)
			}
		}
		return strings.Join(out, ", ")
	}
	for from, want := range map[End]string{
		{"lpar1", "en0"}: "lpar1 en0, lpar4 en0",
		{"lpar1", "en1"}: "lpar1 en1",
		{"lpar2", "en0"}: "lpar2 en0, lpar4 en1",
		{"vios1", "en6"}: "lpar2 en0, lpar4 en1",
	} {
		// What is behind an EtherChannel of the switch is reached by its
		// classifiers, not by cables.
		if got := reach(from); got != want {
			t.Errorf("from %v: got %s, want %s", from, got, want)
		}
	}
	if d := byEnd[End{"vios1", "en6"}]; d.Place != SEA || d.VLAN != 20 || d.Adapter != "ent6" || d.Below != "ent5" {
		t.Errorf("vios1 en6: got %+v, want the SEA's bridge for VLAN 20", d)
	}
	if d := byEnd[End{"lpar3", "en4"}]; d.Place != Channel || d.Peer.Device != "en4.in" {
		t.Errorf("lpar3 en4: got %+v, want the EtherChannel's end for VLAN 20", d)
	}
	if got := Tags(&top.Systems[1].Nodes[0]); len(got["ent0"]) != 2 || len(got["ent1"]) != 2 || len(got["ent2"]) != 2 {
		t.Errorf("lpar3: got tags %v, want 10 and 20 on the EtherChannel and its ports", got)
	}
}

// A bond and what its ports lead to: the switch's own bond with LACP, else its bridge.
func TestBondLayout(t *testing.T) {
	top, err := topology.Load(t.Context(), "bond")
	if err != nil {
		t.Fatal(err)
	}
	l, err := BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	got := map[End]Device{}
	for _, d := range l.Devices {
		got[d.End] = d
	}
	for end, want := range map[End]Device{
		{"lacp1", "bond0"}:         {Place: Bond, Mode: topology.LACP},
		{"lacp1", "eth1"}:          {Place: Physical, Bond: "bond0"},
		{"sw:sw1", "lacp1.eth1"}:   {Place: SwitchPort, Bond: "po1"},
		{"sw:sw1", "po1"}:          {Place: SwitchBond, Mode: topology.LACP, Bridge: "switch"},
		{"backup1", "bond0"}:       {Place: Bond, Mode: topology.ActiveBackup},
		{"backup1", "eth0"}:        {Place: Physical, Bond: "bond0"},
		{"sw:sw1", "backup1.eth0"}: {Place: SwitchPort, Bridge: "switch"},
	} {
		d := got[end]
		if d.Place != want.Place || d.Mode != want.Mode || d.Bond != want.Bond || d.Bridge != want.Bridge {
			t.Errorf("%v: got %+v, want %+v", end, d, want)
		}
	}
}

// A port whose frames without a tag are of a VLAN leads to that VLAN's bridge; a name that is too long for its far end gives way.
func TestAccessPorts(t *testing.T) {
	top, err := topology.Parse("f", []byte("name: f\nswitch: {name: sw1, ports: {sw1/1: {}, sw1/2: {vlan: 100}}}\nservers:\n"+
		"  - {name: web1, os: linux, adapters: {abcdefghi0: {kind: physical, port: sw1/1}, abcdefghi0.100: {kind: physical, port: sw1/2}}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	bridges := map[string]string{}
	for _, d := range l.Devices {
		if len(d.Device) > 15 {
			t.Errorf("%s: longer than the kernel allows", d.Device)
		}
		if d.Place == SwitchPort {
			bridges[d.Adapter] = d.Bridge
		}
	}
	if bridges["abcdefghi0"] != "switch" || bridges["abcdefghi0.100"] != "switch.100" {
		t.Errorf("got bridges %v", bridges)
	}
}
