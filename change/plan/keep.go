package plan

import (
	"net/netip"
	"slices"
	"strings"

	"seaworthy/change/task"
	"seaworthy/inventory"
)

// Keeps is what an interface of AIX has at the IP layer, which it loses when it
// is taken down; nil: its attributes were not read, so that nobody knows what of
// it the ODM has.
func Keeps(h *inventory.Host, iface string) *task.Keep {
	el := h.Elements[iface]
	if el == nil || el.Attrs["netaddr"] == nil || el.Attrs["netaddr"].NextBoot == nil {
		return nil
	}
	k := &task.Keep{}
	odm := configured(el)
	for _, a := range el.Addrs {
		if !a.Addr().IsLinkLocalUnicast() {
			k.Addresses = append(k.Addresses, task.KeepAddress{Address: a, KernelOnly: !slices.Contains(odm, a.Addr())})
		}
	}
	for _, r := range h.Routes {
		if r.Interface != iface || !r.Gateway.Is4() || !r.To.Addr().Is4() || r.Origin == inventory.Learnt {
			continue
		}
		is := func(o inventory.Route) bool { return o.To.Masked() == r.To.Masked() && o.Gateway == r.Gateway }
		k.Routes = append(k.Routes, task.KeepRoute{To: r.To.Masked(), Gateway: r.Gateway,
			KernelOnly: h.ODMRoutes != nil && !slices.ContainsFunc(h.ODMRoutes, is)})
	}
	for _, n := range h.ARP {
		near := slices.ContainsFunc(el.Addrs, func(p netip.Prefix) bool { return p.Contains(n.Address) })
		if own := slices.ContainsFunc(el.Addrs, func(p netip.Prefix) bool { return p.Addr() == n.Address }); near && !own {
			k.ARP = append(k.ARP, task.KeepNeighbour{Address: n.Address, MAC: n.MAC, Published: n.Published})
		}
	}
	if name := h.Hostname; name != nil && !same(name.Running, name.NextBoot) {
		k.Hostname = *name.Running
	}
	slices.SortFunc(k.Addresses, func(a, b task.KeepAddress) int { return a.Address.Addr().Compare(b.Address.Addr()) })
	return k
}

// addressing are the attributes that say which addresses the ODM has.
var addressing = []string{"netaddr", "netmask", "alias4", "netaddr6", "prefixlen", "alias6"}

// configured are the addresses that the ODM has of an interface.
func configured(el *inventory.Element) (out []netip.Addr) {
	for _, name := range addressing {
		a := el.Attrs[name]
		if name == "netmask" || a == nil || a.NextBoot == nil {
			continue
		}
		for _, word := range strings.FieldsFunc(*a.NextBoot, func(r rune) bool { return strings.ContainsRune(", /%", r) }) {
			if addr, err := netip.ParseAddr(word); err == nil {
				out = append(out, addr)
			}
		}
	}
	return out
}
