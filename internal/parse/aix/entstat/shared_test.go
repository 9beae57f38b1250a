package entstat_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An SEA that shares prints the VLANs it bridges; one VLAN is a number to the
// parser, several are a text.
func TestSharedVLANs(t *testing.T) {
	for _, c := range []struct {
		printed string
		want    []int
	}{
		{"20", []int{20}},
		{"  1   20 ", []int{1, 20}},
		{"1,20,300", []int{1, 20, 300}},
		{"1 2O", nil},
		{"1 5000", nil},
		{"", nil},
	} {
		text := "ETHERNET STATISTICS (ent9) :\nDevice Type: Shared Ethernet Adapter\n" +
			"Statistics for adapters in the Shared Ethernet Adapter ent9\n--------------------------------------------------------------\n" +
			"High Availability Statistics:\n    State: PRIMARY_SH\n    Bridge Mode: Partial\n    VID shared: " + c.printed + "\n    High Availability Mode: Sharing\n"
		s := read(t, text)
		ha := s.HA()
		if ha == nil || ha.State != "PRIMARY_SH" {
			t.Fatalf("%q: got %+v, want the state PRIMARY_SH", c.printed, ha)
		}
		if diff := cmp.Diff(c.want, ha.Shared); diff != "" {
			t.Errorf("VID shared: %q (-want +got):\n%s", c.printed, diff)
		}
	}
}
