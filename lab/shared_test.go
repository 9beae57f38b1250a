package lab

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/lab/quota"
	"seaworthy/lab/topology"
)

// Control groups are made for whom they change something.
func TestParts(t *testing.T) {
	node := func(name, mode string, weight int) topology.Node {
		return topology.Node{Name: name, Mode: mode, Weight: weight, Entitled: 0.5}
	}
	for _, x := range []struct {
		name  string
		nodes []topology.Node
		want  map[string]quota.Part
	}{
		{"all take what there is", []topology.Node{node("a", "Uncapped", 128), node("b", "Donating", 128)}, map[string]quota.Part{}},
		{"one is capped", []topology.Node{node("a", "Capped", 128), node("b", "Uncapped", 128)},
			map[string]quota.Part{"a": {Cores: 0.5, Weight: 128}}},
		{"weights differ", []topology.Node{node("a", "Uncapped", 64), node("b", "Uncapped", 128), node("c", "Capped", 128)},
			map[string]quota.Part{"a": {Weight: 64}, "b": {Weight: 128}, "c": {Cores: 0.5, Weight: 128}}},
		{"no weight", []topology.Node{node("a", "Uncapped", 0), node("b", "Uncapped", 128)},
			map[string]quota.Part{"a": {Cores: 0.5}, "b": {Weight: 128}}},
	} {
		got := parts(&topology.Topology{Systems: []topology.System{{Nodes: x.nodes[:1]}, {Nodes: x.nodes[1:]}}})
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.name, diff)
		}
	}
}
