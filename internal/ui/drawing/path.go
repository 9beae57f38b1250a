package drawing

import (
	"fmt"
	"slices"

	"seaworthy/internal/inventory/model"
)

// Path draws the path between two interfaces, with what stands by for it.
func Path(f *model.Fleet, p *model.Path, o Options) *Drawing {
	g := &graph{
		fleet: f, options: o, nodes: map[string]*node{}, lines: map[[2]string]*Line{},
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
func (g *graph) side(n int, hops []model.Hop) {
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
func (g *graph) standbys(side []model.Hop) {
	index := g.fleet.Bridging()
	var tag *int
	for i, h := range side {
		if h.Kind == model.HypervisorSwitch || h.Ref == nil {
			return
		}
		el := g.fleet.Element(*h.Ref)
		if el == nil {
			return
		}
		owner := g.fleet.Host(h.Ref.Host)
		switch el.Kind {
		case model.VLANDevice:
			if len(el.VLANs) == 1 {
				tag = &el.VLANs[0]
			}
		case model.EtherChannel:
			g.backup(index, owner, el, tag, side)
		case model.Virtual:
			g.bridges(index, owner, el, tag, g.nodes[h.Ref.String()])
		case model.VNIC:
			g.backings(el, g.nodes[h.Ref.String()], side[i+1:])
			return
		}
	}
}

// backup adds the member or the backup that carries no frames now.
func (g *graph) backup(index *model.Bridging, h *model.Host, ech *model.Element, tag *int, side []model.Hop) {
	above := g.nodes[h.Name+":"+ech.Name]
	if above == nil || above.lane != laneClientChannel {
		return
	}
	hypervisor := slices.ContainsFunc(side, func(x model.Hop) bool { return x.Kind == model.HypervisorSwitch })
	for _, name := range append(slices.Clone(ech.Members), ech.Backup()) {
		r := model.Ref{Host: h.Name, Element: name}
		el := g.fleet.Element(r)
		if el == nil || g.nodes[r.String()] != nil {
			continue
		}
		n := g.standby(r, laneAdapter, above)
		if el.Kind == model.Virtual && hypervisor {
			g.join(n, g.nodes["hypervisor/"+above.system], true)
			g.bridges(index, h, el, tag, n)
		}
	}
}

// bridges adds the SEAs that can carry a virtual adapter.
func (g *graph) bridges(index *model.Bridging, h *model.Host, el *model.Element, tag *int, from *node) {
	found, gap := index.On(h, el, tag)
	bar := g.nodes["hypervisor/"+from.system]
	if gap != nil || bar == nil {
		return
	}
	for _, b := range found {
		if g.nodes[b.SEA.String()] != nil {
			continue
		}
		at := g.standby(model.Ref{Host: b.SEA.Host, Element: b.Trunk}, laneTrunk, bar)
		at = g.standby(b.SEA, laneSEA, at)
		sea := g.fleet.Element(b.SEA)
		if sea == nil || sea.Real == "" {
			continue
		}
		r := model.Ref{Host: b.SEA.Host, Element: sea.Real}
		outlets := []*node{}
		if port := g.fleet.Element(r); port != nil && port.Kind == model.EtherChannel {
			at = g.standby(r, laneChannel, at)
			for _, m := range port.Members {
				outlets = append(outlets, g.standby(model.Ref{Host: r.Host, Element: m}, lanePort, at))
			}
		} else {
			outlets = append(outlets, g.standby(r, lanePort, at))
		}
		for _, o := range outlets {
			g.join(o, g.nodes["switch"], true)
		}
	}
}

// backings adds the ports of VIOSes that stand by for a vNIC.
func (g *graph) backings(el *model.Element, from *node, rest []model.Hop) {
	for _, b := range el.Backing {
		r := model.Ref{Host: b.Host, Element: b.Device}
		if b.Host == "" || g.fleet.Element(r) == nil ||
			slices.ContainsFunc(rest, func(x model.Hop) bool { return x.Ref != nil && *x.Ref == r }) {
			continue
		}
		g.join(g.standby(r, lanePort, from), g.nodes["switch"], true)
	}
}

// standby adds an element below another one.
func (g *graph) standby(r model.Ref, lane int, above *node) *node {
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
