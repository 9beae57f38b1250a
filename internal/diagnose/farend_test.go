package diagnose

import (
	"net/netip"
	"testing"

	"seaworthy/internal/inventory/model"
)

// An end that is named by an address is the host that has it, or a host of which nothing else is known.
func TestFindEnds(t *testing.T) {
	port := func(name, address string) *model.Element {
		return &model.Element{Name: name, Kind: model.Interface, Addrs: []netip.Prefix{netip.MustParsePrefix(address)}}
	}
	fleet := &model.Fleet{Hosts: []*model.Host{
		{Name: "a", Elements: map[string]*model.Element{"eth0": port("eth0", "192.0.2.1/24"), "eth1": port("eth1", "198.51.100.1/25")},
			Routes: []model.Route{{To: netip.MustParsePrefix("0.0.0.0/0"), Interface: "eth0"}, {To: netip.MustParsePrefix("10.0.0.0/8"), Interface: "eth1"}}},
		{Name: "b", Elements: map[string]*model.Element{"en0": port("en0", "192.0.2.2/24")}},
	}}
	for _, c := range []struct{ from, to, wantFrom, wantTo, unread, prefix string }{
		{"a", "b", "a", "b", "", ""},
		{"a:eth1", "192.0.2.2", "a:eth1", "b:en0", "", ""},
		{"192.0.2.1", "192.0.2.2", "a:eth0", "b:en0", "", ""},
		{"a", "192.0.2.9", "a:eth0", "192.0.2.9", "192.0.2.9", "192.0.2.9/24"},
		{"198.51.100.9", "a", "198.51.100.9", "a:eth1", "198.51.100.9", "198.51.100.9/25"},
		{"a", "10.1.1.1", "a:eth1", "10.1.1.1", "10.1.1.1", "10.1.1.1/32"},
		{"a:eth0", "10.1.1.1", "a:eth0", "10.1.1.1", "10.1.1.1", "10.1.1.1/32"},
		{"b", "10.1.1.1", "b", "10.1.1.1", "10.1.1.1", "10.1.1.1/32"},
		{"192.0.2.9", "192.0.2.8", "192.0.2.9", "192.0.2.8", "", ""},
		{"a", "c", "a", "c", "", ""},
		{"a", "2001:db8::1", "a", "2001:db8::1", "", ""},
	} {
		got := FindEnds(fleet, c.from, c.to)
		if got.From != c.wantFrom || got.To != c.wantTo || got.Unread != c.unread {
			t.Errorf("%s, %s: got %s, %s, unread %q; want %s, %s, %q", c.from, c.to, got.From, got.To, got.Unread, c.wantFrom, c.wantTo, c.unread)
		}
		if c.unread == "" {
			continue
		}
		h := got.Fleet.Host(c.unread)
		if h == nil || h.Elements[farInterface].Addrs[0].String() != c.prefix || len(fleet.Hosts) != 2 {
			t.Errorf("%s, %s: the end that was not read is %+v, want %s", c.from, c.to, h, c.prefix)
		}
	}
}
