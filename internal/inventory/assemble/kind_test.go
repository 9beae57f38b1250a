package assemble_test

import (
	"testing"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// What an adapter is must not be guessed where lsdev and entstat are missing.
func TestKindWithoutLsdev(t *testing.T) {
	about := folders[0]
	about.Name = "lone"
	for _, c := range []struct {
		name, text string
		want       model.Kind
	}{
		{"virtual", "chksum_offload no Enable Checksum Offload for IPv4 packets True\nmax_buf_tiny 512 Maximum Tiny Buffers True\n", model.Virtual},
		{"port", "jumbo_frames no Request jumbo frames True\nmedia_speed Auto_Negotiation Requested media speed True\n", model.Physical},
		{"SEA", "jumbo_frames no Enable Gigabit Ethernet Jumbo Frames True\nvirt_adapters ent4 List of virtual adapters True\nreal_adapter ent0 Physical adapter True\n", model.SEA},
		{"EtherChannel", "adapter_names ent0,ent1 EtherChannel Adapters True\nhash_mode default Determines how outgoing adapter is chosen True\n", model.EtherChannel},
		{"VLAN", "base_adapter ent0 VLAN Base Adapter True\nvlan_tag_id 20 VLAN Tag ID True\n", model.VLANDevice},
		{"nothing that decides", "chksum_offload no Enable Checksum Offload for IPv4 packets True\n", model.Adapter},
		{"two kinds at once", "media_speed 1000 Media True\nmin_buf_tiny 512 Minimum Tiny Buffers True\n", model.Adapter},
	} {
		h := assemble.Host(about, []assemble.Output{{ID: "lsattr-El", Command: "lsattr -El ent7", Element: "ent7", Text: []byte(c.text)}})
		e := h.Elements["ent7"]
		if e == nil || e.Kind != c.want {
			t.Errorf("%s: got %+v, want kind %s", c.name, e, c.want)
			continue
		}
		reported := false
		for _, g := range h.Gaps {
			reported = reported || g.What == "ent7"
		}
		if reported != (c.want == model.Adapter) {
			t.Errorf("%s: gaps: got %v, want one of ent7 only if its kind is not known", c.name, h.Gaps)
		}
	}
}

// What runs is known from ifconfig where the ODM was not read; an attribute
// that a read ODM lacks is not made up.
func TestRunsWithoutODM(t *testing.T) {
	about := folders[0]
	about.Name = "lone"
	ifconfig := assemble.Output{ID: "ifconfig-a", Command: "ifconfig -a", Text: []byte("en0: flags=1e080863,c0<UP,BROADCAST,RUNNING,CHECKSUM_OFFLOAD(ACTIVE),CHAIN>\n" +
		"        inet 192.0.2.10 netmask 0xffffff00 broadcast 192.0.2.255\n         tcp_sendspace 131072 tcp_recvspace 65536 rfc1323 0\n")}
	alone := assemble.Host(about, []assemble.Output{ifconfig}).Elements["en0"]
	for name, want := range map[string]string{"mtu_bypass": "off", "tcp_recvspace": "65536", "rfc1323": "0"} {
		a := alone.Attrs[name]
		if a == nil || a.Running == nil || *a.Running != want || a.NextBoot != nil {
			t.Errorf("%s: got %+v, want %s now and the next boot unknown", name, a, want)
		}
	}
	odm := assemble.Output{ID: "lsattr-El", Command: "lsattr -El en0", Element: "en0", Text: []byte("mtu 1500 Maximum IP Packet Size True\nstate up Current Interface Status True\nrfc1323 0 Window scaling True\n")}
	if a := assemble.Host(about, []assemble.Output{ifconfig, odm}).Elements["en0"].Attrs["mtu_bypass"]; a != nil {
		t.Errorf("mtu_bypass: got %+v on a level whose ODM has none, want nothing", a)
	}
}
