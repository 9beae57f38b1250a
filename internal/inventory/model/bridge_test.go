package model

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bridged is a managed system of one client and two VIOSes; vios2's SEA is the
// active one.
func bridged() *Fleet {
	id := func(n int) *int { return &n }
	sea := func(name, state, vswitch string) *Host {
		return &Host{Name: name, Platform: VIOS, MachineID: "M", Elements: map[string]*Element{
			"ent4": {Name: "ent4", Kind: Virtual, PVID: id(1), VLANs: []int{20}, VSwitch: vswitch, MemberOf: "ent9"},
			"ent9": {Name: "ent9", Kind: SEA, Trunks: []string{"ent4"}, HAState: state},
		}}
	}
	return &Fleet{Hosts: []*Host{
		{Name: "lpar1", Platform: AIX, MachineID: "M", Elements: map[string]*Element{
			"ent0": {Name: "ent0", Kind: Virtual, PVID: id(1), VSwitch: "ETHERNET0"},
		}},
		sea("vios1", "BACKUP", "ETHERNET0"), sea("vios2", "PRIMARY", "ETHERNET0"),
	}}
}

func TestBridges(t *testing.T) {
	id := func(n int) *int { return &n }
	one := func(host string, vlan int) Bridge {
		return Bridge{SEA: Ref{host, "ent9"}, Trunk: "ent4", VLAN: vlan, Standby: new(host == "vios1")}
	}
	tests := []struct {
		name   string
		change func(f *Fleet, client *Element)
		want   []Bridge
		gap    string
	}{
		{"both SEAs of the pair, the active one first", func(*Fleet, *Element) {}, []Bridge{one("vios2", 1), one("vios1", 1)}, ""},
		{"a tagged VLAN of the trunk", func(_ *Fleet, c *Element) { c.PVID = id(20) }, []Bridge{one("vios2", 20), one("vios1", 20)}, ""},
		{"a tagged VLAN of the client", func(_ *Fleet, c *Element) { c.PVID, c.VLANs = id(7), []int{20} }, []Bridge{one("vios2", 20), one("vios1", 20)}, ""},
		{"another switch", func(_ *Fleet, c *Element) { c.VSwitch = "ETHERNET1" }, nil, "no SEA seen on managed system M has a trunk adapter for VLAN 1 on switch ETHERNET1"},
		{"the client's switch is not known", func(_ *Fleet, c *Element) { c.VSwitch = "" }, nil, "hypervisor switch was not read"},
		{"the switch of one trunk is not known", func(f *Fleet, _ *Element) { f.Host("vios2").Elements["ent4"].VSwitch = "" }, []Bridge{one("vios1", 1)}, ""},
		{"no level prints a switch", func(f *Fleet, c *Element) {
			c.VSwitch, f.Host("vios1").Elements["ent4"].VSwitch, f.Host("vios2").Elements["ent4"].VSwitch = "", "", ""
		}, []Bridge{one("vios2", 1), one("vios1", 1)}, ""},
		{"SEAs that share: the trunk that carries it comes first", func(f *Fleet, _ *Element) {
			carries, not := true, false
			f.Host("vios1").Elements["ent9"].HAState, f.Host("vios2").Elements["ent9"].HAState = "BACKUP_SH", "PRIMARY_SH"
			f.Host("vios1").Elements["ent4"].Bridges, f.Host("vios2").Elements["ent4"].Bridges = &carries, &not
		}, []Bridge{
			{SEA: Ref{"vios1", "ent9"}, Trunk: "ent4", VLAN: 1, Standby: new(false)},
			{SEA: Ref{"vios2", "ent9"}, Trunk: "ent4", VLAN: 1, Standby: new(true)},
		}, ""},
		{"another VLAN", func(_ *Fleet, c *Element) { c.PVID = id(2) }, nil, "VLAN 2"},
		{"VLAN not read", func(_ *Fleet, c *Element) { c.PVID = nil }, nil, "port VLAN id was not read"},
		{"managed system not read", func(f *Fleet, _ *Element) { f.Hosts[0].MachineID = "" }, nil, "managed system of lpar1 is not known"},
		{"no VIOS read", func(f *Fleet, _ *Element) { f.Hosts = f.Hosts[:1] }, nil, "no VIOS"},
		{"VIOSes of another system", func(f *Fleet, _ *Element) { f.Hosts[1].MachineID, f.Hosts[2].MachineID = "N", "N" }, nil, "no VIOS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := bridged()
			tt.change(f, f.Hosts[0].Elements["ent0"])
			got, gap := f.Bridging().Of(f.Host("lpar1"), f.Element(Ref{"lpar1", "ent0"}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("bridges (-want +got):\n%s", diff)
			}
			switch {
			case tt.gap == "" && gap != nil:
				t.Errorf("gap: got %q, want none", gap.Why)
			case tt.gap != "" && (gap == nil || !strings.Contains(gap.Why, tt.gap)):
				t.Errorf("gap: got %v, want one that says %q", gap, tt.gap)
			}
		})
	}
}
