package diagnose

import (
	"net/netip"
	"slices"
	"testing"

	"seaworthy/internal/inventory/model"
)

// Paths are pinged between clients that share a network, and of hosts where a ping was
// answered.
func TestPairs(t *testing.T) {
	host := func(name, addr string) *model.Host {
		yes := true
		return &model.Host{Name: name, Platform: model.AIX, Figures: map[string]model.Figure{}, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Physical},
			"en0":  {Name: "en0", Kind: model.Interface, On: "ent0", Up: &yes, Addrs: []netip.Prefix{netip.MustParsePrefix(addr)}},
		}}
	}
	a := host("a", "10.1.1.1/24")
	a.Figures[model.RoundTripTo("en0", "b")] = model.Figure{Value: 0.3}
	hosts := []*model.Host{a, host("b", "10.1.2.1/24"), host("c", "10.1.1.2/24"), host("d", "10.1.3.1/24")}
	var got []string
	for _, path := range (Prober{Fleet: &model.Fleet{Hosts: hosts}}).pairs() {
		got = append(got, path.From.Host+">"+path.To.Host)
	}
	if want := []string{"a>b", "a>c"}; !slices.Equal(got, want) {
		t.Errorf("got pairs %v, want %v", got, want)
	}
}
