package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// consoled is the managed system of bridged with a Linux client, which does not
// report its VLAN, and an HMC that does.
func consoled() *model.Fleet {
	id := func(n int) *int { return &n }
	f := bridged()
	f.Host("vios2").Elements["ent4"].MAC = "02:00:00:00:01:04"
	f.Hosts = append(f.Hosts, &model.Host{Name: "linux1", Platform: model.Linux, Elements: map[string]*model.Element{
		"eth0": {Name: "eth0", Kind: model.Virtual, MAC: "02:00:00:00:04:02"},
	}})
	no, yes := false, true
	f.HMCs = []*model.HMC{{Name: "hmc1", Adapters: []model.AdapterProfile{
		{Kind: model.Virtual, LPAR: "vios2", LPARID: id(2), Slot: id(4), MAC: "02:00:00:00:01:04", PVID: id(1), VLANs: []int{20}, VSwitch: "ETHERNET0", Trunk: &yes},
		{Kind: model.Virtual, LPAR: "linux1", LPARID: id(4), Slot: id(2), MAC: "02:00:00:00:04:02", PVID: id(20), VSwitch: "ETHERNET0", Trunk: &no},
		{Kind: model.Virtual, LPAR: "db9", LPARID: id(9), Slot: id(2), MAC: "02:00:00:00:09:02", PVID: id(20), VSwitch: "ETHERNET0", Trunk: &no},
	}}}
	return f
}

func TestConsoleTellsWhatAHostCannot(t *testing.T) {
	f := consoled()
	f.MergeHMC()
	linux := f.Host("linux1")
	if linux.MachineID != "M" || linux.Partition.Name != "linux1" || *linux.Partition.Number != 4 {
		t.Errorf("got system %q, partition %+v, want those of the HMC's list", linux.MachineID, linux.Partition)
	}
	got, gap := bridgesOf(f, model.Ref{Host: "linux1", Element: "eth0"})
	want := []bridge{{SEA: model.Ref{Host: "vios2", Element: "ent9"}, Trunk: "ent4", VLAN: 20, State: graph.Active}, {SEA: model.Ref{Host: "vios1", Element: "ent9"}, Trunk: "ent4", VLAN: 20, State: graph.Standby}}
	if diff := cmp.Diff(want, got); diff != "" || gap != nil {
		t.Errorf("bridges of linux1, gap %v (-want +got):\n%s", gap, diff)
	}
	unread := f.Unread()
	if len(unread) != 1 || unread[0].Host.Name != "db9" || unread[0].Adapter.Name != "slot 2" {
		t.Fatalf("unread: got %+v, want slot 2 of db9", unread)
	}
	for _, vios := range []string{"vios1", "vios2"} {
		sea := graph.Of(f).At(model.Ref{Host: vios, Element: "ent9"})
		if got := graph.UnreadClients(sea); len(got) != 1 || got[0].Host != "db9" {
			t.Errorf("clients of the SEA of %s that were not read: got %v, want that of db9", vios, got)
		}
	}
	once, _ := json.Marshal(f)
	f.MergeHMC()
	if twice, _ := json.Marshal(f); string(twice) != string(once) {
		t.Errorf("done again it changes:\n got %s\nwant %s", twice, once)
	}
}

