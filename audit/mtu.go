package audit

import "seaworthy/inventory"

// Where MTUs differ, somebody has to be wrong. What most of a subnet has is
// taken to be meant; of two halves, what the path is prepared for.

func (s *session) subnetMTU(e *element) (int, error) {
	mtu, ok := s.joins.subnetMTU(e, s.value)
	if !ok {
		return 0, missing(describe(e, "MTU of another host in its subnet: none is in this audit", ""))
	}
	return mtu, nil
}

// widerMTU gives the larger MTU that at least half of e's subnet has, or e's own.
func (s *session) widerMTU(e *element) (int, error) {
	own, err := s.num(e, "mtu")
	if err != nil {
		return 0, err
	}
	mtu, ok := s.joins.widerMTU(e, own, s.value)
	if !ok {
		return 0, missing(describe(e, "MTU of another host in its subnet: none is in this audit", ""))
	}
	return mtu, nil
}

// agreed says whether e's MTU is the one that is meant: most of its subnet has
// it, or half, and the SEA or the ports on its way take jumbo frames.
func (s *session) agreed(e *element) (bool, error) {
	own, err := s.num(e, "mtu")
	if err != nil {
		return false, err
	}
	count, _ := s.joins.mtus(e, s.value)
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
func (s *session) prepared(e *element) (bool, error) {
	seas, err := s.seas(e)
	if err != nil {
		return false, err
	}
	for _, sea := range seas {
		if on, err := s.on(sea, "jumbo_frames"); err != nil || on {
			return on, err
		}
		ports, err := s.joins.ports(sea, 0)
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

// mtus counts the interfaces of e's subnet by MTU, as far as they said, and
// those that are not e.
func (j *joins) mtus(e *element, view func(*inventory.Attr) (string, bool)) (count map[int]int, others int) {
	count = map[int]int{}
	for _, a := range e.is.Addrs {
		for _, n := range j.subnets[a.Masked()] {
			v, ok := view(n.is.Attrs["mtu"])
			if mtu, num := number(v); ok && num {
				count[mtu]++
				if n != e {
					others++
				}
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

// subnetMTU gives the MTU most interfaces of e's subnet have. False if no other
// interface said.
func (j *joins) subnetMTU(e *element, view func(*inventory.Attr) (string, bool)) (int, bool) {
	count, others := j.mtus(e, view)
	return commonest(count), others > 0
}

// widerMTU gives the commonest MTU above own in e's subnet if at least half of
// those who said have one above own; else own. False if nobody else said.
func (j *joins) widerMTU(e *element, own int, view func(*inventory.Attr) (string, bool)) (int, bool) {
	count, others := j.mtus(e, view)
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
