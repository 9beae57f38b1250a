package model

import (
	"iter"
	"net/netip"
)

// Near is the fleet of the hosts that a change on a path can be felt by: those on it, all
// of their managed systems, all that have an address in a subnet of theirs, and AIX and VIOS
// hosts of unknown systems.
func (f *Fleet) Near(p *Path) *Fleet {
	systems := map[string]bool{"": true}
	subnets := map[netip.Prefix]bool{}
	on := map[string]bool{}
	for _, hop := range p.Hops {
		if hop.Ref == nil || on[hop.Ref.Host] {
			continue
		}
		on[hop.Ref.Host] = true
		if h := f.Host(hop.Ref.Host); h != nil {
			systems[h.MachineID] = true
			for s := range h.subnets() {
				subnets[s] = true
			}
		}
	}
	out := &Fleet{HMCs: f.HMCs}
	for _, h := range f.Hosts {
		mate := systems[h.MachineID] && (h.MachineID != "" || h.Platform != Linux)
		near := on[h.Name] || mate
		for s := range h.subnets() {
			near = near || subnets[s]
		}
		if near {
			out.Hosts = append(out.Hosts, h)
		}
	}
	return out
}

// subnets are those of a host's addresses, loopback and link-local ones left out.
func (h *Host) subnets() iter.Seq[netip.Prefix] {
	return func(yield func(netip.Prefix) bool) {
		for _, e := range h.Elements {
			for _, a := range e.Addrs {
				if ip := a.Addr(); !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && !yield(a.Masked()) {
					return
				}
			}
		}
	}
}