// Where the HMC and a host say different things, or it is not clear which
// adapter the HMC means, nothing is made up.
func TestConsoleDoesNotGuess(t *testing.T) {
	id := func(n int) *int { return &n }
	for _, c := range []struct {
		name   string
		change func(f *model.Fleet)
		want   string // PVID of linux1's adapter, its system
		gap    string
	}{
		{"the host's own answer stays", func(f *model.Fleet) { f.Host("linux1").Elements["eth0"].PVID = id(7) }, "7 M", "the port VLAN id is 7, but hmc1 says 20"},
		{"another switch", func(f *model.Fleet) { f.Host("linux1").Elements["eth0"].VSwitch = "ETHERNET1" }, "20 M", "the hypervisor switch is ETHERNET1, but hmc1 says ETHERNET0"},
		{"two adapters with the MAC address", func(f *model.Fleet) {
			f.Host("lpar1").Elements["ent0"].MAC = "02:00:00:00:04:02"
		}, "- ", ""},
		{"two, one of another partition", func(f *model.Fleet) {
			f.Host("lpar1").Elements["ent0"].MAC = "02:00:00:00:04:02"
			f.Host("lpar1").Partition.Number = id(3)
		}, "20 M", ""},
		{"another partition number", func(f *model.Fleet) { f.Host("linux1").Partition.Number = id(5) }, "- ", ""},
		{"a list of two systems", func(f *model.Fleet) { f.Host("linux1").MachineID = "N" }, "20 N", ""},
		{"no MAC address, but the slot of the named partition", func(f *model.Fleet) {
			f.Host("linux1").Elements["eth0"].MAC = ""
			f.Host("linux1").Elements["eth0"].Location = "U9009.22A.7812345-V4-C2-T1"
			f.Host("linux1").Partition.Name = "linux1"
		}, "20 M", ""},
		{"the slot alone", func(f *model.Fleet) {
			f.Host("linux1").Elements["eth0"].MAC = ""
			f.Host("linux1").Elements["eth0"].Location = "U9009.22A.7812345-V4-C2-T1"
		}, "- ", ""},
		{"no MAC address", func(f *model.Fleet) { f.Host("linux1").Elements["eth0"].MAC = "" }, "- ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := consoled()
			c.change(f)
			f.MergeHMC()
			h := f.Host("linux1")
			pvid := "-"
			if p := h.Elements["eth0"].PVID; p != nil {
				pvid = fmt.Sprint(*p)
			}
			if got := pvid + " " + h.MachineID; got != c.want {
				t.Errorf("PVID and system: got %q, want %q", got, c.want)
			}
			gaps := fmt.Sprint(h.Gaps)
			if c.gap == "" && len(h.Gaps) > 0 || !strings.Contains(gaps, c.gap) {
				t.Errorf("gaps: got %s, want one that says %q", gaps, c.gap)
			}
		})
	}
}

func TestVNICBacking(t *testing.T) {
	id := func(n int) *int { return &n }
	fleet := func() *model.Fleet {
		vios := func(name, state string) *model.Host {
			return &model.Host{Name: name, Platform: model.VIOS, MachineID: "M", Elements: map[string]*model.Element{
				"ent4": {Name: "ent4", Kind: model.Physical},
			}, Servers: []model.VNICServer{{Name: "vnicserver0", Backing: "ent4", ClientID: id(3), ClientDevice: "ent1", ClientLocation: "U9080.M9S.7812345-V3-C5", State: state}}}
		}
		return &model.Fleet{Hosts: []*model.Host{
			{Name: "lpar1", Platform: model.AIX, MachineID: "M", Partition: model.Partition{Number: id(3)}, Elements: map[string]*model.Element{
				"en1":  {Name: "en1", Kind: model.Interface, On: "ent1"},
				"ent1": {Name: "ent1", Kind: model.VNIC, Location: "U9080.M9S.7812345-V3-C5-T0"},
			}},
			vios("vios1", "inactive"), vios("vios2", "active"), {Name: "far", Platform: model.Linux, Elements: map[string]*model.Element{
				"eth0": {Name: "eth0", Kind: model.Physical},
			}},
		}}
	}
	show := func(f *model.Fleet) (hops string, gaps []model.Gap) {
		f.MergeHMC()
		f.MergeHMC()
		p, err := graph.Of(f).Path("lpar1:en1", "far:eth0")
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range p.Hops {
			if h.Ref == nil {
				break // the switch
			}
			hops += h.Ref.String() + " "
		}
		return hops, p.Gaps
	}
	for _, c := range []struct {
		name   string
		change func(*model.Fleet)
		want   string
		gap    string
	}{
		{"by location", func(f *model.Fleet) { f.Hosts[0].Partition.Number = nil }, "lpar1:en1 lpar1:ent1 vios2:ent4 ", ""},
		{"by partition number", func(f *model.Fleet) { f.Hosts[0].Elements["ent1"].Location = "" }, "lpar1:en1 lpar1:ent1 vios2:ent4 ", ""},
		{"neither", func(f *model.Fleet) { f.Hosts[0].Elements["ent1"].Location, f.Hosts[0].MachineID = "", "N" }, "lpar1:en1 lpar1:ent1 ", "was not read"},
		{"the active one was not read", func(f *model.Fleet) { f.Hosts = slices.Delete(f.Hosts, 2, 3) }, "lpar1:en1 lpar1:ent1 ", "carried by vios1 ent4"},
		{"state not known", func(f *model.Fleet) { f.Hosts[1].Servers[0].State, f.Hosts = "", slices.Delete(f.Hosts, 2, 3) }, "lpar1:en1 lpar1:ent1 vios1:ent4 ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fleet()
			c.change(f)
			hops, gaps := show(f)
			if hops != c.want {
				t.Errorf("hops: got %q, want %q", hops, c.want)
			}
			if c.gap == "" && len(gaps) > 0 || !strings.Contains(fmt.Sprint(gaps), c.gap) {
				t.Errorf("gaps: got %v, want %q", gaps, c.gap)
			}
		})
	}
}

