package rule

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/internal/audit/expr"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/growth"
)

// crowd is a host with n elements of which little was read, all in one subnet.
func crowd(platform model.Platform, n int) *model.Fleet {
	h := &model.Host{Name: "h", Platform: platform, MachineID: "9009-22A*7812345", Elements: map[string]*model.Element{}}
	for i := range n {
		e := &model.Element{Name: fmt.Sprintf("en%d", i), Kind: model.Interface, Up: new(true),
			Addrs: []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 8)}}
		h.Elements[e.Name] = e
	}
	return &model.Fleet{Hosts: []*model.Host{h}}
}

// Judging grows with a host's elements, also where every one lacks facts.
func TestElementsGrow(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	set, err := Compile(cat.Rules())
	if err != nil {
		t.Fatal(err)
	}
	for platform, n := range map[model.Platform]int{model.AIX: 250, model.Linux: 1000} {
		t.Run(string(platform), func(t *testing.T) {
			growth.Linear(t, n, func(n int) func() {
				links, err := graph.New(t.Context(), crowd(platform, n))
				if err != nil {
					t.Fatal(err)
				}
				return func() { // on this thread, whose time is counted
					w := &worker{Session: expr.NewSession(context.Background(), links, expr.Context{Catalog: cat, Mentioned: set.mentioned}), graph: links, set: set}
					w.share(context.Background(), links.Of("h"), false)
				}
			})
		})
	}
}
