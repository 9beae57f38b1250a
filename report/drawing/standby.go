package drawing

import (
	"slices"

	"seaworthy/inventory"
)

// standbys adds what could carry a side's frames but does not: the other SEAs of
// its VLAN, and the backup adapter of an EtherChannel over virtual ones.
func (g *graph) standbys(side []inventory.Hop) {
	index := g.fleet.Bridging()
	var tag *int
	for i, h := range side {
		if h.Kind == inventory.HypervisorSwitch || h.Ref == nil {
			return
		}
		el := g.fleet.Element(*h.Ref)
		if el == nil {
			return
		}
		owner := g.fleet.Host(h.Ref.Host)
		switch el.Kind {
		case inventory.VLANDevice:
			if len(el.VLANs) == 1 {
				tag = &el.VLANs[0]
			}
		case inventory.EtherChannel:
			g.backup(index, owner, el, tag, side)
		case inventory.Virtual:
			g.bridges(index, owner, el, tag, g.nodes[h.Ref.String()])
		case inventory.VNIC:
			g.backings(el, g.nodes[h.Ref.String()], side[i+1:])
			return
		}
	}
}

// backup adds the member or the backup that carries no frames now.
func (g *graph) backup(index *inventory.Bridging, h *inventory.Host, ech *inventory.Element, tag *int, side []inventory.Hop) {
	above := g.nodes[h.Name+":"+ech.Name]
	if above == nil || above.lane != laneClientChannel {
		return
	}
	hypervisor := slices.ContainsFunc(side, func(x inventory.Hop) bool { return x.Kind == inventory.HypervisorSwitch })
	for _, name := range append(slices.Clone(ech.Members), ech.Backup()) {
		r := inventory.Ref{Host: h.Name, Element: name}
		el := g.fleet.Element(r)
		if el == nil || g.nodes[r.String()] != nil {
			continue
		}
		n := g.standby(r, laneAdapter, above)
		if el.Kind == inventory.Virtual && hypervisor {
			g.join(n, g.nodes["hypervisor/"+above.system], true)
			g.bridges(index, h, el, tag, n)
		}
	}
}

// bridges adds the SEAs that can carry a virtual adapter.
func (g *graph) bridges(index *inventory.Bridging, h *inventory.Host, el *inventory.Element, tag *int, from *node) {
	found, gap := index.On(h, el, tag)
	bar := g.nodes["hypervisor/"+from.system]
	if gap != nil || bar == nil {
		return
	}
	for _, b := range found {
		if g.nodes[b.SEA.String()] != nil {
			continue
		}
		at := g.standby(inventory.Ref{Host: b.SEA.Host, Element: b.Trunk}, laneTrunk, bar)
		at = g.standby(b.SEA, laneSEA, at)
		sea := g.fleet.Element(b.SEA)
		if sea == nil || sea.Real == "" {
			continue
		}
		r := inventory.Ref{Host: b.SEA.Host, Element: sea.Real}
		outlets := []*node{}
		if port := g.fleet.Element(r); port != nil && port.Kind == inventory.EtherChannel {
			at = g.standby(r, laneChannel, at)
			for _, m := range port.Members {
				outlets = append(outlets, g.standby(inventory.Ref{Host: r.Host, Element: m}, lanePort, at))
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
func (g *graph) backings(el *inventory.Element, from *node, rest []inventory.Hop) {
	for _, b := range el.Backing {
		r := inventory.Ref{Host: b.Host, Element: b.Device}
		if b.Host == "" || g.fleet.Element(r) == nil ||
			slices.ContainsFunc(rest, func(x inventory.Hop) bool { return x.Ref != nil && *x.Ref == r }) {
			continue
		}
		g.join(g.standby(r, lanePort, from), g.nodes["switch"], true)
	}
}

// standby adds an element below another one.
func (g *graph) standby(r inventory.Ref, lane int, above *node) *node {
	if old := g.nodes[r.String()]; old != nil {
		g.join(above, old, true)
		return old
	}
	kind := "unknown"
	if el := g.fleet.Element(r); el != nil {
		kind = string(el.Kind)
	}
	n := g.add(inventory.Hop{Ref: &r, Kind: kind}, lane, above.system, []*node{above})
	n.Standby = true
	g.join(above, n, true)
	return n
}
