package replica

import (
	"maps"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/topology"
)

// interfaces adds the host's addresses: the first of each interface; AIX's others are attributes.
func (b *builder) interfaces(h *model.Host, n *nodeFile) {
	held := map[string]bool{}
	for _, a := range n.Adapters {
		for _, m := range a.below() {
			held[m] = true
		}
	}
	for name, e := range h.Elements {
		adapter := name
		if n.OS != topology.Linux {
			adapter = "ent" + strings.TrimPrefix(name, "en")
		}
		_, built := n.Adapters[adapter]
		what := h.Name + ":" + name
		switch {
		case e == nil || len(e.Addrs) == 0 || name == "lo" || name == "lo0":
			continue
		case n.OS != topology.Linux && e.Kind != model.Interface:
			continue
		case !built || held[adapter]:
			b.add(LeftOut, what, "its adapter is not in the copy")
			continue
		}
		addresses := b.usable(what, e, n.OS == topology.Linux)
		if len(addresses) == 0 {
			continue
		}
		i := interfaceFile{Address: addresses[0].String(), Gateway: b.gateway(h, name, addresses[0])}
		for _, p := range addresses[1:] {
			i.Aliases = append(i.Aliases, p.String())
		}
		n.Interfaces[name] = i
	}
	b.routes(h, n)
}

// usable are the interface's IPv4 addresses that no other host of the copy has: all of a Linux host's, the first one of an
// AIX host's, whose others are attributes.
func (b *builder) usable(what string, e *model.Element, all bool) (out []netip.Prefix) {
	for _, p := range e.Addrs {
		switch by := b.addresses[p.Addr().String()]; {
		case !p.Addr().Is4():
			b.add(LeftOut, what, "address %s: a lab's hosts have IPv4 addresses", p)
		case p.Bits() < 8 || p.Bits() == 31 || !p.Addr().IsGlobalUnicast() && !p.Addr().IsLinkLocalUnicast():
			b.add(LeftOut, what, "address %s: a lab's hosts have none of this kind", p)
		case by != "":
			b.add(LeftOut, what, "address %s: %s has it", p, by)
		default:
			b.addresses[p.Addr().String()] = what
			out = append(out, p)
			if !all {
				return out
			}
		}
	}
	return out
}

// gateway is that of the host's default route by the interface; empty: another interface has it, or none.
func (b *builder) gateway(h *model.Host, name string, address netip.Prefix) string {
	for _, r := range h.Routes {
		if r.To.Bits() == 0 && r.To.Addr().Is4() && r.Interface == name && r.Gateway.IsValid() && address.Contains(r.Gateway) {
			return r.Gateway.String()
		}
	}
	return ""
}

// routes adds the host's static routes whose gateway is in a network of the copy, and says what becomes of the others.
func (b *builder) routes(h *model.Host, n *nodeFile) {
	if h.Routes == nil {
		b.add(Assumed, h.Name, "its routes were not read: a default route to the last free address of its subnet")
		return
	}
	var others []string
	hasDefault := false
	for _, r := range h.Routes {
		switch {
		case r.To.Bits() == 0:
			hasDefault = true
		case r.Gateway.IsValid() && !r.Gateway.IsUnspecified() && r.Origin != model.Learnt && r.To.Addr().Is4() && !r.To.Addr().IsLoopback():
			if b.static(n, r) {
				break
			}
			if _, own := b.addresses[r.Gateway.String()]; !own {
				others = append(others, r.To.String())
			}
		}
	}
	if h.ODMRoutes != nil {
		b.kernelRoutes(h, n)
	}
	for name := range n.Interfaces {
		own := func(r model.Route) bool { return r.Interface == name && r.To.IsSingleIP() && !r.Gateway.IsValid() }
		if n.OS != topology.Linux && !slices.ContainsFunc(h.Routes, own) {
			b.add(Assumed, h.Name+":"+name, "the routes that AIX makes for its network, which were not read")
		}
	}
	if len(others) > 0 {
		b.add(LeftOut, h.Name, "its routes to %s", someOf(others))
	}
	if !hasDefault {
		b.add(Assumed, h.Name, "a default route, which it does not have: the lab's switch answers for other networks")
	}
}

// static adds a static route to a node; false: a lab's host cannot have it.
func (b *builder) static(n *nodeFile, r model.Route) bool {
	to := r.To.String()
	if r.To != r.To.Masked() || n.Routes[to] != "" {
		return n.Routes[to] == r.Gateway.String()
	}
	for _, i := range n.Interfaces {
		p, err := netip.ParsePrefix(i.Address)
		if err != nil || !p.Contains(r.Gateway) || p.Addr() == r.Gateway {
			continue
		}
		if n.Routes == nil {
			n.Routes = map[string]string{}
		}
		n.Routes[to] = r.Gateway.String()
		return true
	}
	return false
}

// kernelRoutes says which routes the copy keeps over a boot and the host does not.
func (b *builder) kernelRoutes(h *model.Host, n *nodeFile) {
	for _, to := range slices.Sorted(maps.Keys(n.Routes)) {
		kept := func(r model.Route) bool { return r.To.String() == to && r.Gateway.String() == n.Routes[to] }
		if !slices.ContainsFunc(h.ODMRoutes, kept) {
			b.add(Assumed, h.Name, "the route to %s is one of inet0's, and there after a boot: the host has it until then", to)
		}
	}
}
