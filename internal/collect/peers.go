package collect

import (
	"context"
	"net/netip"
	"slices"
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

// meeting has hosts that are read together ping a peer behind a router while they are still
// being read: many such peers never answer, and waiting for that costs no time then.
type meeting struct {
	measured func(*runner) bool // whether a host is an end of paths that are measured

	mu      sync.Mutex
	awaited int           // hosts that have neither said their addresses nor ended
	arrived []bool        // by place
	runners []*runner     // by place, of those that take part
	ends    []*model.Host // by place, as far as their addresses and routes are read
}

func newMeeting(hosts int, measured func(*runner) bool) *meeting {
	return &meeting{measured: measured, awaited: hosts,
		arrived: make([]bool, hosts), runners: make([]*runner, hosts), ends: make([]*model.Host, hosts)}
}

// arrive counts a host in, once; the last one has all of them ping. r is nil where a host ended before its
// addresses were read. No other command of r may run meanwhile.
func (m *meeting) arrive(ctx context.Context, i int, r *runner) {
	var end *model.Host
	if r != nil && m.measured(r) {
		end = r.end()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.arrived[i] {
		return
	}
	m.arrived[i] = true
	m.awaited--
	if end != nil {
		m.runners[i], m.ends[i] = r, end
	}
	if m.awaited > 0 {
		return
	}
	ends := slices.DeleteFunc(slices.Clone(m.ends), func(h *model.Host) bool { return h == nil })
	for k, r := range slices.DeleteFunc(slices.Clone(m.runners), func(r *runner) bool { return r == nil }) {
		near, routed := pingsOf(ends, k, r.on())
		if len(near) > 0 || len(routed) == 0 {
			continue
		}
		r.pinged = true
		r.pings.Go(func() { r.run(ctx, routed) })
	}
}

// leave takes out a host that is not read to its end, and waits for its pings.
func (m *meeting) leave(i int, r *runner) {
	m.mu.Lock()
	m.runners[i], m.ends[i] = nil, nil
	m.mu.Unlock()
	if r != nil {
		r.pings.Wait()
	}
}

// end is what a host said so far, as an end of paths; once its addresses are known, no more
// is read for it. No other command of the host may run.
func (r *runner) end() *model.Host {
	if r.known != nil {
		return r.known
	}
	text, err := outputs(r.snapshot())
	if err != nil { // its values are read again, and the error reported, by anyone who uses the snapshot
		text = nil
	}
	h := assemble.Host(about(*r.m), text)
	for _, name := range h.Names(model.Interface) {
		if len(h.Elements[name].Addrs) > 0 {
			r.known = h
		}
	}
	return h
}

// on is how the user is logged in at an end of paths.
func (r *runner) on() registry.On {
	if r.login.platform == model.AIX {
		return registry.OnAIX
	}
	return registry.OnLinux
}

// roundTrips asks hosts that are read for the round trip to some of the others: one behind a
// router only where none was asked for while the host was read.
func roundTrips(ctx context.Context, runners []*runner) {
	var ends []*model.Host
	for _, r := range runners {
		r.pings.Wait()
		ends = append(ends, r.end())
	}
	for i, r := range runners {
		near, routed := pingsOf(ends, i, r.on())
		if r.pinged {
			routed = nil
		}
		r.pings.Go(func() { r.run(ctx, slices.Concat(near, routed)) })
	}
	for _, r := range runners {
		r.pings.Wait()
	}
}

// pingsOf are the pings of one of several hosts: to peers on its own networks, or, without
// any, to one behind a router, which may not answer.
func pingsOf(ends []*model.Host, i int, on registry.On) (near, routed []Item) {
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
	if len(near) > 0 {
		return near, nil
	}
	return nil, routed[:min(len(routed), 1)]
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
