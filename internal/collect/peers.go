package collect

import (
	"context"
	"net/netip"
	"strings"
	"sync"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
)

// Round trips are measured between hosts that are read together: with more of
// them, and to more peers of each, it would be no longer a few packets.
const (
	maxMeasured = 32 // hosts
	maxPeers    = 3  // of each
)

// measured reports whether a host's round trips are measured: it is an end of
// paths, not a VIOS in the middle.
func (o Options) measured(hosts int, r *runner) bool {
	return o.RoundTrips && hosts > 1 && hosts <= maxMeasured && (r.login.platform == model.AIX || r.login.platform == model.Linux)
}

// roundTrips asks hosts for the round trip to some of the others.
func roundTrips(ctx context.Context, runners []*runner) {
	var ends []*model.Host
	for _, r := range runners {
		text, err := outputs(r.snapshot())
		if err != nil { // its values are read again, and the error reported, by anyone who uses the snapshot
			text = nil
		}
		ends = append(ends, assemble.Host(about(*r.m), text))
	}
	var wait sync.WaitGroup
	for i, r := range runners {
		on := registry.OnLinux
		if r.login.platform == model.AIX {
			on = registry.OnAIX
		}
		ask := pingsOf(ends, i, on)
		wait.Go(func() { r.run(ctx, ask) })
	}
	wait.Wait()
}

// pingsOf are the pings of one of several hosts: to peers on its own networks, or, without
// any, to one behind a router, which may not answer.
func pingsOf(ends []*model.Host, i int, on registry.On) []Item {
	var near, routed []Item
	for k := 1; k < len(ends) && len(near) < maxPeers; k++ {
		peer := ends[(i+k)%len(ends)]
		iface, to, far, ok := reaches(ends[i], peer)
		if !ok {
			continue
		}
		for _, it := range items(on, registry.OfPeer, to.String()) {
			it.Element, it.Attribute = iface, peer.Name
			if far {
				routed = append(routed, it)
				continue
			}
			near = append(near, it)
		}
	}
	if len(near) == 0 {
		return routed[:min(len(routed), 1)]
	}
	return near
}

// reaches finds an address of a peer, one on a network of the host itself if
// there is any, and the interface on the way to it; far says that a router is in between.
func reaches(h, peer *model.Host) (iface string, to netip.Addr, far, ok bool) {
	for _, theirs := range peer.Names(model.Interface) {
		for _, p := range peer.Elements[theirs].Addrs {
			if !p.Addr().Is4() || p.Addr().IsLoopback() {
				continue
			}
			for _, own := range h.Names(model.Interface) {
				for _, q := range h.Elements[own].Addrs {
					if q.Masked() == p.Masked() && q.Addr() != p.Addr() {
						return own, p.Addr(), false, true
					}
				}
			}
			if r := h.Route(p.Addr()); r != nil && !ok && strings.TrimSpace(r.Interface) != "" {
				iface = r.Interface
				to = p.Addr()
				far, ok = true, true
			}
		}
	}
	return iface, to, far, ok
}
