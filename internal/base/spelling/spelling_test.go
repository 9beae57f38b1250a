package spelling_test

import (
	"testing"

	"seaworthy/internal/base/spelling"
)

func TestNearest(t *testing.T) {
	there := []string{"mtu_bypass", "mtu", "R001", "R120", "lpar1"}
	for name, want := range map[string]string{
		"mtubypass": "mtu_bypass", "MTU_BYPAS": "mtu_bypass", "R01": "R001", "r1": "R001", "lpra1": "lpar1", "lpar2": "", "sendspace": "", "": "",
	} {
		got, ok := spelling.Nearest(name, there)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", name, got, ok, want)
		}
	}
	if got := spelling.DidYouMean("lpra1", there); got != ", did you mean lpar1?" {
		t.Errorf("got %q", got)
	}
}
