package assemble_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

const (
	viosDevices = "ent3 Available  Virtual I/O Ethernet Adapter (l-lan)\nent9 Available  Shared Ethernet Adapter\n"
	vnicMap     = "Name          Physloc                            ClntID ClntName       ClntOS\n------------- ---------------------------------- ------ -------------- -------\n" +
		"vnicserver0   U9080.M9S.12345AB-V1-C32897             3 lpar1          AIX\n\nBacking device:ent4\nStatus:Available\nPhysloc:U78D4.001.WZS01A2-P1-C1-T1-S3\n" +
		"Client device name:ent1\nClient device physloc:U9080.M9S.12345AB-V3-C5\n\n"
	vnicCounts = "--------------------------------------------------------------------------------\nVNIC Server Statistics: vnicserver0\n--------------------------------------------------------------------------------\n" +
		"Device Statistics:\n------------------\nState: active\nBacking Device Name: ent4\n\nFailover State: inactive\nFailover Readiness: operational\nFailover Priority: 50\n\n" +
		"Client Partition ID: 3\nClient Partition Name: lpar1\nClient Operating System: AIX\nClient Device Name: N/A\nClient Device Location Code: U9080.M9S.12345AB-V3-C5\n" +
		"\nMain CRQ Statistics:\n--------------------                    \nState: open                             Error Indications: 191\n" +
		"Commands Sent: 5944638                  Adapter Problem: 2\nLogin Requests: 4                       Low Memory: 0\nReboots: 3\n" +
		"\n-------------------------------------------------------------\n\nPCIe3 4-Port 10GbE SR Adapter VF \n" +
		"-------------------------------------------------------------\n\nDevice Statistics:\n------------------\nDevice ID: df1028e21410e304\n" +
		"VF Minimum Bandwidth: 2%\nVF Maximum Bandwidth: 40%\n"
	seaCounts = "================================================================================\n\nAdvanced Statistics for SEA\nDevice Name: ent9\n\n" +
		"================================================================================\nMAC: 2:00:00:0:00:0A\n----------------------\n\nVLAN: 20\nVLAN Priority: 0\nIP: 10.1.0.11\n\n" +
		"Packets: 5 Packets: 7\nBytes: 8 Bytes: 9\n\nMAC: 02:00:00:00:00:0B\n\nVLAN: None\nVLAN Priority: None\n\nPackets: 5 Packets: 7\nBytes: 8 Bytes: 9\n"
)

func TestWhomAVIOSServes(t *testing.T) {
	id := func(n int) *int { return &n }
	h := host(model.VIOS, text("lsdev-Cc-adapter", "", viosDevices), text("lsmap", "", vnicMap), text("vnicstat", "vnicserver0", vnicCounts), text("seastat", "ent9", seaCounts))
	servers := []model.VNICServer{{Name: "vnicserver0", Backing: "ent4", Client: "lpar1", ClientID: id(3), ClientDevice: "ent1",
		ClientLocation: "U9080.M9S.12345AB-V3-C5", State: "inactive", Ready: new(true), Priority: id(50)}}
	if diff := cmp.Diff(servers, h.Servers); diff != "" {
		t.Errorf("vNIC servers (-want +got):\n%s", diff)
	}
	counted := map[string]uint64{"vnic.Login Requests": 4, "vnic.Reboots": 3, "vnic.Error Indications": 191, "vnic.Adapter Problem": 2}
	if diff := cmp.Diff(counted, h.Elements["ent4"].Counters.Map()); diff != "" {
		t.Errorf("counters of the backing device (-want +got):\n%s", diff)
	}
	share := model.PortShare{Capacity: new(2.0), MaxCapacity: new(40.0)}
	if diff := cmp.Diff(share, h.Elements["ent4"].PortShare); diff != "" {
		t.Errorf("shares of the backing device (-want +got):\n%s", diff)
	}
	seen := []model.SEAClient{{MAC: "02:00:00:00:00:0a", VLAN: id(20), IP: "10.1.0.11"}, {MAC: "02:00:00:00:00:0b"}}
	if diff := cmp.Diff(seen, h.Elements["ent9"].Clients); diff != "" {
		t.Errorf("clients of the SEA (-want +got):\n%s", diff)
	}
	if len(h.Gaps) > 0 {
		t.Errorf("gaps: got %v, want none", h.Gaps)
	}
}

