package model

import (
	"fmt"
	"net/netip"
	"strings"
)

// Target is the address of a path's far end: the one in the near end's subnet
// if there is one.
func (f *Fleet) Target(p *Path) (string, error) {
	from, to := f.Element(p.From), f.Element(p.To)
	if to == nil || len(to.Addrs) == 0 {
		return "", fmt.Errorf("%s has no address", p.To)
	}
	if from != nil {
		for _, a := range to.Addrs {
			for _, b := range from.Addrs {
				if b.Masked().Contains(a.Addr()) {
					return a.Addr().String(), nil
				}
			}
		}
	}
	return to.Addrs[0].Addr().String(), nil
}

// LineRate returns what the slowest line of a path carries, in bit/s: ports of one
// EtherChannel together. 0 if there is no line, or a port does not say its speed.
func (f *Fleet) LineRate(p *Path) uint64 {
	var slowest, group uint64
	for i, h := range p.Hops {
		if h.Kind != string(Physical) {
			continue
		}
		var el *Element
		if h.Ref != nil {
			el = f.Element(*h.Ref)
		}
		if el == nil || el.SpeedMb == nil || *el.SpeedMb <= 0 {
			return 0
		}
		group += uint64(*el.SpeedMb) * 1e6
		if i+1 < len(p.Hops) && strings.HasPrefix(h.Note, MemberNote) && h.Note == p.Hops[i+1].Note {
			continue // another port of the same EtherChannel follows
		}
		if slowest == 0 || group < slowest {
			slowest = group
		}
		group = 0
	}
	return slowest
}

// MemberNote is the note of a hop that is one of several ports of an EtherChannel, and how
// the note begins of one that is a member of its primary channel.
const MemberNote = "member"

// Neighbour is an IPv4 address of another element in a subnet of this one.
func (e *Element) Neighbour(other *Element) (netip.Addr, bool) {
	for _, a := range e.Addrs {
		for _, b := range other.Addrs {
			if b.Addr().Is4() && a.Addr() != b.Addr() && a.Masked().Contains(b.Addr()) {
				return b.Addr(), true
			}
		}
	}
	return netip.Addr{}, false
}
