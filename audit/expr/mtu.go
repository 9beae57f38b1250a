package expr

import (
	"net/netip"

	"seaworthy/audit/graph"
)

// Where MTUs differ, somebody has to be wrong. What most of a subnet has is
// taken to be meant; of two halves, what the path is prepared for.

func (s *Session) subnetMTU(e *graph.Element) (int, error) {
	count, others := s.mtusAround(e)
	return commonest(count), compared(e, others)
}

// compared says that no other host's MTU is there to compare with.
func compared(e *graph.Element, others int) error {
	if others > 0 {
		return nil
	}
	return e.Missing("MTU of another host in its subnet: none is in this audit", "")
}

// widerMTU gives the commonest MTU above e's own if at least half of those in
// its subnet who said have one above it; else e's own.
func (s *Session) widerMTU(e *graph.Element) (int, error) {
	own, err := s.num(e, "mtu")
	if err != nil {
		return 0, err
	}
	count, others := s.mtusAround(e)
	above, all := 0, 0
	for mtu, n := range count {
		all += n
		if mtu > own {
			above += n
		} else {
			delete(count, mtu)
		}
	}
	if above == 0 || 2*above < all {
		return own, compared(e, others)
	}
	return commonest(count), compared(e, others)
}

// mtuAgreed says whether e's MTU is the one that is meant: most of its subnet has
// it, or half, and the SEA or the ports on its way take jumbo frames.
func (s *Session) mtuAgreed(e *graph.Element) (bool, error) {
	own, err := s.num(e, "mtu")
	if err != nil {
		return false, err
	}
	count, _ := s.mtusAround(e)
	undecided := len(count) == 1 && count[own] == 1 // or, below, one of equal parts
	for mtu, n := range count {
		if mtu != own && n > count[own] {
			return false, nil
		}
		undecided = undecided || mtu != own && n == count[own]
	}
	if undecided {
		return s.prepared(e)
	}
	return true, nil
}

// prepared says whether an SEA that carries e takes jumbo frames, or all of its
// ports do.
func (s *Session) prepared(e *graph.Element) (bool, error) {
	seas, err := e.SEAs()
	if err != nil {
		return false, err
	}
	for _, sea := range seas {
		if on, err := s.on(sea, "jumbo_frames"); err != nil || on {
			return on, err
		}
		ports, err := sea.Ports()
		if err != nil {
			return false, err
		}
		all := len(ports) > 0
		for _, p := range ports {
			on, err := s.on(p, "jumbo_frames")
			if err != nil {
				return false, err
			}
			all = all && on
		}
		if all {
			return true, nil
		}
	}
	return false, nil
}

// subnetView is a subnet seen by the values in force, or by the next boot's.
type subnetView struct {
	netip.Prefix
	nextBoot bool
}

// mtus are the interfaces of a subnet by MTU, as far as they said.
type mtus struct {
	count map[int]int
	said  int
}

// subnet counts a subnet's MTUs, once: it may hold the whole fleet.
func (s *Session) subnet(p netip.Prefix) *mtus {
	key := subnetView{p, s.NextBoot}
	m := s.mtus[key]
	if m == nil {
		m = &mtus{count: map[int]int{}}
		for _, n := range s.graph.InSubnet(p) {
			if mtu, ok := s.mtu(n); ok {
				m.count[mtu]++
				m.said++
			}
		}
		s.mtus[key] = m
	}
	return m
}

func (s *Session) mtu(e *graph.Element) (int, bool) {
	v, ok := s.value(e.Is.Attrs["mtu"])
	n, num := number(v)
	return n, ok && num
}

// mtusAround counts the interfaces of e's subnets by MTU, as far as they said,
// and those that are not e.
func (s *Session) mtusAround(e *graph.Element) (count map[int]int, others int) {
	count = map[int]int{}
	own := e.Subnets()
	_, said := s.mtu(e)
	for _, a := range e.Is.Addrs {
		p := a.Masked()
		m := s.subnet(p)
		for mtu, n := range m.count {
			count[mtu] += n
		}
		others += m.said
		for _, x := range own {
			if said && x == p {
				others--
			}
		}
	}
	return count, others
}

// commonest gives the MTU most have; a tie goes to the smaller.
func commonest(count map[int]int) int {
	best := 0
	for mtu, n := range count {
		if best == 0 || n > count[best] || n == count[best] && mtu < best {
			best = mtu
		}
	}
	return best
}
