package drawing

import (
	"fmt"
	"slices"

	"seaworthy/inventory"
)

// Path draws the path between two interfaces, with what stands by for it.
func Path(f *inventory.Fleet, p *inventory.Path, o Options) *Drawing {
	g := &graph{
		fleet: f, options: o, nodes: map[string]*node{}, lines: map[[2]string]*Line{},
		d: &Drawing{Title: p.From.String() + " → " + p.To.String()},
	}
	turn := -1
	for _, kind := range []string{inventory.EthernetSwitch, string(inventory.SEA), inventory.HypervisorSwitch} {
		if turn < 0 {
			turn = slices.IndexFunc(p.Hops, func(h inventory.Hop) bool { return h.Kind == kind })
		}
	}
	if turn < 0 {
		turn = len(p.Hops) - 1
	}
	back := slices.Clone(p.Hops[turn:])
	slices.Reverse(back)
	sides := [][]inventory.Hop{p.Hops[:turn+1], back}
	for i, side := range sides {
		g.side(i, side)
	}
	if p.Hops[turn].Kind == inventory.EthernetSwitch {
		for _, side := range sides {
			g.standbys(side)
		}
	}
	g.notes(p)
	g.layout()
	return g.d
}

// side adds the hops of one side of the path, from its interface down.
func (g *graph) side(n int, hops []inventory.Hop) {
	var before []*node
	inVIOS, last := false, 0
	system := fmt.Sprintf("?%d", n) // of hosts that do not say theirs: each side has one
	for i := 0; i < len(hops); {
		group := parallel(hops[i:])
		h := hops[i]
		at := laneOf(h, hops[i+len(group):], inVIOS)
		if h.Kind == inventory.HypervisorSwitch || h.Kind == string(inventory.VNIC) {
			inVIOS = true
		}
		if i > 0 && at <= last {
			at = last + 1
		}
		last = at
		if h.Ref != nil {
			if host := g.fleet.Host(h.Ref.Host); host != nil && host.MachineID != "" {
				system = host.MachineID
			}
		}
		var row []*node
		for _, x := range group {
			row = append(row, g.add(x, at, system, before))
		}
		for _, a := range before {
			for _, b := range row {
				g.join(a, b, false)
			}
		}
		before = row
		i += len(group)
	}
}

// parallel is the first hop with those beside it: members of one EtherChannel,
// ports of one bridge.
func parallel(hops []inventory.Hop) []inventory.Hop {
	n := 1
	for first := hops[0]; n < len(hops); n++ {
		x := hops[n]
		if first.Ref == nil || x.Ref == nil || first.Note == "" || x.Note != first.Note || x.Ref.Host != first.Ref.Host || x.Kind != first.Kind {
			break
		}
	}
	return hops[:n]
}
