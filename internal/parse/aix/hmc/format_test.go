package hmc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is printed of a list is read as the same list; the sample is as an HMC prints it.
func TestFormat(t *testing.T) {
	l := codec.Read(t, sample)
	if got := string(Format(l.Records, nil)); got != sample {
		t.Errorf("got:\n%s\nwant:\n%s", got, sample)
	}
	for _, list := range []string{"lpar_name,addl_vlan_ids,mac_addr", "lpar_name:addl_vlan_ids"} {
		c, ok := ColumnsOf(list, true)
		if !ok {
			t.Fatalf("%q: no list of names", list)
		}
		text := Format(l.Records[:2], &c)
		again, err := ParseFields(text, list)
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
	c, _ := ColumnsOf("name,slot_num", false)
	if got := string(Format(l.Records[1:], &c)); got != "null,2\nnormal,null\n" {
		t.Errorf("got %q, want null for what a record does not have", got)
	}
	if _, ok := ColumnsOf("a,a", false); ok {
		t.Error("a name twice: taken")
	}
}