// A virtual adapter's location names the managed system and the partition.
func TestLocations(t *testing.T) {
	lscfg := "  ent0             U9009.22A.12345AB-V3-C2-T1  Virtual I/O Ethernet Adapter (l-lan)\n\n        Network Address.............02000000030A\n"
	for name, outputs := range map[string][]assemble.Output{
		"lscfg":       {text("lscfg", "", lscfg)},
		"lsdev first": {text("lsdev-Cc-adapter", "", "ent0 Available  Virtual I/O Ethernet Adapter (l-lan)\n"), text("lscfg", "", lscfg)},
	} {
		h := host(model.AIX, outputs...)
		e := h.Elements["ent0"]
		if e == nil || e.Kind != model.Virtual || e.Location != "U9009.22A.12345AB-V3-C2-T1" || e.MAC != "02:00:00:00:03:0a" {
			t.Errorf("%s: got %+v", name, e)
		}
		if h.MachineID != "9009-22A*12345AB" || show(h.Partition.Number) != "3" {
			t.Errorf("%s: got system %q, partition %s, want 9009-22A*12345AB and 3", name, h.MachineID, show(h.Partition.Number))
		}
	}
	port := host(model.AIX, text("lscfg", "", "  ent4             U78D3.001.WZS0123-P1-C11-T1  PCIe2 4-Port Adapter (10GbE SFP+) (e4148a1614109304)\n"))
	if port.MachineID != "" || port.Partition.Number != nil {
		t.Errorf("a port's location: got system %q, partition %s, want neither: it names an enclosure", port.MachineID, show(port.Partition.Number))
	}
	h := host(model.VIOS, text("lsmap-all-net", "", "SVEA   Physloc\n------ --------------------------------------------\nent3   U9009.22A.12345AB-V1-C2-T1\n\nSEA                   ent9\nBacking device        ent0\n\n"))
	if h.MachineID != "9009-22A*12345AB" || show(h.Partition.Number) != "1" {
		t.Errorf("lsmap: got system %q, partition %s, want 9009-22A*12345AB and 1", h.MachineID, show(h.Partition.Number))
	}
}

