package supervisor

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestChoose(t *testing.T) {
	set := func(cpus ...int) unix.CPUSet {
		var s unix.CPUSet
		for _, c := range cpus {
			s.Set(c)
		}
		return s
	}
	for _, tt := range []struct {
		allowed      unix.CPUSet
		virtual, nth int
		want         unix.CPUSet
		limited      bool
	}{
		{set(0, 1, 2, 3), 2, 0, set(0, 1), true},
		{set(0, 1, 2, 3), 2, 3, set(3, 0), true},
		{set(4, 70), 1, 1, set(70), true}, // a container's processors need not begin at 0
		{set(0, 1), 2, 1, set(0, 1), false},
		{set(0, 1), 64, 0, set(0, 1), false},
		{set(0, 1), 0, 0, set(0, 1), false},
	} {
		got, limited := choose(&tt.allowed, tt.virtual, tt.nth)
		if *got != tt.want || limited != tt.limited {
			t.Errorf("%d of %v from %d: got %v, limited %v; want %v, %v", tt.virtual, tt.allowed, tt.nth, *got, limited, tt.want, tt.limited)
		}
	}
}
