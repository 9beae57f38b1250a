package expr

import (
	"net/netip"
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// noteAddresses leaves as evidence those addresses of an element that go with one of another's.
func noteAddresses(s *Session, e, other *graph.Element, goes func(a, b netip.Prefix) bool) {
	command := "ifconfig -a"
	if e.Linux() {
		command = "ip -j -d addr"
	}
	for _, a := range graph.Addresses(e) {
		if slices.ContainsFunc(graph.Addresses(other), func(b netip.Prefix) bool { return goes(a, b) }) {
			s.evidence(e, command, "%s has %s", e.Name, a)
		}
	}
}

// noteTogether leaves as evidence the addresses of both elements that go with each other.
func noteTogether(s *Session, e, other *graph.Element, goes func(a, b netip.Prefix) bool) {
	noteAddresses(s, e, other, goes)
	noteAddresses(s, other, e, goes)
}

// addressing makes a property of elements whose addresses go with those of an element.
func addressing(get func(*graph.Element) []*graph.Element, goes func(a, b netip.Prefix) bool) member {
	return of(func(s *Session, e *graph.Element) ([]*graph.Element, error) {
		others := get(e)
		for _, x := range others {
			noteTogether(s, e, x, goes)
		}
		return others, nil
	})
}

func sameAddress(a, b netip.Prefix) bool { return a.Addr() == b.Addr() }

// rivals gives the neighbours whose ARP tables have another host's MAC address for e.
func rivals(s *Session, e *graph.Element) ([]*graph.Element, error) {
	var out []*graph.Element
	for _, r := range graph.Rivals(e) {
		s.evidence(r.Host, "arp -an", "%s at %s", r.Address, r.MAC)
		out = append(out, r.Host)
	}
	return out, nil
}

// otherMasks gives the elements of other hosts that have a neighbour's address but
// another netmask, where at least as many are in their network as in e's.
func otherMasks(s *Session, e *graph.Element) ([]*graph.Element, error) {
	const most = 4 // are named
	var out []*graph.Element
	for _, a := range graph.Addresses(e) {
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
					noteTogether(s, e, x, netip.Prefix.Overlaps)
				}
			}
		}
	}
	return out, nil
}

// owns says whether an address is one of an element: of AIX's routes to its own networks
// it is the gateway.
func owns(e *graph.Element, a netip.Addr) bool {
	return slices.ContainsFunc(graph.Addresses(e), func(p netip.Prefix) bool { return p.Addr() == a })
}

// unrouted gives the peers to none of whose addresses a route of the host leads.
func unrouted(s *Session, e *graph.Element) ([]*graph.Element, error) {
	peers, err := peersOf(s, e)
	if err != nil {
		return nil, err
	}
	command := routesCommand(e)
	var out []*graph.Element
	for _, p := range peers {
		if e.Of.Routes == nil {
			return nil, e.Missing("its routes", command)
		}
		to := graph.Addresses(p)
		if len(to) == 0 || slices.ContainsFunc(to, func(a netip.Prefix) bool { return e.Of.Route(a.Addr()) != nil }) {
			continue
		}
		s.evidence(e, command, "no route to %s", to[0].Addr())
		out = append(out, p)
	}
	return out, nil
}

// unmet gives the peers for whose address, or that of the gateway to them, nobody answered
// the host's ARP requests.
func unmet(s *Session, e *graph.Element) ([]*graph.Element, error) {
	peers, err := peersOf(s, e)
	if err != nil {
		return nil, err
	}
	if e.Of.Unmet == nil {
		return nil, e.Missing("its ARP table", "arp -an")
	}
	var out []*graph.Element
	for _, p := range peers {
		for _, a := range graph.Addresses(p) {
			next := a.Addr()
			if r := e.Of.Route(next); r != nil && r.Gateway.IsValid() && !ownAddress(e, r.Gateway) {
				next = r.Gateway
			}
			if slices.Contains(e.Of.Unmet, next) {
				s.evidence(e, "arp -an", "(%s) at (incomplete)", next)
				out = append(out, p)
				break
			}
		}
	}
	return out, nil
}

// ownAddress says whether an element has an address: AIX names it as gateway of a network that it is in.
func ownAddress(e *graph.Element, a netip.Addr) bool {
	return slices.ContainsFunc(graph.Addresses(e), func(own netip.Prefix) bool { return own.Addr() == a })
}

// defaultRoutes gives the gateways of a host's IPv4 default routes in force.
func defaultRoutes(s *Session, e *graph.Element) ([]string, error) {
	if e.Of.Routes == nil {
		return nil, e.Missing("its routes", routesCommand(e))
	}
	gateways := defaultGateways(e.Of.Routes)
	for _, g := range gateways {
		s.evidence(e, routesCommand(e), "default by %s", g)
	}
	return gateways, nil
}

