package hmc

import (
	"errors"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[List]{
	Parse:  Parse,
	Report: func(l *List) *parse.Report { return &l.Report },
}

var update = flag.Bool("update", false, "write the golden files")

func TestCorpus(t *testing.T) {
	codec.Corpus(t, *update, "hmc_lshwres/ziutus*", "hmc_lshwres/hmcmcp*", "hmc_lssyscfg/*lpar.txt", "hmc_lssyscfg/*prof*", "hmc_lssyscfg/*lshmc*", "hmc_lssyscfg/*lssysconn*")
}

func TestFast(t *testing.T) { codec.Fast(t, sample) }

const sample = `lpar_name=vios1,lpar_id=1,slot_num=4,state=1,is_required=1,is_trunk=1,trunk_priority=1,ieee_virtual_eth=1,port_vlan_id=1,vswitch=ETHERNET0,"addl_vlan_ids=10,11",mac_addr=0A1B2C000104
lpar_name=lpar1,lpar_id=3,slot_num=2,state=1,is_required=1,is_trunk=0,ieee_virtual_eth=0,port_vlan_id=10,vswitch=ETHERNET0,addl_vlan_ids=,mac_addr=0A1B2C000302
name=normal,"virtual_eth_adapters=""4/1/1/10,11/1/1/ETHERNET0""",lpar_env=vioserver
`

func number(n int) *int  { return &n }
func truth(b bool) *bool { return &b }

func TestEthernet(t *testing.T) {
	l := codec.Read(t, sample)
	want := []VirtualEthernet{
		{LPAR: "vios1", LPARID: number(1), Slot: number(4), Active: truth(true), PVID: number(1), VLANs: []int{10, 11}, IEEE: truth(true),
			Trunk: truth(true), TrunkPriority: number(1), VSwitch: "ETHERNET0", MAC: "0a:1b:2c:00:01:04", Line: 1},
		{LPAR: "lpar1", LPARID: number(3), Slot: number(2), Active: truth(true), PVID: number(10), IEEE: truth(false),
			Trunk: truth(false), VSwitch: "ETHERNET0", MAC: "0a:1b:2c:00:03:02", Line: 2},
	}
	if d := cmp.Diff(want, l.Ethernet()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if v, ok := l.Records[2].Get("virtual_eth_adapters"); !ok || v != `"4/1/1/10,11/1/1/ETHERNET0"` {
		t.Errorf("quoted field: got %q, %v", v, ok)
	}
}

func TestUnknownIsNotZero(t *testing.T) {
	l := codec.Read(t, "lpar_name=a,slot_num=x,state=7,port_vlan_id=null,\"addl_vlan_ids=10,eleven\",mac_addr=12\n")
	e := l.Ethernet()[0]
	if e.Slot != nil || e.Active != nil || e.PVID != nil || e.Trunk != nil || e.MAC != "" {
		t.Errorf("unreadable values became known: %+v", e)
	}
	if len(l.Warnings) == 0 {
		t.Error("a VLAN id that is no number gave no warning")
	}
}

func TestFields(t *testing.T) {
	text := "vios1,4,\"10,11\"\nlpar1,2,none\n"
	l, err := ParseFields([]byte(text), "lpar_name,slot_num,addl_vlan_ids")
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := l.Records[0].Get("addl_vlan_ids"); v != "10,11" {
		t.Errorf("VLANs: got %q, want 10,11", v)
	}
	l = codec.Read(t, "lpar_name,slot_num\nvios1,4\n")
	if v, _ := l.Records[0].Get("slot_num"); !l.Header || v != "4" {
		t.Errorf("--header: got %+v", l)
	}
}

// The separator is the one between the names that were asked for; a value may
// then hold commas.
func TestSeparators(t *testing.T) {
	text := "vios1:1:10,20\nlpar1:3:none\n"
	for name, list := range map[string]string{"without header": text, "with header": "lpar_name:lpar_id:addl_vlan_ids\n" + text} {
		l, err := ParseFields([]byte(list), "lpar_name:lpar_id:addl_vlan_ids")
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Records) != 2 || len(l.Unknown) > 0 {
			t.Fatalf("%s: got %+v, want two records", name, l)
		}
		if v, _ := l.Records[0].Get("addl_vlan_ids"); v != "10,20" {
			t.Errorf("%s: got VLANs %q, want 10,20", name, v)
		}
	}
	l := codec.Read(t, "name;type_model;serial_num\nserver1;9009-22A;7812345\n")
	if v, _ := l.Records[0].Get("serial_num"); !l.Header || v != "7812345" {
		t.Errorf("header with semicolons: got %+v", l)
	}
	for _, list := range []string{"a,b:c", "a,a", "a,", "--x"} {
		if _, err := ParseFields([]byte("1,2\n"), list); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("list %q: got %v, want %v", list, err, parse.ErrNotRecognised)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, text := range []string{"HSCL8018 The managed system X was not found.\n", "No results were found.\n"} {
		l := codec.Read(t, text)
		if len(l.Records) != 0 || len(l.Warnings) != 1 {
			t.Errorf("%q: got %+v, want a warning alone", text, l)
		}
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "nothing of the kind\n", "\"=\n"} {
		if l, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, parse.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, sample, "a=b,\"c=d\r\ne\"\r\n\"\r\n", "\"version= V\n1\n\",\"b=2\n\"\n", "a,b\n1,2")
}

func FuzzRead(f *testing.F) {
	f.Add("lshwres -r virtualio -F lpar_name,slot_num", []byte("vios1,2\n"))
	f.Add("lshwres -r virtualio -F lpar_name,slot_num --header", []byte("lpar_name,slot_num\nvios1,2\n"))
	f.Add("lssyscfg -r lpar", []byte("name=a,lpar_id=1\n"))
	f.Fuzz(func(_ *testing.T, command string, text []byte) { _, _ = Read(command, text) })
}

func FuzzParseFields(f *testing.F) {
	f.Add([]byte("vios1,2,\"10,20\"\n"), "lpar_name,slot_num,addl_vlan_ids")
	f.Add([]byte("a,b\r\n1,2"), "a,b")
	f.Fuzz(func(_ *testing.T, text []byte, names string) { _, _ = ParseFields(text, names) })
}
