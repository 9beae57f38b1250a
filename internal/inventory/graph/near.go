package graph

import (
	"iter"
	"net/netip"

	"seaworthy/internal/inventory/model"
)

// Near returns the fleet of the hosts that a change on a path can be felt by: those on it, all
// of their managed systems, all that have an address in a subnet of theirs, and AIX and VIOS
// hosts of unknown systems.
func (g *Graph) Near(p *model.Path) *model.Fleet {
	systems := map[string]bool{"": true}
	networks := map[netip.Prefix]bool{}
	on := map[string]bool{}
	for _, hop := range p.Hops {
		if hop.Ref == nil || on[hop.Ref.Host] {
			continue
		}
		on[hop.Ref.Host] = true
		if h := g.Host(hop.Ref.Host); h != nil {
			systems[h.MachineID] = true
			for s := range subnetsOf(h) {
				networks[s] = true
			}
		}
	}
	out := &model.Fleet{HMCs: g.fleet.HMCs}
	for _, h := range g.fleet.Hosts {
		ofSystem := systems[h.MachineID] && (h.MachineID != "" || h.Platform != model.Linux)
		near := on[h.Name] || ofSystem
		for s := range subnetsOf(h) {
			near = near || networks[s]
		}
		if near {
			out.Hosts = append(out.Hosts, h)
		}
	}
	return out
}

// subnetsOf are those of a host's addresses, loopback and link-local ones left out.
func subnetsOf(h *model.Host) iter.Seq[netip.Prefix] {
	return func(yield func(netip.Prefix) bool) {
		for _, e := range h.Elements {
			if e == nil {
				continue
			}
			for _, a := range e.Addrs {
				if ip := a.Addr(); !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && !yield(a.Masked()) {
					return
				}
			}
		}
	}
}
