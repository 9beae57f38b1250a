package pathmtu

import (
	"context"
	"net/netip"
	"testing"

	"seaworthy/internal/inventory/graph"
)

// The gateway answers the end whose port is in time soon, and the other one late; what
// it answers to nobody shows nothing.
func TestLate(t *testing.T) {
	for _, c := range []struct {
		name string
		trip map[string]float64 // host → ms to the gateway; 0: no answer
		want []string
	}{
		{"the near port", map[string]float64{"a": 10.2, "b": 0.3}, []string{"the switch port of a:ent0"}},
		{"the far port", map[string]float64{"a": 0.3, "b": 10.2}, []string{"the switch port of b:ent0"}},
		{"between them", map[string]float64{"a": 0.3, "b": 0.3},
			[]string{"a link inside the network, between the switch port of a:ent0 and the switch port of b:ent0"}},
		{"both, or the gateway", map[string]float64{"a": 10.2, "b": 10.2},
			[]string{"the switch port of a:ent0", "the switch port of b:ent0"}},
		{"no answer", map[string]float64{}, []string{"the switch port of a:ent0", "the switch port of b:ent0"}},
	} {
		n, p, _ := lan(t, map[string]int{"a": 1500, "b": 1500}, map[string]int{})
		gateway(n.fleet.Hosts, "a", "b")
		path, err := graph.Of(n.fleet).Path("a", "b")
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Late(t.Context(), path, 5, func(_ context.Context, host string, to netip.Addr) float64 {
			if to.String() != gate {
				return 0
			}
			return c.trip[host]
		})
		if err != nil || len(got) != len(c.want) {
			t.Fatalf("%s: got %+v, %v, want %q", c.name, got, err, c.want)
		}
		for i, s := range got {
			if s.Is != c.want[i] || s.Why == "" {
				t.Errorf("%s: got %+v, want %q and why", c.name, s, c.want[i])
			}
		}
	}
}
