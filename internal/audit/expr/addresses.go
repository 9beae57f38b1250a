package expr

import (
	"net/netip"
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// addressed leaves as evidence those addresses of an element that go with one of another's.
func (s *Session) addressed(e, other *graph.Element, goes func(a, b netip.Prefix) bool) {
	command := "ifconfig -a"
	if e.Linux() {
		command = "ip -j -d addr"
	}
	for _, a := range e.Addresses() {
		if slices.ContainsFunc(other.Addresses(), func(b netip.Prefix) bool { return goes(a, b) }) {
			s.evidence(e, command, "%s has %s", e.Name, a)
		}
	}
}

// together leaves as evidence the addresses of both elements that go with each other.
func (s *Session) together(e, other *graph.Element, goes func(a, b netip.Prefix) bool) {
	s.addressed(e, other, goes)
	s.addressed(other, e, goes)
}

// addressing makes a property of elements whose addresses go with those of an element.
func addressing(get func(*graph.Element) []*graph.Element, goes func(a, b netip.Prefix) bool) member {
	return of(func(s *Session, e *graph.Element) ([]*graph.Element, error) {
		others := get(e)
		for _, x := range others {
			s.together(e, x, goes)
		}
		return others, nil
	})
}

func sameAddress(a, b netip.Prefix) bool { return a.Addr() == b.Addr() }

// rivals gives the neighbours whose ARP tables have another host's MAC address for e.
func (s *Session) rivals(e *graph.Element) ([]*graph.Element, error) {
	var out []*graph.Element
	for _, r := range e.Rivals() {
		s.evidence(r.Host, "arp -an", "%s at %s", r.Address, r.MAC)
		out = append(out, r.Host)
	}
	return out, nil
}

// otherMasks gives the elements of other hosts that have a neighbour's address but
// another netmask, where at least as many are in their network as in e's.
func (s *Session) otherMasks(e *graph.Element) ([]*graph.Element, error) {
	const most = 4 // are named
	var out []*graph.Element
	for _, a := range e.Addresses() {
		if !graph.Compared(a) {
			continue
		}
		for bits := graph.ShortestMask; bits <= graph.LongestMask; bits++ {
			p := netip.PrefixFrom(a.Addr(), bits).Masked()
			theirs := s.graph.InNetwork(p) // in a narrower network, which has the address
			if bits < a.Bits() {
				theirs = s.graph.Straddling(a.Masked(), p)
			}
			if bits == a.Bits() || len(s.graph.InNetwork(p)) < len(s.graph.InNetwork(a.Masked())) {
				continue
			}
			for _, x := range theirs[:min(len(theirs), most+1)] {
				if x.Host != e.Host && len(out) < most {
					out = append(out, x)
					s.together(e, x, netip.Prefix.Overlaps)
				}
			}
		}
	}
	return out, nil
}

// detours gives the peers whose packets do not leave the host by e.
func (s *Session) detours(e *graph.Element) ([]*graph.Element, error) {
	peers, err := s.peers(e)
	if err != nil {
		return nil, err
	}
	var out []*graph.Element
	for _, p := range peers {
		to, ok := e.Is.Neighbour(p.Is)
		if !ok {
			continue // by a gateway: which interface is meant is not known
		}
		r := e.Of.Route(to)
		if r == nil {
			return nil, e.Missing("its route to "+to.String(), "netstat -rn")
		}
		command, by := "netstat -rn", "is reached by "+r.Interface
		if e.Linux() {
			command = "ip -j route"
		}
		alike := func(o model.Route) bool { return o.To == r.To && o.Interface == e.Name }
		switch {
		case slices.Contains(model.Refusing, r.Origin):
			by = "is refused: " + r.Origin
		case e.Linux() && r.Interface == e.Name && r.Gateway.IsValid(): // which the network of the interface would reach itself
			by += " via " + r.Gateway.String()
		case slices.ContainsFunc(e.Of.Routes, alike):
			continue
		}
		s.evidence(e, command, "%s %s", r.To, by)
		out = append(out, p)
	}
	return out, nil
}