func TestConsole(t *testing.T) {
	id := func(n int) *int { return &n }
	list := func(command, s string) assemble.Output {
		name := "hmc-lshwres-eth"
		if command[:8] == "lssyscfg" {
			name = "hmc-lssyscfg-sys"
		}
		return assemble.Output{ID: name, Command: command, Text: []byte(s)}
	}
	c := assemble.HMC(assemble.About{Name: "hmc1"}, []assemble.Output{
		list("lshwres -r virtualio --rsubtype eth --level lpar -m s1 -F lpar_name:lpar_id:slot_num:is_trunk:port_vlan_id:vswitch:addl_vlan_ids:mac_addr",
			"vios1:1:2:1:1:ETHERNET0(Default):10,20:020000000102\n"),
		list("lshwres -r virtualio --rsubtype vnic --level lpar -m s2", `lpar_name=lpar1,lpar_id=3,slot_num=5,port_vlan_id=0,mac_addr=020000000305,backing_devices=sriov/vios1/1/1/0/27004001/2.0`+"\n"),
		list("lshwres -r sriov --rsubtype logport --level eth -m s2", "lpar_name=lpar1,lpar_id=3,adapter_id=1,logical_port_id=27004005,location_code=U78D3.001.WZS0001-P1-C4-T1-S5,max_capacity=20.0,mac_addr=020000000308\n"),
		list("lssyscfg -r sys -F name,type_model,serial_num", "s1,9009-22A,12345AB\ns2,9080-M9S,12345CD\n"),
		list("lssyscfg -r lpar -m s1 -F name,lpar_id,lpar_env", "vios1,1,vioserver\nother,1,os400\n"),
		list("lssyscfg -r lpar -m s2 -F name,lpar_id,lpar_env", "vios1,1,os400\n"),
		list("lshwres -r virtualio --rsubtype eth --level lpar -m s3 -F lpar_name", "one,two\n"),
	})
	yes := true
	want := []model.AdapterProfile{
		{Kind: model.Virtual, System: "9009-22A*12345AB", LPAR: "vios1", LPARID: id(1), Slot: id(2), MAC: "02:00:00:00:01:02", PVID: id(1), VLANs: []int{10, 20}, VSwitch: "ETHERNET0", Trunk: &yes, Runs: model.VIOS},
		{Kind: model.VNIC, List: 1, System: "9080-M9S*12345CD", LPAR: "lpar1", LPARID: id(3), Slot: id(5), MAC: "02:00:00:00:03:05", PVID: id(0), VNICFacts: model.VNICFacts{ListedBy: "hmc1", Backing: []model.Backing{{VIOS: "vios1", LogicalPort: "27004001", Port: "1/0", PortShare: model.PortShare{Capacity: new(2.0)}}}}},
		{Kind: model.Physical, List: 2, System: "9080-M9S*12345CD", LPAR: "lpar1", LPARID: id(3), MAC: "02:00:00:00:03:08", Location: "U78D3.001.WZS0001-P1-C4-T1-S5", LogicalPort: "27004005", PortShare: model.PortShare{MaxCapacity: new(20.0)}},
	}
	for i := range c.Adapters {
		if c.Adapters[i].From.Line != 1 || c.Adapters[i].From.Text == "" {
			t.Errorf("adapter %d: got origin %+v, want its line", i, c.Adapters[i].From)
		}
		c.Adapters[i].From = model.Origin{}
	}
	if diff := cmp.Diff(want, c.Adapters); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(c.Whole) != 1 || !strings.Contains(c.Whole[0], "-m s1") {
		t.Errorf("whole lists: got %v, want the first: the second is of vNICs, of the last a line was not understood", c.Whole)
	}
	if len(c.Gaps) != 1 {
		t.Errorf("gaps: got %v, want one for the list whose columns do not fit", c.Gaps)
	}
}

// FuzzConsole feeds texts as what an HMC lists: no join over them may panic, and
// nobody may be joined to a host that was not read.
func FuzzConsole(f *testing.F) {
	f.Add("lshwres -m s1 -F lpar_name:mac_addr", []byte("lpar1:020000000302\n"), []byte(vnicMap))
	f.Add("lshwres", []byte("lpar_name=lpar1,lpar_id=3,slot_num=2,port_vlan_id=1,mac_addr=020000000302\n"), []byte(seaCounts))
	f.Fuzz(func(t *testing.T, command string, list, said []byte) {
		c := assemble.HMC(assemble.About{Name: "hmc1"}, []assemble.Output{{ID: "hmc-lshwres-eth", Command: command, Text: list}, {ID: "hmc-lssyscfg-sys", Command: command, Text: said}})
		h := host(model.VIOS, text("lsdev-Cc-adapter", "", viosDevices), text("lsmap", "", string(said)), text("vnicstat", "", string(said)), text("seastat", "ent9", string(said)))
		fleet := &model.Fleet{Hosts: []*model.Host{h}, HMCs: []*model.HMC{c}}
		fleet.MergeHMC()
		g := graph.Of(fleet)
		for _, name := range h.Names(model.SEA) {
			for _, client := range graph.UnreadClients(g.At(model.Ref{Host: "h", Element: name})) {
				if _, gap := client.Bridges(); gap != nil {
					t.Errorf("client %s of %s has gap %v", client, name, gap)
				}
			}
		}
		for _, s := range g.Segments() {
			for _, sea := range slices.Concat(s.Active, s.Standby, s.Unknown) {
				if sea.Host != "h" {
					t.Errorf("VLAN %d is bridged by %s, which was not read", s.VLAN, sea)
				}
			}
		}
	})
}
