package report

import (
	"fmt"
	"io"
	"net/netip"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/growth"
	"seaworthy/internal/ui/report/doc"
)

// The tree of a host with many adapters and interfaces takes time that grows
// with them, and so does its printing.
func TestLargeTree(t *testing.T) {
	growth.Linear(t, 2000, func(n int) func() {
		h := &model.Host{Name: "lpar1", Platform: model.AIX, Elements: map[string]*model.Element{}}
		for i := range n {
			en, ent := fmt.Sprintf("en%d", i), fmt.Sprintf("ent%d", i)
			h.Elements[ent] = &model.Element{Name: ent, Kind: model.EtherChannel, Members: []string{"ent-" + ent}}
			h.Elements["ent-"+ent] = &model.Element{Name: "ent-" + ent, Kind: model.Physical, MemberOf: ent}
			h.Elements[en] = &model.Element{Name: en, Kind: model.Interface, On: ent,
				Addrs: []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 24)}}
		}
		f := &model.Fleet{Hosts: []*model.Host{h}}
		return func() {
			trees := graph.Of(f).Trees()
			if got := len(trees.Hosts[0].Elements); got != n {
				t.Fatalf("%d adapters in the tree, want %d", got, n)
			}
			var d Document
			Tree(&d, trees)
			if err := doc.WriteText(io.Discard, &d, doc.Screen{}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
