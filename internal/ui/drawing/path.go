package drawing

import (
	"fmt"
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Path draws the path between two interfaces, with what stands by for it.
func Path(f *model.Fleet, p *model.Path, o Options) *Drawing {
	g := &pathDrawing{
		fleet: f, links: graph.Of(f), options: o, nodes: map[string]*node{}, lines: map[[2]string]*Line{},
		d: &Drawing{Title: p.From.String() + " → " + p.To.String()},
	}
	turn := -1
	for _, kind := range []string{model.EthernetSwitch, string(model.SEA), model.HypervisorSwitch} {
		if turn < 0 {
			turn = slices.IndexFunc(p.Hops, func(h model.Hop) bool { return h.Kind == kind })
		}
	}
	if turn < 0 {
		turn = len(p.Hops) - 1
	}
	back := slices.Clone(p.Hops[turn:])
	slices.Reverse(back)
	sides := [][]model.Hop{p.Hops[:turn+1], back}
	for i, side := range sides {
		g.side(i, side)
	}
	if p.Hops[turn].Kind == model.EthernetSwitch {
		for _, side := range sides {
			g.standbys(side)
		}
	}
	g.notes(p)
	g.layout()
	return g.d
}

// side adds the hops of one side of the path, from its interface down.
func (g *pathDrawing) side(n int, hops []model.Hop) {
	var before []*node
	inVIOS, last := false, 0
	system := fmt.Sprintf("?%d", n) // of hosts that do not say theirs: each side has one
	for i := 0; i < len(hops); {
		group := parallel(hops[i:])
		h := hops[i]
		at := laneOf(h, hops[i+len(group):], inVIOS)
		if h.Kind == model.HypervisorSwitch || h.Kind == string(model.VNIC) {
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
func parallel(hops []model.Hop) []model.Hop {
	n := 1
	for first := hops[0]; n < len(hops); n++ {
		x := hops[n]
		if first.Ref == nil || x.Ref == nil || first.Note == "" || x.Note != first.Note || x.Ref.Host != first.Ref.Host || x.Kind != first.Kind {
			break
		}
	}
	return hops[:n]
}

// standbys adds what could carry a side's frames but does not: the other SEAs of
// its VLAN, and the backup adapter of an EtherChannel over virtual ones.
func (g *pathDrawing) standbys(side []model.Hop) {
	var tag *int
	for i, h := range side {
		if h.Kind == model.HypervisorSwitch || h.Ref == nil {
			return
		}
		e := g.links.At(*h.Ref)
		if e == nil {
			return
		}
		switch e.Is.Kind {
		case model.VLANDevice:
			if len(e.Is.VLANs) == 1 {
				tag = &e.Is.VLANs[0]
			}
		case model.EtherChannel:
			g.backup(e, tag, side)
		case model.Virtual:
			g.bridges(e, tag, g.nodes[h.Ref.String()])
		case model.VNIC:
			g.backings(e, g.nodes[h.Ref.String()], side[i+1:])
			return
		}
	}
}

// backup adds the member or the backup that carries no frames now.
func (g *pathDrawing) backup(channel *graph.Element, tag *int, side []model.Hop) {
	above := g.nodes[channel.Ref().String()]
	if above == nil || above.lane != laneClientChannel {
		return
	}
	hypervisor := slices.ContainsFunc(side, func(x model.Hop) bool { return x.Kind == model.HypervisorSwitch })
	for _, x := range channel.Down(graph.Member, graph.Backup) {
		if x.To == nil || g.nodes[x.Ref.String()] != nil {
			continue
		}
		n := g.standby(x.Ref, laneAdapter, above)
		if x.To.Is.Kind == model.Virtual && hypervisor {
			g.join(n, g.nodes["hypervisor/"+above.system], true)
			g.bridges(x.To, tag, n)
		}
	}
}

// bridges adds the SEAs that can carry a virtual adapter.
func (g *pathDrawing) bridges(adapter *graph.Element, tag *int, from *node) {
	found, gap := adapter.BridgesOf(tag)
	bar := g.nodes["hypervisor/"+from.system]
	if gap != nil || bar == nil {
		return
	}
	for _, x := range found {
		if g.nodes[x.SEA.Ref().String()] != nil {
			continue
		}
		at := g.standby(x.Ref, laneTrunk, bar)
		at = g.standby(x.SEA.Ref(), laneSEA, at)
		for _, port := range x.SEA.Down(graph.Real) {
			g.outlets(port, at)
		}
	}
}

// outlets adds the ports of an SEA that stands by, and joins them to the Ethernet switch.
func (g *pathDrawing) outlets(real graph.Edge, sea *node) {
	ports, at := []model.Ref{real.Ref}, sea
	if real.To != nil && real.To.Is.Kind == model.EtherChannel {
		at, ports = g.standby(real.Ref, laneChannel, sea), nil
		for _, m := range real.To.Down(graph.Member) {
			ports = append(ports, m.Ref)
		}
	}
	for _, r := range ports {
		g.join(g.standby(r, lanePort, at), g.nodes["switch"], true)
	}
}

// backings adds the ports of VIOSes that stand by for a vNIC.
func (g *pathDrawing) backings(vnic *graph.Element, from *node, rest []model.Hop) {
	for _, x := range vnic.Down(graph.Backing) {
		carries := slices.ContainsFunc(rest, func(h model.Hop) bool { return h.Ref != nil && *h.Ref == x.Ref })
		if x.To != nil && !carries {
			g.join(g.standby(x.Ref, lanePort, from), g.nodes["switch"], true)
		}
	}
}

// standby adds an element below another one.
func (g *pathDrawing) standby(r model.Ref, lane int, above *node) *node {
	if old := g.nodes[r.String()]; old != nil {
		g.join(above, old, true)
		return old
	}
	kind := "unknown"
	if el := g.fleet.Element(r); el != nil {
		kind = string(el.Kind)
	}
	n := g.add(model.Hop{Ref: &r, Kind: kind}, lane, above.system, []*node{above})
	n.Standby = true
	g.join(above, n, true)
	return n
}