// lostDefaults gives the gateways of the default routes that an AIX host has in its ODM,
// where none is in force.
func lostDefaults(s *Session, e *graph.Element) ([]string, error) {
	switch {
	case e.Of.Routes == nil:
		return nil, e.Missing("its routes", routesCommand(e))
	case e.Of.ODMRoutes == nil:
		return nil, e.Missing("the routes of its next boot", "lsattr -El inet0")
	case len(defaultGateways(e.Of.Routes)) > 0:
		return nil, nil
	}
	var lost []string
	for _, g := range defaultGateways(e.Of.ODMRoutes) {
		if !reachesGateway(e.Of, g) {
			continue // an interface that is down, or whose netmask leaves it out, is the cause
		}
		s.evidence(e, "lsattr -El inet0", "default by %s, which is not in force", g)
		lost = append(lost, g)
	}
	return lost, nil
}

// reachesGateway reports whether an interface that is up has the gateway in its network.
func reachesGateway(h *model.Host, gateway string) bool {
	address, err := netip.ParseAddr(gateway)
	if err != nil {
		return false
	}
	for _, x := range h.Elements {
		if x.Up != nil && !*x.Up {
			continue
		}
		for _, network := range x.Addrs {
			if network.Masked().Contains(address) {
				return true
			}
		}
	}
	return false
}

// defaultGateways gives the different gateways of the IPv4 default routes among some.
func defaultGateways(routes []model.Route) []string {
	var out []string
	for _, r := range routes {
		if r.To.Bits() != 0 || !r.To.Addr().Is4() || !r.Gateway.IsValid() || r.Origin == model.Learnt {
			continue
		}
		if g := r.Gateway.String(); !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

func routesCommand(e *graph.Element) string {
	if e.Linux() {
		return "ip -j route"
	}
	return "netstat -rn"
}

// narrowerThan gives the peers in whose network the element is, and which its own netmask
// leaves out.
func narrowerThan(s *Session, e *graph.Element) ([]*graph.Element, error) {
	peers, err := peersOf(s, e)
	if err != nil {
		return nil, err
	}
	var out []*graph.Element
	for _, p := range peers {
		theirs := func(a, b netip.Prefix) bool { return b.Masked().Contains(a.Addr()) }
		ours := func(a, b netip.Prefix) bool { return a.Masked().Contains(b.Addr()) }
		if !paired(e, p, theirs) || paired(e, p, ours) {
			continue
		}
		noteTogether(s, e, p, theirs)
		out = append(out, p)
	}
	return out, nil
}

// paired says whether an address of each of two elements go together.
func paired(e, other *graph.Element, goes func(a, b netip.Prefix) bool) bool {
	return slices.ContainsFunc(graph.Addresses(e), func(a netip.Prefix) bool {
		return slices.ContainsFunc(graph.Addresses(other), func(b netip.Prefix) bool { return goes(a, b) })
	})
}

// partnerOnly gives the trunk adapters of an SEA's partners that carry a VLAN which no
// trunk adapter of the SEA carries.
func partnerOnly(s *Session, sea *graph.Element) ([]*graph.Element, error) {
	partners, err := sea.Partners()
	if err != nil {
		return nil, err
	}
	own, err := bridgedBy(sea)
	if err != nil {
		return nil, err
	}
	var out []*graph.Element
	for _, p := range partners {
		trunks, err := p.Trunks()
		if err != nil {
			return nil, err
		}
		for _, t := range trunks {
			theirs, err := t.VLANs()
			if err != nil {
				return nil, err
			}
			for _, v := range theirs {
				if own[bridgedVLAN{t.Is.VSwitch, v}] {
					continue
				}
				s.evidence(sea, "entstat -d "+sea.Name, "VLAN %d: on %s:%s, on no trunk adapter of %s:%s", v, t.Host, t.Name, sea.Host, sea.Name)
				if !slices.Contains(out, t) {
					out = append(out, t)
				}
			}
		}
	}
	return out, nil
}

type bridgedVLAN struct {
	vswitch string
	vlan    int
}

// bridgedBy are the VLANs that the trunk adapters of an SEA carry.
func bridgedBy(sea *graph.Element) (map[bridgedVLAN]bool, error) {
	trunks, err := sea.Trunks()
	if err != nil {
		return nil, err
	}
	out := map[bridgedVLAN]bool{}
	for _, t := range trunks {
		vlans, err := t.VLANs()
		if err != nil {
			return nil, err
		}
		for _, v := range vlans {
			out[bridgedVLAN{t.Is.VSwitch, v}] = true
		}
	}
	return out, nil
}

// detours gives the peers whose packets do not leave the host by e.
func detours(s *Session, e *graph.Element) ([]*graph.Element, error) {
	peers, err := peersOf(s, e)
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
		case r.Interface == e.Name && r.Gateway.IsValid() && !owns(e, r.Gateway): // which the network of the interface would reach itself
			by += " via " + r.Gateway.String()
		case slices.ContainsFunc(e.Of.Routes, alike):
			continue
		}
		s.evidence(e, command, "%s %s", r.To, by)
		out = append(out, p)
	}
	return out, nil
}
