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
	turn := slices.IndexFunc(p.Hops, func(h inventory.Hop) bool { return h.Kind == inventory.EthernetSwitch })
	if turn < 0 {
		turn = slices.IndexFunc(p.Hops, func(h inventory.Hop) bool { return h.Kind == string(inventory.SEA) })
	}
	if turn < 0 {
		turn = slices.IndexFunc(p.Hops, func(h inventory.Hop) bool { return h.Kind == inventory.HypervisorSwitch })
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

// graph is a path before its layout.
type graph struct {
	fleet   *inventory.Fleet
	options Options
	nodes   map[string]*node
	order   []*node
	lines   map[[2]string]*Line
	d       *Drawing
}

// node is an element or a switch, and where it goes.
type node struct {
	*Box
	host   string // "" of a switch
	system string // key; "" of the Ethernet switch
	lane   int
	column int // in its host
	top    int // the lanes from here to its own are its, in its column
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

// add gives a hop its node, beside those that are there already.
func (g *graph) add(h inventory.Hop, lane int, system string, above []*node) *node {
	n := &node{lane: lane, system: system}
	switch {
	case h.Ref != nil:
		n.host = h.Ref.Host
		n.Box = g.elementBox(*h.Ref, h.Kind)
	case h.Kind == inventory.EthernetSwitch:
		n.system = ""
		n.Box = &Box{ID: "switch", Class: Switch, Name: kinds[h.Kind], Facts: []string{h.Note}}
	default:
		n.Box = &Box{ID: "hypervisor/" + system, Class: Switch, Name: kinds[h.Kind], Facts: []string{h.Note}}
	}
	if old := g.nodes[n.ID]; old != nil {
		if n.Class == Switch && h.Note != "" && !slices.Contains(old.Facts, h.Note) {
			old.Facts = append(old.Facts, h.Note)
		}
		return old
	}
	g.nodes[n.ID] = n
	g.order = append(g.order, n)
	if n.host != "" {
		g.column(n, above)
	}
	return n
}

// column takes the first one that is free: that of the element above, unless
// others stand between the two. A line that comes in from outside the host needs
// the lanes above free too.
func (g *graph) column(n *node, above []*node) {
	n.top = n.lane
	for _, a := range above {
		if a.host == n.host {
			n.column, n.top = max(n.column, a.column), min(n.top, a.lane+1)
		} else if n.lane > laneHypervisor {
			n.top = laneHypervisor
		}
	}
	taken := func(o *node) bool {
		return o != n && o.host == n.host && o.column == n.column && o.lane >= n.top && o.top <= n.lane
	}
	for slices.ContainsFunc(g.order, taken) {
		n.column++
	}
}

func (g *graph) elementBox(r inventory.Ref, kind string) *Box {
	b := &Box{ID: r.String(), In: "host/" + r.Host, Class: Element, Name: r.Element, Kind: kinds[kind], Change: g.options.Changes[r.String()]}
	if b.Kind == "" {
		b.Kind = kind
	}
	h, el := g.fleet.Host(r.Host), g.fleet.Element(r)
	if el == nil {
		b.Facts = []string{"not read"}
		return b
	}
	b.Down = el.LinkUp != nil && !*el.LinkUp
	b.Facts = factsOf(h, el)
	if b.Down {
		b.Facts = slices.Insert(b.Facts, 0, "link down")
	}
	if el.HAState != "" {
		b.Kind += ", " + el.HAState
	}
	return b
}

// join draws a line, the upper node first.
func (g *graph) join(a, b *node, standby bool) {
	if a.lane > b.lane {
		a, b = b, a
	}
	key := [2]string{a.ID, b.ID}
	if a == b || g.lines[key] != nil {
		return
	}
	l := &Line{From: a.ID, To: b.ID, Standby: standby}
	if g.options.Proved > 0 && !standby {
		l.Label = fmt.Sprintf("%d ✓", g.options.Proved)
	}
	g.lines[key] = l
	g.d.Lines = append(g.d.Lines, l)
}
