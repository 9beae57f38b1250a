package graph_test

import (
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/audit/graph"
	"seaworthy/internal/test/growth"
	"seaworthy/inventory"
)

// Addresses and ARP tables of a fleet are linked in time that grows with it, whoever has
// whatever mask.
func TestManyAddresses(t *testing.T) {
	growth.Linear(t, 1000, func(n int) func() {
		f := &inventory.Fleet{}
		for i := range n {
			a := netip.AddrFrom4([4]byte{10, byte(i >> 12), byte(i >> 4), byte(i<<4 | 1)})
			en0 := &inventory.Element{Name: "en0", Kind: inventory.Interface, On: "ent0", Addrs: []netip.Prefix{netip.PrefixFrom(a, 8+i%2*20)}}
			ent0 := &inventory.Element{Name: "ent0", Kind: inventory.Physical, MAC: fmt.Sprintf("02:00:00:00:%02x:%02x", i>>8, i&255)}
			f.Hosts = append(f.Hosts, &inventory.Host{Name: fmt.Sprint("h", i), Platform: inventory.AIX,
				Elements: map[string]*inventory.Element{"en0": en0, "ent0": ent0},
				Learnt:   []inventory.Neighbour{{Address: netip.AddrFrom4([4]byte{10, 0, 0, 1}), MAC: "02:00:00:00:99:99"}}})
		}
		return func() {
			g, err := graph.New(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(g.At(inventory.Ref{Host: "h0", Element: "en0"}).Rivals()); got == 0 || got > 4 {
				t.Fatalf("%d rivals of the first, want a few", got)
			}
		}
	})
}

// So are those of one host, whatever it prints.
func TestManyAddressesOfOneHost(t *testing.T) {
	for name, alike := range map[string]bool{"of one interface": false, "one of many interfaces": true} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 2000, func(n int) func() {
				h := &inventory.Host{Name: "h", Platform: inventory.AIX, Elements: map[string]*inventory.Element{}}
				for i := range n {
					name, a := "en0", netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
					if alike {
						name, a = fmt.Sprint("en", i), netip.AddrFrom4([4]byte{10, 0, 0, 1})
					}
					e := h.Elements[name]
					if e == nil {
						e = &inventory.Element{Name: name, Kind: inventory.Interface}
						h.Elements[name] = e
					}
					e.Addrs = append(e.Addrs, netip.PrefixFrom(a, 8))
				}
				return func() {
					g, err := graph.New(t.Context(), &inventory.Fleet{Hosts: []*inventory.Host{h}})
					if err != nil {
						t.Fatal(err)
					}
					for name := range h.Elements {
						if got := g.At(inventory.Ref{Host: "h", Element: name}).SameAddress(); len(got) > 0 {
							t.Fatalf("%s: shares its address with %d of other hosts, want none", name, len(got))
						}
					}
				}
			})
		})
	}
}
