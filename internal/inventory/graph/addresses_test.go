package graph_test

import (
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/growth"
)

// Addresses and ARP tables of a fleet are linked in time that grows with it, no matter who has
// whatever mask.
func TestManyAddresses(t *testing.T) {
	growth.Linear(t, 1000, func(n int) func() {
		f := &model.Fleet{}
		for i := range n {
			a := netip.AddrFrom4([4]byte{10, byte(i >> 12), byte(i >> 4), byte(i<<4 | 1)})
			en0 := &model.Element{Name: "en0", Kind: model.Interface, On: "ent0", Addrs: []netip.Prefix{netip.PrefixFrom(a, 8+i%2*20)}}
			ent0 := &model.Element{Name: "ent0", Kind: model.Physical, MAC: fmt.Sprintf("02:00:00:00:%02x:%02x", i>>8, i&255)}
			f.Hosts = append(f.Hosts, &model.Host{Name: fmt.Sprint("h", i), Platform: model.AIX,
				Elements: map[string]*model.Element{"en0": en0, "ent0": ent0},
				Learnt:   []model.Neighbour{{Address: netip.AddrFrom4([4]byte{10, 0, 0, 1}), MAC: "02:00:00:00:99:99"}}})
		}
		return func() {
			g, err := graph.New(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(graph.Rivals(g.At(model.Ref{Host: "h0", Element: "en0"}))); got == 0 || got > 4 {
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
				h := &model.Host{Name: "h", Platform: model.AIX, Elements: map[string]*model.Element{}}
				for i := range n {
					name, a := "en0", netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
					if alike {
						name, a = fmt.Sprint("en", i), netip.AddrFrom4([4]byte{10, 0, 0, 1})
					}
					e := h.Elements[name]
					if e == nil {
						e = &model.Element{Name: name, Kind: model.Interface}
						h.Elements[name] = e
					}
					e.Addrs = append(e.Addrs, netip.PrefixFrom(a, 8))
				}
				return func() {
					g, err := graph.New(t.Context(), &model.Fleet{Hosts: []*model.Host{h}})
					if err != nil {
						t.Fatal(err)
					}
					for name := range h.Elements {
						if got := graph.SameAddress(g.At(model.Ref{Host: "h", Element: name})); len(got) > 0 {
							t.Fatalf("%s: shares its address with %d of other hosts, want none", name, len(got))
						}
					}
				}
			})
		})
	}
}