// What the HMC said of a VIOS gives way to what that VIOS says; what it alone knows stays.
func TestBackingOfBothSources(t *testing.T) {
	id := func(n int) *int { return &n }
	share := model.PortShare{Capacity: new(2.0), MaxCapacity: new(50.0)}
	f := &model.Fleet{
		Hosts: []*model.Host{
			{Name: "lpar1", MachineID: "M", Elements: map[string]*model.Element{"ent1": {Name: "ent1", Kind: model.VNIC, MAC: "02:00:00:00:03:05"}}},
			{Name: "v1", MachineID: "M", Partition: model.Partition{Name: "vios1"}, Servers: []model.VNICServer{{Name: "vnicserver0", Backing: "ent4", ClientID: id(3), ClientDevice: "ent1"}}},
		},
		HMCs: []*model.HMC{{Name: "hmc1", Adapters: []model.AdapterProfile{{Kind: model.VNIC, LPAR: "lpar1", LPARID: id(3), MAC: "02:00:00:00:03:05",
			VNICFacts: model.VNICFacts{ListedBy: "hmc1", AutoFailover: new(true), Backing: []model.Backing{
				{VIOS: "vios1", LogicalPort: "27004001", Port: "1/0", Priority: id(10), Active: new(true), PortShare: share},
				{VIOS: "vios2", LogicalPort: "27008002"},
			}}}}}},
	}
	f.MergeHMC()
	f.MergeHMC()
	want := model.VNICFacts{ListedBy: "hmc1", AutoFailover: new(true), Backing: []model.Backing{
		{VIOS: "vios1", Host: "v1", Device: "ent4", Server: "vnicserver0", LogicalPort: "27004001", Port: "1/0", Priority: id(10), Active: new(true), PortShare: share},
		{VIOS: "vios2", LogicalPort: "27008002"},
	}}
	if diff := cmp.Diff(want, f.Hosts[0].Elements["ent1"].VNICFacts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A logical port is found by its MAC address or by its location.
func TestSharesOfLogicalPorts(t *testing.T) {
	id := func(n int) *int { return &n }
	const at = "U78D3.001.WZS0001-P1-C4-T1-S5"
	profile := func(lpar int, mac, location string) model.AdapterProfile {
		return model.AdapterProfile{Kind: model.Physical, LPAR: "lpar1", LPARID: id(lpar), MAC: mac, Location: location, PortShare: model.PortShare{MaxCapacity: new(20.0)}}
	}
	for _, c := range []struct {
		name    string
		profile model.AdapterProfile
		found   bool
	}{
		{"by MAC address", profile(3, "02:00:00:00:03:08", ""), true},
		{"by location", profile(3, "", at), true},
		{"another port", profile(3, "", at+"1"), false},
		{"another partition", profile(4, "02:00:00:00:03:08", at), false},
	} {
		port := &model.Element{Name: "ent2", Kind: model.Physical, MAC: "02:00:00:00:03:08", Location: at}
		f := &model.Fleet{
			Hosts: []*model.Host{{Name: "lpar1", Partition: model.Partition{Number: id(3)}, Elements: map[string]*model.Element{"ent2": port}}},
			HMCs:  []*model.HMC{{Name: "hmc1", Adapters: []model.AdapterProfile{c.profile}}},
		}
		f.MergeHMC()
		if found := port.MaxCapacity != nil; found != c.found {
			t.Errorf("%s: found %v, want %v", c.name, found, c.found)
		}
	}
}

func TestSeenClients(t *testing.T) {
	id := func(n int) *int { return &n }
	seen := func(f *model.Fleet, host string, list ...model.SEAClient) {
		f.Host(host).Elements["ent9"].Clients = list
	}
	const mac = "02:00:00:00:03:02"
	for _, c := range []struct {
		name   string
		change func(f *model.Fleet, client *model.Element)
		want   []bridge
	}{
		{"system not known, MAC address seen", func(f *model.Fleet, e *model.Element) {
			f.Hosts[0].MachineID, e.MAC = "", mac
			seen(f, "vios1", model.SEAClient{MAC: mac, VLAN: id(20)})
		}, []bridge{{SEA: model.Ref{Host: "vios1", Element: "ent9"}, Trunk: "ent4", VLAN: 20, Counted: true}}},
		{"VLAN not known, untagged frames seen by both, the active first", func(f *model.Fleet, e *model.Element) {
			e.PVID, e.MAC = nil, mac
			seen(f, "vios1", model.SEAClient{MAC: mac})
			seen(f, "vios2", model.SEAClient{MAC: mac})
		}, []bridge{{SEA: model.Ref{Host: "vios2", Element: "ent9"}, Trunk: "ent4", VLAN: 1, Counted: true}, {SEA: model.Ref{Host: "vios1", Element: "ent9"}, Trunk: "ent4", VLAN: 1, Counted: true}}},
		{"switch not known", func(f *model.Fleet, e *model.Element) {
			e.VSwitch, e.MAC = "", mac
			seen(f, "vios2", model.SEAClient{MAC: mac})
		}, []bridge{{SEA: model.Ref{Host: "vios2", Element: "ent9"}, Trunk: "ent4", VLAN: 1, Counted: true}}},
		{"proved by VLAN and switch, seen or not", func(f *model.Fleet, e *model.Element) {
			e.MAC = mac
			seen(f, "vios1", model.SEAClient{MAC: mac})
		}, []bridge{{SEA: model.Ref{Host: "vios2", Element: "ent9"}, Trunk: "ent4", VLAN: 1}, {SEA: model.Ref{Host: "vios1", Element: "ent9"}, Trunk: "ent4", VLAN: 1}}},
		{"another client's address", func(f *model.Fleet, e *model.Element) {
			e.PVID, e.MAC = nil, mac
			seen(f, "vios1", model.SEAClient{MAC: "02:00:00:00:03:03"})
		}, nil},
		{"two trunks carry the VLAN", func(f *model.Fleet, e *model.Element) {
			e.PVID, e.MAC = nil, mac
			f.Host("vios1").Elements["ent9"].Trunks = []string{"ent4", "ent5"}
			f.Host("vios1").Elements["ent5"] = &model.Element{Name: "ent5", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: id(20)}}
			seen(f, "vios1", model.SEAClient{MAC: mac, VLAN: id(20)})
		}, nil},
		{"seen on two systems", func(f *model.Fleet, e *model.Element) {
			f.Hosts[0].MachineID, e.MAC, f.Host("vios2").MachineID = "", mac, "N"
			seen(f, "vios1", model.SEAClient{MAC: mac})
			seen(f, "vios2", model.SEAClient{MAC: mac})
		}, nil},
		{"seen on another system than its own", func(f *model.Fleet, e *model.Element) {
			e.PVID, e.MAC, f.Host("vios1").MachineID = nil, mac, "N"
			seen(f, "vios1", model.SEAClient{MAC: mac})
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := bridged()
			c.change(f, f.Hosts[0].Elements["ent0"])
			for i := range c.want {
				c.want[i].State = graph.Active
				if c.want[i].SEA.Host == "vios1" {
					c.want[i].State = graph.Standby
				}
			}
			got, gap := bridgesOf(f, model.Ref{Host: "lpar1", Element: "ent0"})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("bridges (-want +got):\n%s", diff)
			}
			if (len(c.want) == 0) != (gap != nil) {
				t.Errorf("gap: got %v", gap)
			}
		})
	}
}
