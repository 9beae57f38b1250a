package assemble_test

import (
	"testing"

	"seaworthy/inventory"
	"seaworthy/inventory/assemble"
)

// What an adapter is must not be guessed where lsdev and entstat are missing.
func TestKindWithoutLsdev(t *testing.T) {
	about := folders[0]
	about.Name = "lone"
	for _, c := range []struct {
		name, text string
		want       inventory.Kind
	}{
		{"virtual", "chksum_offload no Enable Checksum Offload for IPv4 packets True\nmax_buf_tiny 512 Maximum Tiny Buffers True\n", inventory.Virtual},
		{"port", "jumbo_frames no Request jumbo frames True\nmedia_speed Auto_Negotiation Requested media speed True\n", inventory.Physical},
		{"SEA", "jumbo_frames no Enable Gigabit Ethernet Jumbo Frames True\nvirt_adapters ent4 List of virtual adapters True\nreal_adapter ent0 Physical adapter True\n", inventory.SEA},
		{"EtherChannel", "adapter_names ent0,ent1 EtherChannel Adapters True\nhash_mode default Determines how outgoing adapter is chosen True\n", inventory.EtherChannel},
		{"VLAN", "base_adapter ent0 VLAN Base Adapter True\nvlan_tag_id 20 VLAN Tag ID True\n", inventory.VLANDevice},
		{"nothing that tells", "chksum_offload no Enable Checksum Offload for IPv4 packets True\n", inventory.Adapter},
		{"two kinds at once", "media_speed 1000 Media True\nmin_buf_tiny 512 Minimum Tiny Buffers True\n", inventory.Adapter},
	} {
		h := assemble.Host(about, []assemble.Output{{ID: "lsattr-El", Command: "lsattr -El ent7", Element: "ent7", Text: []byte(c.text)}})
		e := h.Elements["ent7"]
		if e == nil || e.Kind != c.want {
			t.Errorf("%s: got %+v, want kind %s", c.name, e, c.want)
			continue
		}
		told := false
		for _, g := range h.Gaps {
			told = told || g.What == "ent7"
		}
		if told != (c.want == inventory.Adapter) {
			t.Errorf("%s: gaps: got %v, want one of ent7 only if its kind is not known", c.name, h.Gaps)
		}
	}
}
