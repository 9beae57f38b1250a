package lsseas

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[Report]{
	Parse:  Parse,
	Report: func(r *Report) *parse.Report { return &r.Report },
}

const sample = "running lssea on vios1 | IBM,0212345AB | ioslevel 3.1.4.21 | 2.0 20200108 | Tue May  6 10:45:30 CET 2025\n" +
	"Virtual ethernet adapters are : en17\nmtu_bypass : on\nnetaddr : 192.0.2.1\n" +
	"+------------------------------------------------------+\nSEA : \x1b[m\x0f ent29 \x1b[m\x0f\nha_mode              : Sharing\nstate                : \x1b[mBACKUP_SH\x1b[m\n" +
	"number of adapters   : 4\nbecome backup/primary: 0/1\npriority             : 2\nvlans                : 11 12 104 106\nflags                :  THREAD  LARGESEND \n" +
	"+------------------------------------------------------+\n\x1b[m ETHERCHANNEL \x1b[m\n" +
	"adapter phys_adapters   mode       hash_mode       jumbo     \n------- -------------   ----       ---------       -----     \n" +
	"ent16   ent0,ent1       8023ad     src_dst_port    yes       \n REAL ADAPTERS \n" +
	"adapter slot hardware_path               link selected_speed  running_speed         actor_system      actor_sync  partner_system    partner_port partner_sync\n" +
	"------- ---- -------------               ---- --------------  -------------         ------------      ----------  --------------    ------------ ------------\n" +
	"ent0    C2   U78CB.001.WZS0001-P1-C2-T1  Up   not_applicable  10_Gbps_Full_Duplex   00-11-22-33-44-55 IN_SYNC     66-77-88-99-AA-BB 0x0007       IN_SYNC\n" +
	"ent1    C2   U78CB.001.WZS0001-P1-C2-T2  Down not_applicable  10_Gbps_Full_Duplex   00-11-22-33-44-55 IN_SYNC     00-00-00-00-00-00 0x0000       OUT_OF_SYNC\n" +
	" VIRTUAL ADAPTERS \nadapter slot hardware_path               priority active port_vlan_id  vswitch    mode vlan_tags_ids \n" +
	"------- ---- -------------               -------- ------ ------------  -------    ---- ------------- \n" +
	"ent18   C11  U9009.22A.12345AB-V1-C11-T0 2        True   11            ETHERNET0  VEB  2\n" +
	"ent19   C12  U9009.22A.12345AB-V1-C12-T0 2        False  12            ETHERNET0  VEB  104,106\n" +
	" NO CONTROL CHANNEL \nctl_chan port_vlan_id: 4095\n"

func TestParse(t *testing.T) {
	r := codec.Read(t, sample)
	want := []*SEA{{
		Name: "ent29", Mode: "Sharing", State: "BACKUP_SH", Priority: new(2), VLANs: []int{11, 12, 104, 106}, Flags: []string{"THREAD", "LARGESEND"},
		Channel: &Channel{Name: "ent16", Members: []string{"ent0", "ent1"}, Mode: "8023ad", Hash: "src_dst_port", Jumbo: "yes"},
		Ports: []Port{
			{Name: "ent0", Location: "U78CB.001.WZS0001-P1-C2-T1", Up: new(true), Speed: "10_Gbps_Full_Duplex", ActorSync: "IN_SYNC", Partner: "66-77-88-99-AA-BB", PartnerSync: "IN_SYNC"},
			{Name: "ent1", Location: "U78CB.001.WZS0001-P1-C2-T2", Up: new(false), Speed: "10_Gbps_Full_Duplex", ActorSync: "IN_SYNC", Partner: "00-00-00-00-00-00", PartnerSync: "OUT_OF_SYNC"},
		},
		Trunks: []Trunk{
			{Name: "ent18", Location: "U9009.22A.12345AB-V1-C11-T0", Priority: new(2), Active: new(true), PVID: new(11), VSwitch: "ETHERNET0", VLANs: []int{}},
			{Name: "ent19", Location: "U9009.22A.12345AB-V1-C12-T0", Priority: new(2), Active: new(false), PVID: new(12), VSwitch: "ETHERNET0", VLANs: []int{104, 106}},
		},
	}}
	if diff := cmp.Diff(want, r.SEAs); diff != "" {
		t.Errorf("SEAs (-want +got):\n%s", diff)
	}
	if r.Host != "vios1" || r.System != "IBM,0212345AB" || r.Level != "3.1.4.21" || len(r.Unknown) > 0 {
		t.Errorf("head: got %s %s %s, not understood %v", r.Host, r.System, r.Level, r.Unknown)
	}
}

// What is not a value is not read as one.
func TestDoubtful(t *testing.T) {
	for name, c := range map[string][2]string{
		"a VLAN beyond all":   {"vlans                : 11 12", "vlans                : 11 5000"},
		"a link of no kind":   {"C2-T1  Up  ", "C2-T1  Upp "},
		"a table cut off":     {"ETHERNET0  VEB  104,106\n", "ETHE\n"},
		"a label of no kind":  {"ha_mode  ", "ha_mood  "},
		"a priority of words": {"priority             : 2", "priority             : two"},
	} {
		r, err := Parse([]byte(strings.Replace(sample, c[0], c[1], 1)))
		if err != nil || len(r.Unknown) != 1 {
			t.Errorf("%s: got %v, %v, want one line not understood", name, r, err)
		}
	}
	for _, text := range []string{"", "running lssea on vios1\n", strings.ReplaceAll(sample, "running", "ran")} {
		if _, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%.30q: got %v, want it refused", text, err)
		}
	}
}

// All lines of real reports are understood; golden counts of what is in them.
func TestCorpus(t *testing.T) {
	for _, file := range codectest.Files(t, "lsseas_report/*.txt") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, report, ok := strings.Cut(string(text), "\nrunning lssea on ")
		r, err := Parse([]byte("running lssea on " + report))
		if !ok || err != nil || len(r.Unknown) > 0 {
			t.Errorf("%s: %v, not understood: %v", file, err, r.Unknown)
			continue
		}
		ports, trunks, primary := 0, 0, 0
		for _, s := range r.SEAs {
			ports, trunks = ports+len(s.Ports), trunks+len(s.Trunks)
			if strings.HasPrefix(s.State, "PRIMARY") {
				primary++
			}
			if s.Channel != nil && (len(s.Ports) != 4 || s.Ports[1].Partner != "00-00-00-00-00-00" || s.Ports[1].PartnerSync != "OUT_OF_SYNC") {
				t.Errorf("%s: %s: got %+v", file, s.Name, s)
			}
		}
		if len(r.SEAs) < 5 || ports != len(r.SEAs)+3 || trunks < 9 || primary == 0 || primary == len(r.SEAs) {
			t.Errorf("%s: got %d SEAs, %d ports, %d trunk adapters, %d primary", file, len(r.SEAs), ports, trunks, primary)
		}
	}
}

func TestFast(t *testing.T) { codec.Fast(t, sample) }

func FuzzParse(f *testing.F) { codec.Fuzz(f, sample) }
