package printing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/lab/printing"
)

const hmcSample = `lpar_name=vios1,lpar_id=1,slot_num=4,state=1,is_required=1,is_trunk=1,trunk_priority=1,ieee_virtual_eth=1,port_vlan_id=1,vswitch=ETHERNET0,"addl_vlan_ids=10,11",mac_addr=0A1B2C000104
lpar_name=lpar1,lpar_id=3,slot_num=2,state=1,is_required=1,is_trunk=0,ieee_virtual_eth=0,port_vlan_id=10,vswitch=ETHERNET0,addl_vlan_ids=,mac_addr=0A1B2C000302
name=normal,"virtual_eth_adapters=""4/1/1/10,11/1/1/ETHERNET0""",lpar_env=vioserver
`

// What is printed of a list is read as the same list; the sample is as an HMC prints it.
func TestFormatHMC(t *testing.T) {
	l, err := hmc.Parse([]byte(hmcSample))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(printing.FormatHMC(l.Records, nil)); got != hmcSample {
		t.Errorf("got:\n%s\nwant:\n%s", got, hmcSample)
	}
	for _, list := range []string{"lpar_name,addl_vlan_ids,mac_addr", "lpar_name:addl_vlan_ids"} {
		c, ok := printing.ColumnsOf(list, true)
		if !ok {
			t.Fatalf("%q: no list of names", list)
		}
		text := printing.FormatHMC(l.Records[:2], &c)
		again, err := hmc.ParseFields(text, list)
		if err != nil || !again.Header || len(again.Records) != 2 {
			t.Fatalf("%s: got %+v, %v", text, again, err)
		}
		for i := range again.Records {
			got, _ := again.Records[i].Get("addl_vlan_ids")
			want, _ := l.Records[i].Get("addl_vlan_ids")
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", text, d)
			}
		}
	}
	c, _ := printing.ColumnsOf("name,slot_num", false)
	if got := string(printing.FormatHMC(l.Records[1:], &c)); got != "null,2\nnormal,null\n" {
		t.Errorf("got %q, want null for what a record does not have", got)
	}
	if _, ok := printing.ColumnsOf("a,a", false); ok {
		t.Error("a name twice: taken")
	}
}
