package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCombine(t *testing.T) {
	got, err := combine([]string{"lpar1:en0:mtu_bypass=off,on", "vios1:ent5:largesend=0,1"})
	want := [][]string{
		{"lpar1:en0:mtu_bypass=off", "vios1:ent5:largesend=0"}, {"lpar1:en0:mtu_bypass=off", "vios1:ent5:largesend=1"},
		{"lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=0"}, {"lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, bad := range [][]string{
		nil, {"lpar1:en0:mtu_bypass"}, {"lpar1:en0:mtu_bypass="}, {"lpar1:en0:mtu_bypass=on"}, {"lpar1:mtu_bypass=on,off"},
		{"lpar1:en0:mtu_bypass=on,on"}, {"a:b:c=1,2,3,4,5,6,7,8,9", "a:b:d=1,2,3,4,5,6,7,8,9", "a:b:e=1,2,3,4"},
	} {
		if got, err := combine(bad); err == nil {
			t.Errorf("%q: got %q, want an error", bad, got)
		}
	}
}
