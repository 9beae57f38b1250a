package hmc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVNICs(t *testing.T) {
	text := `lpar_name=lpar1,lpar_id=3,slot_num=5,desired_mode=ded,curr_mode=ded,auto_priority_failover=1,port_vlan_id=0,mac_addr=0A1B2C000305,"backing_devices=sriov/vios1/1/1/0/27004001/2.0/2.0/10,sriov/vios2/2/2/0/27008001/4.0/4.0/60/50.0/50.0,sriov/vios2/x/2/1/2.0/50","backing_device_states=sriov/27004001/1/Operational,sriov/27008001/0/NotOperational"
lpar_name=lpar2,lpar_id=4,slot_num=6,port_vlan_id=0,mac_addr=null,backing_devices=none
`
	want := []VNIC{
		{LPAR: "lpar1", LPARID: number(3), Slot: number(5), PVID: number(0), MAC: "0a:1b:2c:00:03:05", AutoFailover: truth(true), Line: 1, Backing: []Backing{
			{VIOS: "vios1", VIOSID: number(1), Adapter: "1", Port: "0", LogicalPort: "27004001", Capacity: share(2), Priority: number(10),
				Active: truth(true), State: "Operational"},
			{VIOS: "vios2", VIOSID: number(2), Adapter: "2", Port: "0", LogicalPort: "27008001", Capacity: share(4), MaxCapacity: share(50),
				Priority: number(60), Active: truth(false), State: "NotOperational"},
			{VIOS: "vios2", Adapter: "2", Port: "1"},
		}},
		{LPAR: "lpar2", LPARID: number(4), Slot: number(6), PVID: number(0), Line: 2},
	}
	if d := cmp.Diff(want, codec.Read(t, text).VNICs()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func share(v float64) *float64 { return &v }

// A share or a priority that cannot be one is not taken for one.
func TestLogicalPorts(t *testing.T) {
	text := `config_id=0,lpar_name=lpar1,lpar_id=3,adapter_id=1,logical_port_id=27004005,phys_port_id=0,location_code=U78D3.001.WZS0001-P1-C4-T1-S5,capacity=2.0,max_capacity=20.0,mac_addr=0A1B2C000308
lpar_name=lpar2,lpar_id=4,adapter_id=1,logical_port_id=27004006,phys_port_id=0,capacity=200,max_capacity=NaN,mac_addr=null
adapter_id=1,logical_port_id=null,phys_port_id=1
`
	want := []LogicalPort{
		{LPAR: "lpar1", LPARID: number(3), Adapter: "1", Port: "0", ID: "27004005", Location: "U78D3.001.WZS0001-P1-C4-T1-S5",
			MAC: "0a:1b:2c:00:03:08", Capacity: share(2), MaxCapacity: share(20), Line: 1},
		{LPAR: "lpar2", LPARID: number(4), Adapter: "1", Port: "0", ID: "27004006", Line: 2},
	}
	if d := cmp.Diff(want, codec.Read(t, text).LogicalPorts()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestSystems(t *testing.T) {
	text := "name=server1,type_model=9009-22A,serial_num=78123AB,state=Operating\nname=server2,type_model=9080-M9S,state=Operating\nname=lpar1,lpar_id=3,type_model=x,serial_num=y\n"
	got := codec.Read(t, text).Systems()
	want := []System{{Name: "server1", TypeModel: "9009-22A", Serial: "78123AB"}, {Name: "server2", TypeModel: "9080-M9S"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got[0].ID() != "9009-22A*78123AB" || got[1].ID() != "" {
		t.Errorf("got ids %q and %q, want that of the first only", got[0].ID(), got[1].ID())
	}
}

func TestReadTakesTheColumnsFromTheCommand(t *testing.T) {
	for _, c := range []struct{ command, text, want string }{
		{"lshwres -r virtualio --rsubtype eth --level lpar -m server1 -F lpar_name,slot_num", "vios1,4\n", "vios1"},
		{"lshwres -r virtualio --rsubtype eth -F \"lpar_name:slot_num\" --header", "lpar_name:slot_num\nvios1:4\n", "vios1"},
		{"lshwres -r virtualio --rsubtype eth --level lpar", "lpar_name=vios1,slot_num=4\n", "vios1"},
		{"lssyscfg -r lpar -F", "lpar_name=vios1\n", "vios1"},
	} {
		l, err := Read(c.command, []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		if got, _ := l.Records[0].Get("lpar_name"); got != c.want {
			t.Errorf("%s: got partition %q, want %q", c.command, got, c.want)
		}
	}
	if got := Option("lshwres -m 'server1' -r sys", "-m"); got != "server1" {
		t.Errorf("-m: got %q, want server1", got)
	}
}

// Physical ports and adapters of SR-IOV say whether they work; another adapter and a logical port are none of them.
func TestSRIOVPorts(t *testing.T) {
	l, err := Read("lshwres -r sriov --rsubtype physport -m sys1 --level roce", []byte(
		"adapter_id=1,phys_port_id=0,phys_port_type=roce,phys_port_loc=U78D3.001.WZS0001-P1-C4-T1,state=0,conn_speed=null,config_conn_speed=auto\n"+
			"adapter_id=1,phys_port_id=1,phys_port_type=roce,state=1,conn_speed=25 Gbps\nadapter_id=2,phys_port_id=0,state=1,conn_speed=10000\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := l.PhysicalPorts()
	if len(p) != 3 || *p[0].Works || p[0].Mbit != nil || !*p[1].Works || *p[1].Mbit != 25000 || *p[2].Mbit != 10000 || len(l.LogicalPorts()) > 0 {
		t.Errorf("ports: got %+v", p)
	}
	l, err = Read("lshwres -r sriov --rsubtype adapter -m sys1", []byte(
		"adapter_id=1,slot_id=21010018,adapter_max_logical_ports=48,config_state=sriov,functional_state=0,phys_ports=2\n"+
			"adapter_id=null,slot_id=21010019,config_state=dedicated,functional_state=1\n"))
	if err != nil {
		t.Fatal(err)
	}
	a := l.SRIOVAdapters()
	if len(a) != 1 || a[0].ID != "1" || *a[0].Works || len(l.PhysicalPorts()) > 0 {
		t.Errorf("adapters: got %+v", a)
	}
}
