package graph_test

import (
	"net/netip"
	"slices"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// A change on a path is simulated on the hosts that can feel it, not on the whole inventory.
func TestNear(t *testing.T) {
	host := func(name string, p model.Platform, machine, address string) *model.Host {
		h := &model.Host{Name: name, Platform: p, MachineID: machine, Elements: map[string]*model.Element{}}
		if address != "" {
			h.Elements["en0"] = &model.Element{Name: "en0", Kind: model.Interface, Addrs: []netip.Prefix{netip.MustParsePrefix(address)}}
		}
		return h
	}
	fleet := &model.Fleet{Hosts: []*model.Host{
		host("a", model.AIX, "m1", "10.0.0.1/24"), host("b", model.AIX, "m2", "10.0.0.2/24"),
		host("vios1", model.VIOS, "m1", ""), host("mate", model.AIX, "m2", "10.9.0.1/24"),
		host("server", model.Linux, "", "10.0.0.9/24"), host("unknown", model.AIX, "", "10.9.0.3/24"),
		host("elsewhere", model.AIX, "m3", "10.9.0.2/24"), host("other", model.Linux, "", "10.9.0.4/24"),
	}}
	path := &model.Path{From: model.Ref{Host: "a", Element: "en0"}, To: model.Ref{Host: "b", Element: "en0"},
		Hops: []model.Hop{{Ref: &model.Ref{Host: "a", Element: "en0"}}, {}, {Ref: &model.Ref{Host: "b", Element: "en0"}}}}
	var got []string
	for _, h := range graph.Of(fleet).Near(path).Hosts {
		got = append(got, h.Name)
	}
	if want := []string{"a", "b", "vios1", "mate", "server", "unknown"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
