package expr

import (
	"net/netip"

	"seaworthy/audit/graph"
)

// Where MTUs differ, somebody has to be wrong. What most of a subnet has is
// taken to be meant; of two halves, what the path is prepared for.

func (s *Session) subnetMTU(e *graph.Element) (int, error) {
	count, others := s.mtusAround(e)
	mtu, ok := commonest(count), others > 0
	if !ok {
		return 0, e.Missing("MTU of another host in its subnet: none is in this audit", "")
	}
	return mtu, nil
}

// widerMTU gives the larger MTU that at least half of e's subnet has, or e's own.
func (s *Session) widerMTU(e *graph.Element) (int, error) {
	own, err := s.num(e, "mtu")
	if err != nil {
		return 0, err
	}
	mtu, ok := s.wider(e, own)
	if !ok {
		return 0, e.Missing("MTU of another host in its subnet: none is in this audit", "")
	}
	return mtu, nil
}

// mtuAgreed says whether e's MTU is the one that is meant: most of its subnet has
// it, or half, and the SEA or the ports on its way take jumbo frames.
func (s *Session) mtuAgreed(e *graph.Element) (bool, error) {
	own, err := s.num(e, "mtu")
	if err != nil {
		return false, err
	}
	count, _ := s.mtusAround(e)
	for mtu, n := range count {
		if mtu != own && n > count[own] {
			return false, nil
		}
	}
	for mtu, n := range count {
		if mtu != own && n == count[own] {
			return s.prepared(e)
		}
	}
	if len(count) == 1 && count[own] == 1 {
		return s.prepared(e) // alone in this audit
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

// wider gives the commonest MTU above own in e's subnet if at least half of
// those who said have one above own; else own. False if nobody else said.
func (s *Session) wider(e *graph.Element, own int) (int, bool) {
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
		return own, others > 0
	}
	return commonest(count), others > 0
}
