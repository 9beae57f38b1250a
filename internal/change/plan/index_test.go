package plan

import (
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// A host whose mask is another one is a neighbour if its address is in the network.
func TestNeighbours(t *testing.T) {
	f := &model.Fleet{}
	for name, addrs := range map[string]string{"a": "10.1.1.1/24", "b": "10.1.1.2/16", "c": "10.1.2.3/16", "d": "10.1.1.4/24"} {
		e := &model.Element{Name: "en0", Kind: model.Interface, Addrs: []netip.Prefix{netip.MustParsePrefix(addrs)}}
		f.Hosts = append(f.Hosts, &model.Host{Name: name, Elements: map[string]*model.Element{"en0": e}})
	}
	x := newIndex(f, graph.Of(f))
	for name, want := range map[string]string{"a": "map[a:true b:true d:true]", "c": "map[a:true b:true c:true d:true]"} {
		got := map[string]bool{}
		for _, n := range x.neighbours(f.Host(name).Elements["en0"]) {
			got[n.host.Name] = true
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: got %v, want %s", name, got, want)
		}
	}
}
