package graph_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// bridge is an edge from a virtual adapter to a trunk adapter, by names.
type bridge struct {
	SEA     model.Ref
	Trunk   string
	VLAN    int
	State   graph.State
	Counted bool
}

// bridgesOf are those of a virtual adapter of a fleet.
func bridgesOf(f *model.Fleet, adapter model.Ref) (out []bridge, gap *model.Gap) {
	edges, gap := graph.Of(f).At(adapter).Bridges()
	for _, x := range edges {
		out = append(out, bridge{SEA: x.SEA.Ref(), Trunk: x.To.Name, VLAN: x.VLAN, State: x.State, Counted: x.Counted})
	}
	return out, gap
}

// bridged is a managed system of one client and two VIOSes; vios2's SEA is the
// active one.
func bridged() *model.Fleet {
	id := func(n int) *int { return &n }
	sea := func(name, state, vswitch string) *model.Host {
		return &model.Host{Name: name, Platform: model.VIOS, MachineID: "M", Elements: map[string]*model.Element{
			"ent4": {Name: "ent4", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: id(1), VLANs: []int{20}, VSwitch: vswitch}, MemberOf: "ent9"},
			"ent9": {Name: "ent9", Kind: model.SEA, SEAFacts: model.SEAFacts{Trunks: []string{"ent4"}, HAState: state}},
		}}
	}
	return &model.Fleet{Hosts: []*model.Host{
		{Name: "lpar1", Platform: model.AIX, MachineID: "M", Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: id(1), VSwitch: "ETHERNET0"}},
		}},
		sea("vios1", "BACKUP", "ETHERNET0"), sea("vios2", "PRIMARY", "ETHERNET0"),
	}}
}

func TestBridges(t *testing.T) {
	id := func(n int) *int { return &n }
	one := func(host string, vlan int) bridge {
		state := graph.Active
		if host == "vios1" {
			state = graph.Standby
		}
		return bridge{SEA: model.Ref{Host: host, Element: "ent9"}, Trunk: "ent4", VLAN: vlan, State: state}
	}
	tests := []struct {
		name   string
		change func(f *model.Fleet, client *model.Element)
		want   []bridge
		gap    string
	}{
		{"both SEAs of the pair, the active one first", func(*model.Fleet, *model.Element) {}, []bridge{one("vios2", 1), one("vios1", 1)}, ""},
		{"a tagged VLAN of the trunk", func(_ *model.Fleet, c *model.Element) { c.PVID = id(20) }, []bridge{one("vios2", 20), one("vios1", 20)}, ""},
		{"a tagged VLAN of the client", func(_ *model.Fleet, c *model.Element) { c.PVID, c.VLANs = id(7), []int{20} }, []bridge{one("vios2", 20), one("vios1", 20)}, ""},
		{"another switch", func(_ *model.Fleet, c *model.Element) { c.VSwitch = "ETHERNET1" }, nil, "no SEA seen on managed system M has a trunk adapter for VLAN 1 on switch ETHERNET1"},
		{"the client's switch is not known", func(_ *model.Fleet, c *model.Element) { c.VSwitch = "" }, nil, "hypervisor switch was not read"},
		{"the switch of one trunk is not known", func(f *model.Fleet, _ *model.Element) { f.Host("vios2").Elements["ent4"].VSwitch = "" }, []bridge{one("vios1", 1)}, ""},
		{"no level prints a switch", func(f *model.Fleet, c *model.Element) {
			c.VSwitch, f.Host("vios1").Elements["ent4"].VSwitch, f.Host("vios2").Elements["ent4"].VSwitch = "", "", ""
		}, []bridge{one("vios2", 1), one("vios1", 1)}, ""},
		{"SEAs that share: the trunk that carries it comes first", func(f *model.Fleet, _ *model.Element) {
			carries, not := true, false
			f.Host("vios1").Elements["ent9"].HAState, f.Host("vios2").Elements["ent9"].HAState = "BACKUP_SH", "PRIMARY_SH"
			f.Host("vios1").Elements["ent4"].Bridges, f.Host("vios2").Elements["ent4"].Bridges = &carries, &not
		}, []bridge{
			{SEA: model.Ref{Host: "vios1", Element: "ent9"}, Trunk: "ent4", VLAN: 1, State: graph.Active},
			{SEA: model.Ref{Host: "vios2", Element: "ent9"}, Trunk: "ent4", VLAN: 1, State: graph.Standby},
		}, ""},
		{"another VLAN", func(_ *model.Fleet, c *model.Element) { c.PVID = id(2) }, nil, "VLAN 2"},
		{"VLAN not read", func(_ *model.Fleet, c *model.Element) { c.PVID = nil }, nil, "port VLAN id was not read"},
		{"managed system not read", func(f *model.Fleet, _ *model.Element) { f.Hosts[0].MachineID = "" }, nil, "managed system of lpar1 is not known"},
		{"no VIOS read", func(f *model.Fleet, _ *model.Element) { f.Hosts = f.Hosts[:1] }, nil, "no VIOS"},
		{"VIOSes of another system", func(f *model.Fleet, _ *model.Element) { f.Hosts[1].MachineID, f.Hosts[2].MachineID = "N", "N" }, nil, "no VIOS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := bridged()
			tt.change(f, f.Hosts[0].Elements["ent0"])
			got, gap := bridgesOf(f, model.Ref{Host: "lpar1", Element: "ent0"})
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
