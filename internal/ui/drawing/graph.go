package drawing

import (
	"fmt"
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// pathDrawing is a path before its layout.
type pathDrawing struct {
	fleet   *model.Fleet
	links   *graph.Graph
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

// add gives a hop its node, beside those that are there already.
func (g *pathDrawing) add(h model.Hop, lane int, system string, above []*node) *node {
	n := &node{lane: lane, system: system}
	switch {
	case h.Ref != nil:
		n.host = h.Ref.Host
		n.Box = g.elementBox(*h.Ref, h.Kind)
	case h.Kind == model.EthernetSwitch:
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

// join draws a line, the upper node first.
func (g *pathDrawing) join(a, b *node, standby bool) {
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

// column takes the first one that is free: that of the element above, unless
// others stand between the two. A line that comes in from outside the host needs
// the lanes above free too.
func (g *pathDrawing) column(n *node, above []*node) {
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

func (g *pathDrawing) elementBox(r model.Ref, kind string) *Box {
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

// Lanes from top to bottom. Between two of them is room for elements that build
// on others of their kind.
const (
	depth = 8

	laneInterface = iota * depth
	laneVLAN
	laneClientChannel // an EtherChannel over virtual adapters
	laneAdapter
	laneHypervisor
	laneOwnInterface // of a VIOS, over its SEA
	laneOwnVLAN
	laneTrunk
	laneSEA
	laneChannel
	lanePort
	laneSwitch
)

// laneNames stand left of the lanes.
var laneNames = map[int]string{
	laneInterface: "interface", laneVLAN: "VLAN device", laneClientChannel: "EtherChannel", laneAdapter: "adapter",
	laneHypervisor: "hypervisor switch", laneOwnInterface: "VIOS's interface", laneOwnVLAN: "VLAN device", laneTrunk: "trunk adapter",
	laneSEA: "SEA", laneChannel: "EtherChannel", lanePort: "port", laneSwitch: "Ethernet switch",
}

// laneOf gives a hop its lane; rest are the hops below it on the same side.
func laneOf(h model.Hop, rest []model.Hop, inVIOS bool) int {
	ahead := func(kinds ...string) bool {
		return slices.ContainsFunc(rest, func(x model.Hop) bool { return slices.Contains(kinds, x.Kind) })
	}
	overSEA := inVIOS || !ahead(model.HypervisorSwitch, string(model.VNIC)) && ahead(string(model.SEA))
	switch model.Kind(h.Kind) {
	case model.Interface:
		if overSEA {
			return laneOwnInterface
		}
		return laneInterface
	case model.VLANDevice:
		if overSEA {
			return laneOwnVLAN
		}
		return laneVLAN
	case model.EtherChannel:
		if !inVIOS && ahead(model.HypervisorSwitch, string(model.VNIC)) {
			return laneClientChannel
		}
		return laneChannel
	case model.Virtual:
		if inVIOS {
			return laneTrunk
		}
		return laneAdapter
	case model.VNIC:
		return laneAdapter
	case model.SEA:
		return laneSEA
	case model.HypervisorSwitch:
		return laneHypervisor
	case model.EthernetSwitch:
		return laneSwitch
	}
	return lanePort
}
