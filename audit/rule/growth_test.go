package rule

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/audit/expr"
	"seaworthy/audit/graph"
	"seaworthy/catalog"
	"seaworthy/internal/test/growth"
	"seaworthy/inventory"
)

// crowd is a host with n elements of which little was read, all in one subnet.
func crowd(platform inventory.Platform, n int) *inventory.Fleet {
	h := &inventory.Host{Name: "h", Platform: platform, MachineID: "9009-22A*7812345", Elements: map[string]*inventory.Element{}}
	for i := range n {
		e := &inventory.Element{Name: fmt.Sprintf("en%d", i), Kind: inventory.Interface, Up: new(true),
			Addrs: []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 8)}}
		h.Elements[e.Name] = e
	}
	return &inventory.Fleet{Hosts: []*inventory.Host{h}}
}

// Judging grows with a host's elements, also where every one lacks facts.
func TestElementsGrow(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	set, err := Compile(cat.Rules())
	if err != nil {
		t.Fatal(err)
	}
	for platform, n := range map[inventory.Platform]int{inventory.AIX: 250, inventory.Linux: 1000} {
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
