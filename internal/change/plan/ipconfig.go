package plan

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// IPConfigOf reads what an interface of AIX has at the IP layer, which it loses when it
// is taken down; nil: its attributes were not read, so that nobody knows what of
// it the ODM has.
func IPConfigOf(h *model.Host, iface string) *task.IPConfig { return newIPLayer(h).configOf(iface) }

// ipLayer is the IP layer of all interfaces of a host.
type ipLayer struct {
	host   *model.Host
	routes map[string][]model.Route // by interface
	odm    map[odmRoute]bool
}

type odmRoute struct {
	to      netip.Prefix
	gateway netip.Addr
}

func newIPLayer(h *model.Host) *ipLayer {
	c := &ipLayer{host: h, routes: map[string][]model.Route{}, odm: map[odmRoute]bool{}}
	for _, r := range h.Routes {
		c.routes[r.Interface] = append(c.routes[r.Interface], r)
	}
	for _, r := range h.ODMRoutes {
		c.odm[odmRoute{r.To.Masked(), r.Gateway}] = true
	}
	return c
}

// configOf lists what an interface has at the IP layer; nil if its attributes were not read.
func (x *ipLayer) configOf(iface string) *task.IPConfig {
	h, el := x.host, x.host.Elements[iface]
	if el == nil || el.Attrs["netaddr"] == nil || el.Attrs["netaddr"].NextBoot == nil {
		return nil
	}
	k := &task.IPConfig{}
	odm := configured(el)
	for _, a := range el.Addrs {
		if !a.Addr().IsLinkLocalUnicast() {
			k.Addresses = append(k.Addresses, task.ConfiguredAddress{Address: a, KernelOnly: !odm[a.Addr()]})
		}
	}
	for _, r := range x.routes[iface] {
		if !r.Gateway.Is4() || !r.To.Addr().Is4() || r.Origin == model.Learnt {
			continue
		}
		k.Routes = append(k.Routes, task.StaticRoute{To: r.To.Masked(), Gateway: r.Gateway,
			KernelOnly: h.ODMRoutes != nil && !x.odm[odmRoute{r.To.Masked(), r.Gateway}]})
	}
	for _, n := range h.ARP {
		near := slices.ContainsFunc(el.Addrs, func(p netip.Prefix) bool { return p.Masked().Contains(n.Address) })
		own := slices.ContainsFunc(el.Addrs, func(p netip.Prefix) bool { return p.Addr() == n.Address })
		if near && !own {
			k.ARP = append(k.ARP, task.StaticNeighbour{Address: n.Address, MAC: n.MAC, Published: n.Published})
		}
	}
	if name := h.Hostname; name != nil && !same(name.Running, name.NextBoot) {
		k.Hostname = *name.Running
	}
	slices.SortFunc(k.Addresses, func(a, b task.ConfiguredAddress) int { return a.Address.Addr().Compare(b.Address.Addr()) })
	return k
}

// addressing are the attributes that say which addresses the ODM has.
var addressing = []string{"netaddr", "netmask", "alias4", "netaddr6", "prefixlen", "alias6"}

// configured are the addresses that the ODM has of an interface.
func configured(el *model.Element) map[netip.Addr]bool {
	out := map[netip.Addr]bool{}
	for _, name := range addressing {
		a := el.Attrs[name]
		if name == "netmask" || a == nil || a.NextBoot == nil {
			continue
		}
		for _, word := range strings.FieldsFunc(*a.NextBoot, func(r rune) bool { return strings.ContainsRune(", /%", r) }) {
			if addr, err := netip.ParseAddr(word); err == nil {
				out[addr] = true
			}
		}
	}
	return out
}

// leftForBoot are those of elements, in the order of their texts.
func leftForBoot(h *model.Host, elements []string) []pendingValue {
	var left []pendingValue
	for _, name := range elements {
		for attr, a := range h.Elements[name].Attrs {
			if !same(a.Running, a.NextBoot) && *a.NextBoot != "" {
				left = append(left, pendingValue{target{model.Ref{Host: h.Name, Element: name}, attr},
					fmt.Sprintf("%s %s=%s", name, attr, *a.NextBoot)})
			}
		}
	}
	slices.SortFunc(left, func(a, b pendingValue) int { return strings.Compare(a.text, b.text) })
	return left
}

func someOf(left []pendingValue) string {
	var texts []string
	for _, v := range left {
		texts = append(texts, v.text)
	}
	if more := len(left) - mostPending; more > 1 {
		texts = append(texts[:mostPending], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}
