package graph_test

import (
	"fmt"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/growth"
)

// The elements of a large host are linked, and found, in time that grows with
// them; n interfaces and VLAN devices are on one adapter.
func TestLargeHost(t *testing.T) {
	growth.Linear(t, 8000, func(n int) func() {
		h := &model.Host{Name: "lpar1", Platform: model.AIX, MachineID: "9009-22A*1", Elements: map[string]*model.Element{}}
		add := func(name string, kind model.Kind, on string) {
			h.Elements[name] = &model.Element{Name: name, Kind: kind, On: on, VirtualFacts: model.VirtualFacts{PVID: new(1), VLANs: []int{1}}}
		}
		add("ent0", model.Virtual, "")
		for i := 1; i <= n; i++ {
			ent := fmt.Sprintf("ent%d", i)
			add(ent, model.VLANDevice, "ent0")
			add(fmt.Sprintf("en%d", i), model.Interface, ent)
		}
		return func() {
			g, err := graph.New(t.Context(), &model.Fleet{Hosts: []*model.Host{h}})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(g.At(model.Ref{Host: "lpar1", Element: "ent0"}).Interfaces()); got != n {
				t.Fatalf("%d interfaces on ent0, want %d", got, n)
			}
			for _, e := range g.Of("lpar1") {
				if graph.Tunables(e) == nil {
					t.Fatalf("%s: no tunables", e)
				}
				e.Used()
			}
		}
	})
}
