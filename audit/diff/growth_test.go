package diff_test

import (
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/internal/test/growth"
	"seaworthy/inventory"
)

// Two readings with many routes and interfaces are compared in time that grows
// with them.
func TestManyRoutes(t *testing.T) {
	reading := func(n, first int) *inventory.Fleet {
		h := &inventory.Host{Name: "lpar1", Platform: inventory.AIX, Elements: map[string]*inventory.Element{}, Routes: []inventory.Route{}}
		for i := range n {
			a := netip.AddrFrom4([4]byte{10, byte((first + i) >> 16), byte((first + i) >> 8), byte(first + i)})
			h.Routes = append(h.Routes, inventory.Route{To: netip.PrefixFrom(a, 32), Interface: "en0"})
			name := fmt.Sprintf("en%d", first+i)
			h.Elements[name] = &inventory.Element{Name: name, Kind: inventory.Interface,
				Counters: inventory.CountersOf(map[string]uint64{"Ierrs": uint64(first)})}
		}
		return &inventory.Fleet{Hosts: []*inventory.Host{h}}
	}
	growth.Linear(t, 4000, func(n int) func() {
		before, now := reading(n, 1), reading(n, 2)
		return func() {
			if d := compared(t, before, now); len(d.Changes) != 4 || len(d.Counters) != n-1 {
				t.Fatalf("%d changes and %d counters that grew, want 4 and %d", len(d.Changes), len(d.Counters), n-1)
			}
		}
	})
}
