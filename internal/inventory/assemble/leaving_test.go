package assemble

import (
	"net/netip"
	"testing"

	"seaworthy/internal/inventory/model"
)

// Of two interfaces in the network of an address, the same one is taken each time.
func TestLeavingIsRepeatable(t *testing.T) {
	h := &model.Host{Elements: map[string]*model.Element{}}
	for _, name := range []string{"eth3", "eth1", "eth2", "eth0"} {
		h.Elements[name] = &model.Element{Name: name, Addrs: []netip.Prefix{netip.MustParsePrefix("10.1.0.1" + name[3:] + "/24")}}
	}
	for range 50 {
		got := measuredFeed{&hostBuilder{host: h}}.leaving(netip.MustParseAddr("10.1.0.99"))
		if got == nil || got.Name != "eth0" {
			t.Fatalf("got %+v, want eth0", got)
		}
	}
}
