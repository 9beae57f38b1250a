package collect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/remotetest"
)

// console answers as an HMC of two systems, to a user who may only look: no id, no
// uname, and lists of what old firmware has.
func console() table {
	return table{
		"lshmc -V":        says("\"version= Version: 10\n Release: 2\n Service Pack: 1030\nHMC Build level 2211110153\n\",\"base_version=V10R2\n\"\n"),
		"lssyscfg -r sys": says("name=cec 1,type_model=9009-22A,serial_num=7812345,state=Operating\nname=cec2,type_model=9009-22A,serial_num=7899999,state=Operating\n"),
		"lssyscfg -r lpar -m 'cec 1'": says("name=lpar1,lpar_id=3,lpar_env=aixlinux,state=Running,os_version=AIX 7.2 7200-05-06-2320,rmc_state=active,default_profile=normal\n" +
			"name=web9,lpar_id=4,lpar_env=aixlinux,state=Running,os_version=Linux/SuSE 5.14,rmc_state=active,default_profile=normal\n"),
		"lshwres -r virtualio --rsubtype eth --level lpar -m 'cec 1'": says(
			"lpar_name=lpar1,lpar_id=3,slot_num=2,state=1,is_required=0,is_trunk=0,ieee_virtual_eth=0,port_vlan_id=77,vswitch=ETHERNET0(Default),addl_vlan_ids=none,mac_addr=FA0011223302\n" +
				"lpar_name=web9,lpar_id=4,slot_num=2,state=1,is_required=0,is_trunk=0,ieee_virtual_eth=0,port_vlan_id=77,vswitch=ETHERNET0(Default),addl_vlan_ids=none,mac_addr=FA0011223303\n"),
		"lshwres -r virtualio --rsubtype vnic -m 'cec 1'": {Stderr: "HSCL1234 This operation is not supported on this managed system.\n", Exit: 1},
	}
}

// An HMC is read as a host is, and completes the hosts that are read with it.
func TestHMC(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"hmc1": console().Serve, "lpar1": aixHost().Serve})
	dir := t.TempDir()
	out, err := Fleet(t.Context(), f.Hosts("hmc1", "lpar1"), dir, Options{System: "cec 1"}, nil)
	if err != nil || out[0].Err != nil || out[1].Err != nil {
		t.Fatalf("got %v, %+v", err, out)
	}
	for _, l := range f.Server("hmc1").Lines() {
		if strings.Contains(l, "cec2") || strings.Contains(l, "PATH=") || strings.Contains(l, "oem_setup_env") {
			t.Errorf("sent to the HMC: %q", l)
		}
	}
	for name, read := range map[string]func() (*model.Fleet, error){
		"saved": func() (*model.Fleet, error) { return Inventories(t.Context(), dir) },
		"live": func() (*model.Fleet, error) {
			return Assemble(ReadFleet(t.Context(), f.Hosts("hmc1", "lpar1"), Options{System: "cec 1"}, nil))
		},
	} {
		t.Run(name, func(t *testing.T) {
			fleet, err := read()
			if err != nil || len(fleet.HMCs) != 1 || len(fleet.Hosts) != 1 {
				t.Fatalf("got %+v, %v, want an HMC and a host", fleet, err)
			}
			c := fleet.HMCs[0]
			var got []string
			for _, a := range c.Adapters {
				got = append(got, strings.Join([]string{a.System, a.LPAR, a.MAC, string(a.Runs)}, " "))
			}
			if diff := cmp.Diff([]string{"9009-22A*7812345 lpar1 fa:00:11:22:33:02 aix", "9009-22A*7812345 web9 fa:00:11:22:33:03 linux"}, got); diff != "" {
				t.Errorf("adapters (-want +got):\n%s", diff)
			}
			if e := fleet.Hosts[0].Elements["ent0"]; e == nil || e.PVID == nil || *e.PVID != 77 {
				t.Errorf("lpar1 ent0: got %+v, want the port VLAN 77 that the HMC lists", e)
			}
			refused := slices.ContainsFunc(c.Gaps, func(g model.Gap) bool { return strings.Contains(g.Why, "not supported") })
			if len(fleet.Unread()) != 1 || !refused {
				t.Errorf("unread %v, gaps %v; want web9, and what the HMC refused", fleet.Unread(), c.Gaps)
			}
		})
	}
}

func TestPartitions(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"hmc1": console().Serve})
	list, err := Partitions(ReadFleet(t.Context(), f.Hosts("hmc1"), Options{}, nil)[0].Snapshot)
	want := []Partition{{Name: "lpar1", System: "cec 1"}, {Name: "web9", System: "cec 1"}}
	if diff := cmp.Diff(want, list); diff != "" || err != nil {
		t.Errorf("partitions: %v (-want +got):\n%s", err, diff)
	}
}

// An HMC prints a list whole to a login without a terminal; one of many partitions and
// adapters is read to its end, and asked for by managed system.
func TestHMCWithLongLists(t *testing.T) {
	var lpars, adapters strings.Builder
	for i := 1; i <= 1000; i++ {
		fmt.Fprintf(&lpars, "name=lpar%d,lpar_id=%d,lpar_env=aixlinux,state=Running,os_version=AIX 7.2,rmc_state=active,default_profile=normal\n", i, i)
		for slot := 2; slot < 12; slot++ {
			fmt.Fprintf(&adapters, "lpar_name=lpar%d,lpar_id=%d,slot_num=%d,state=1,is_required=0,is_trunk=0,ieee_virtual_eth=0,"+
				"port_vlan_id=%d,vswitch=ETHERNET0(Default),addl_vlan_ids=none,mac_addr=%012X\n", i, i, slot, slot, i<<8+slot)
		}
	}
	answers := console()
	answers["lssyscfg -r lpar -m 'cec 1'"] = says(lpars.String())
	answers["lshwres -r virtualio --rsubtype eth --level lpar -m 'cec 1'"] = says(adapters.String())
	f := remotetest.Start(t, map[string]remotetest.Handler{"hmc1": answers.Serve})
	live := ReadFleet(t.Context(), f.Hosts("hmc1"), Options{System: "cec 1"}, nil)
	names, err := Partitions(live[0].Snapshot)
	if err != nil || len(names) != 1000 || names[999].Name != "lpar1000" {
		t.Errorf("partitions: got %d, %v, want 1000", len(names), err)
	}
	fleet, err := Assemble(live)
	if err != nil || len(fleet.HMCs) != 1 || len(fleet.HMCs[0].Adapters) != 10_000 {
		t.Errorf("adapters: got %+v, %v, want 10,000", len(fleet.HMCs), err)
	}
	for _, l := range f.Server("hmc1").Lines() {
		if strings.Contains(l, "--level") && !strings.Contains(l, "-m ") || strings.Contains(l, "more") || strings.Contains(l, "less") {
			t.Errorf("asked for %q: no managed system, or a pager", l)
		}
	}
}

func TestHMCWithoutTheSystem(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"hmc1": console().Serve})
	live := ReadFleet(t.Context(), f.Hosts("hmc1"), Options{System: "cec3"}, nil)
	if live[0].Err != nil || !strings.Contains(live[0].Manifest.Gaps[0].Why, "does not list it") {
		t.Errorf("got %+v, want a gap that says so", live[0].Manifest)
	}
}
