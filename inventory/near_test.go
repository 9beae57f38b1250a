package inventory_test

import (
	"net/netip"
	"slices"
	"testing"

	"seaworthy/inventory"
)

// A change on a path is simulated on the hosts that can feel it, not on the whole inventory.
func TestNear(t *testing.T) {
	host := func(name string, p inventory.Platform, machine, address string) *inventory.Host {
		h := &inventory.Host{Name: name, Platform: p, MachineID: machine, Elements: map[string]*inventory.Element{}}
		if address != "" {
			h.Elements["en0"] = &inventory.Element{Name: "en0", Kind: inventory.Interface, Addrs: []netip.Prefix{netip.MustParsePrefix(address)}}
		}
		return h
	}
	fleet := &inventory.Fleet{Hosts: []*inventory.Host{
		host("a", inventory.AIX, "m1", "10.0.0.1/24"), host("b", inventory.AIX, "m2", "10.0.0.2/24"),
		host("vios1", inventory.VIOS, "m1", ""), host("mate", inventory.AIX, "m2", "10.9.0.1/24"),
		host("server", inventory.Linux, "", "10.0.0.9/24"), host("unknown", inventory.AIX, "", "10.9.0.3/24"),
		host("elsewhere", inventory.AIX, "m3", "10.9.0.2/24"), host("other", inventory.Linux, "", "10.9.0.4/24"),
	}}
	path := &inventory.Path{From: inventory.Ref{Host: "a", Element: "en0"}, To: inventory.Ref{Host: "b", Element: "en0"},
		Hops: []inventory.Hop{{Ref: &inventory.Ref{Host: "a", Element: "en0"}}, {}, {Ref: &inventory.Ref{Host: "b", Element: "en0"}}}}
	var got []string
	for _, h := range fleet.Near(path).Hosts {
		got = append(got, h.Name)
	}
	if want := []string{"a", "b", "vios1", "mate", "server", "unknown"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
