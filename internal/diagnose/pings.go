package diagnose

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/inventory/model"
)

// savedPings completes what was measured of one direction by the pings of its host that somebody saved, to an address of
// the other end.
func savedPings(way *Measured, fleet *model.Fleet) {
	host, far := fleet.Host(way.From.Host), fleet.Element(way.To)
	if host == nil || far == nil {
		return
	}
	var pings []model.Ping
	for _, p := range host.Pings {
		if !slices.ContainsFunc(far.Addrs, func(a netip.Prefix) bool { return a.Addr() == p.To }) {
			continue
		}
		if p.Sent > 0 {
			pings = append(pings, p)
		} else if p.LeastMS != nil && way.RTTms == 0 {
			way.RTTms = *p.LeastMS
		}
	}
	if len(pings) == 0 {
		return
	}
	slices.SortStableFunc(pings, func(a, b model.Ping) int { return cmp.Compare(a.Size, b.Size) })
	way.Address = cmp.Or(way.Address, pings[0].To.String())
	if way.RTTms == 0 && pings[0].LeastMS != nil {
		way.RTTms = *pings[0].LeastMS
	}
	if way.MTU == nil {
		way.MTU = provedByPings(way, fleet.Element(way.From), pings)
	}
	if way.Sent > 0 {
		return
	}
	limit := 0 // larger ones are lost for their size
	if way.MTU != nil {
		limit = way.MTU.Largest
	}
	for _, p := range pings {
		if limit > 0 && p.Size > limit {
			continue
		}
		way.Sent, way.Lost = way.Sent+p.Sent, way.Lost+max(0, p.Sent-p.Received)
		way.SmallPassed = way.SmallPassed || p.Received > 0
	}
}

// enoughLost is how many packets of a size must be lost, with none that passed, to say that it does not pass.
const enoughLost = 2

// provedByPings says up to which size packets pass, where larger ones of a size that the sender's interface sends whole were
// all lost, or refused. Nil: the pings do not show it. They are in the order of their sizes.
func provedByPings(way *Measured, from *model.Element, pings []model.Ping) *pathmtu.Direction {
	w := &pathmtu.Direction{From: way.From, To: way.To, Address: pings[0].To}
	mtu := uint64(0) // 0: not known
	if from != nil {
		mtu, _ = strconv.ParseUint(from.Attrs["mtu"].Current(), 10, 32)
	}
	refused := false
	for _, p := range pings {
		whole := p.Whole || uint64(p.Size) <= mtu // nothing had to cut it before it left
		switch {
		case p.Received > 0 && whole:
			w.Largest = max(w.Largest, p.Size)
			w.Probes = append(w.Probes, pathmtu.Probe{Size: p.Size, Outcome: pathmtu.Passed})
		case p.Received == 0 && whole && p.Refused > 0 && uint64(p.Refused) < mtu:
			refused = true
		case p.Received == 0 && whole && p.Refused == 0 && p.Sent >= enoughLost:
			w.Wanted = max(w.Wanted, p.Size)
			w.Probes = append(w.Probes, pathmtu.Probe{Size: p.Size, Outcome: pathmtu.Lost})
		}
	}
	switch {
	case w.Largest > 0 && w.Wanted > w.Largest:
		w.Verdict = pathmtu.BlackHole
	case w.Largest > 0 && refused:
		w.Verdict = pathmtu.Rejected
	case w.Largest > 0 && uint64(w.Largest) >= mtu && mtu > 0:
		w.Wanted, w.Verdict = w.Largest, pathmtu.Whole
	default:
		return nil
	}
	return w
}
