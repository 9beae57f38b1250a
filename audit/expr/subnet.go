package expr

import (
	"maps"
	"net/netip"

	"seaworthy/audit/graph"
)

// subnetView is a subnet seen by the values in force, or by the next boot's.
type subnetView struct {
	netip.Prefix
	nextBoot bool
}

// subnet counts the interfaces of a subnet by MTU, as far as they said, once: it may hold the whole fleet.
func (s *Session) subnet(p netip.Prefix) map[int]int {
	key := subnetView{p, s.NextBoot}
	count := s.mtus[key]
	if count == nil {
		count = map[int]int{}
		for _, n := range s.graph.InSubnet(p) {
			if mtu, ok := s.mtu(n); ok {
				count[mtu]++
			}
		}
		s.mtus[key] = count
	}
	return count
}

func (s *Session) mtu(e *graph.Element) (int, bool) {
	v, ok := s.value(e.Is.Attrs["mtu"])
	n, num := number(v)
	return n, ok && num
}

// subnetMTUs counts the interfaces of e's subnets by MTU. Where none but e said its MTU, there is nothing to compare.
func (s *Session) subnetMTUs(e *graph.Element) (map[int]int, error) {
	all := map[int]int{}
	for _, a := range e.Is.Addrs {
		for mtu, n := range s.subnet(a.Masked()) {
			all[mtu] += n
		}
	}
	others := maps.Clone(all)
	if own, ok := s.mtu(e); ok {
		others[own] -= len(e.Subnets())
	}
	for _, n := range others {
		if n > 0 {
			return all, nil
		}
	}
	return nil, e.Missing("MTU of another host in its subnet: none is in this audit", "")
}
