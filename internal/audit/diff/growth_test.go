package diff_test

import (
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/growth"
)

// Two readings with many routes and interfaces are compared in time that grows
// with them.
func TestManyRoutes(t *testing.T) {
	reading := func(n, first int) *model.Fleet {
		h := &model.Host{Name: "lpar1", Platform: model.AIX, Elements: map[string]*model.Element{}, Routes: []model.Route{}}
		for i := range n {
			a := netip.AddrFrom4([4]byte{10, byte((first + i) >> 16), byte((first + i) >> 8), byte(first + i)})
			h.Routes = append(h.Routes, model.Route{To: netip.PrefixFrom(a, 32), Interface: "en0"})
			name := fmt.Sprintf("en%d", first+i)
			h.Elements[name] = &model.Element{Name: name, Kind: model.Interface,
				Counters: model.CountersOf(map[string]uint64{"Ierrs": uint64(first)})}
		}
		return &model.Fleet{Hosts: []*model.Host{h}}
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
