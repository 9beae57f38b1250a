package graph_test

import (
	"fmt"
	"testing"

	"seaworthy/audit/graph"
	"seaworthy/internal/test/growth"
	"seaworthy/inventory"
)

// The elements of a large host are linked, and found, in time that grows with
// them; n interfaces and VLAN devices are on one adapter.
func TestLargeHost(t *testing.T) {
	growth.Linear(t, 8000, func(n int) func() {
		h := &inventory.Host{Name: "lpar1", Platform: inventory.AIX, MachineID: "9009-22A*1", Elements: map[string]*inventory.Element{}}
		add := func(name string, kind inventory.Kind, on string) {
			h.Elements[name] = &inventory.Element{Name: name, Kind: kind, On: on, PVID: new(1), VLANs: []int{1}}
		}
		add("ent0", inventory.Virtual, "")
		for i := 1; i <= n; i++ {
			ent := fmt.Sprintf("ent%d", i)
			add(ent, inventory.VLANDevice, "ent0")
			add(fmt.Sprintf("en%d", i), inventory.Interface, ent)
		}
		return func() {
			g, err := graph.New(t.Context(), &inventory.Fleet{Hosts: []*inventory.Host{h}})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(g.At(inventory.Ref{Host: "lpar1", Element: "ent0"}).Interfaces()); got != n {
				t.Fatalf("%d interfaces on ent0, want %d", got, n)
			}
			for _, e := range g.Of("lpar1") {
				if e.Tunables() == nil {
					t.Fatalf("%s: no tunables", e)
				}
				e.Used()
			}
		}
	})
}
