package wire

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

func (s *netns) applyAddresses(l netlink.Link, want []netip.Prefix, have []netlink.Addr) error {
	left := slices.Clone(want)
	for _, a := range have {
		if a.LinkIndex != l.Attrs().Index {
			continue
		}
		ip, _ := netip.AddrFromSlice(a.IP.To4())
		ones, _ := a.Mask.Size()
		if i := slices.Index(left, netip.PrefixFrom(ip, ones)); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		s.log("remove address", l.Attrs().Name, "address", a.IPNet)
		if err := s.nl.AddrDel(l, &a); err != nil && !errors.Is(err, unix.EADDRNOTAVAIL) {
			return fmt.Errorf("remove address %s: %w", a.IPNet, err)
		}
	}
	for _, p := range left {
		a := &netlink.Addr{IPNet: ipNet(p)}
		s.log("add address", l.Attrs().Name, "address", p)
		if err := s.nl.AddrAdd(l, a); err != nil {
			return fmt.Errorf("add address %s: %w", p, err)
		}
	}
	return nil
}

// applyRoutes makes want the namespace's only routes over a gateway. A route
// whose gateway no interface reaches now is left out: the kernel refuses it,
// and it comes back when the interface does.
func (s *netns) applyRoutes(want []Route, ends map[End]Settings) error {
	have, err := s.nl.RouteList(nil, netlink.FAMILY_V4)
	if err != nil {
		return fmt.Errorf("%s: list routes: %w", s.name, err)
	}
	left := slices.DeleteFunc(slices.Clone(want), func(r Route) bool {
		for e, w := range ends {
			if e.Namespace == s.name && w.Up && slices.ContainsFunc(w.Addresses, func(p netip.Prefix) bool { return p.Contains(r.Via) }) {
				return false
			}
		}
		return true
	})
	for _, h := range have {
		if len(h.Gw) == 0 {
			continue
		}
		i := slices.IndexFunc(left, func(r Route) bool {
			return net.IP(r.Via.AsSlice()).Equal(h.Gw) && sameNet(h.Dst, r.To)
		})
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		s.log("remove route", "", "to", h.Dst, "via", h.Gw)
		if err := s.nl.RouteDel(&h); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("%s: remove route to %v: %w", s.name, h.Dst, err)
		}
	}
	for _, r := range left {
		s.log("add route", "", "to", r.To, "via", r.Via)
		err := s.nl.RouteAdd(&netlink.Route{Dst: ipNet(r.To), Gw: r.Via.AsSlice()})
		if err != nil && !errors.Is(err, unix.EEXIST) {
			return fmt.Errorf("%s: add route to %s via %s: %w", s.name, r.To, r.Via, err)
		}
	}
	return nil
}

// defaultRoute gives a node of its own the route that it starts with.
func (s *netns) defaultRoute(via netip.Addr) error {
	if !via.IsValid() {
		return nil
	}
	s.log("add route", "", "to", "default", "via", via)
	if err := s.nl.RouteAdd(&netlink.Route{Gw: via.AsSlice()}); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("%s: add route to default via %s: %w", s.name, via, err)
	}
	return nil
}

func ipNet(p netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
}

// sameNet: the kernel lists the default route without a destination, or as /0.
func sameNet(dst *net.IPNet, p netip.Prefix) bool {
	if dst == nil {
		return p.Bits() == 0
	}
	ones, _ := dst.Mask.Size()
	return ones == p.Bits() && dst.IP.Equal(net.IP(p.Masked().Addr().AsSlice()))
}
