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

// differ gives what of want is lacking in have, and what of have is not wanted.
func differ[W, H any](want []W, have []H, same func(W, H) bool) (lacking []W, extra []H) {
	lacking = slices.Clone(want)
	for _, h := range have {
		if i := slices.IndexFunc(lacking, func(w W) bool { return same(w, h) }); i >= 0 {
			lacking = slices.Delete(lacking, i, i+1)
		} else {
			extra = append(extra, h)
		}
	}
	return lacking, extra
}

func (s *netns) applyAddresses(l netlink.Link, want []netip.Prefix, have []netlink.Addr) error {
	have = slices.DeleteFunc(slices.Clone(have), func(a netlink.Addr) bool { return a.LinkIndex != l.Attrs().Index })
	lacking, extra := differ(want, have, func(p netip.Prefix, a netlink.Addr) bool { return prefixOf(a.IPNet) == p })
	for _, a := range extra {
		s.log("remove address", l.Attrs().Name, "address", a.IPNet)
		if err := s.nl.AddrDel(l, &a); err != nil && !errors.Is(err, unix.EADDRNOTAVAIL) {
			return fmt.Errorf("remove address %s: %w", a.IPNet, err)
		}
	}
	for _, p := range lacking {
		s.log("add address", l.Attrs().Name, "address", p)
		if err := s.nl.AddrAdd(l, &netlink.Addr{IPNet: ipNet(p)}); err != nil {
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
	have = slices.DeleteFunc(have, func(h netlink.Route) bool { return len(h.Gw) == 0 })
	want = slices.DeleteFunc(slices.Clone(want), func(r Route) bool {
		for e, w := range ends {
			if e.Namespace == s.name && w.Up && slices.ContainsFunc(w.Addresses, func(p netip.Prefix) bool { return p.Contains(r.Via) }) {
				return false
			}
		}
		return true
	})
	lacking, extra := differ(want, have, func(r Route, h netlink.Route) bool {
		return h.Gw.Equal(r.Via.AsSlice()) && prefixOf(h.Dst) == r.To.Masked()
	})
	for _, h := range extra {
		s.log("remove route", "", "to", h.Dst, "via", h.Gw)
		if err := s.nl.RouteDel(&h); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("%s: remove route to %v: %w", s.name, h.Dst, err)
		}
	}
	for _, r := range lacking {
		if err := s.addRoute(r); err != nil {
			return err
		}
	}
	return nil
}

func (s *netns) addRoute(r Route) error {
	s.log("add route", "", "to", r.To, "via", r.Via)
	err := s.nl.RouteAdd(&netlink.Route{Dst: ipNet(r.To), Gw: r.Via.AsSlice()})
	if err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("%s: add route to %s via %s: %w", s.name, r.To, r.Via, err)
	}
	return nil
}

func ipNet(p netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
}

// prefixOf takes nil as 0.0.0.0/0: the kernel lists the default route either way.
func prefixOf(n *net.IPNet) netip.Prefix {
	if n == nil {
		return netip.PrefixFrom(netip.IPv4Unspecified(), 0)
	}
	ip, _ := netip.AddrFromSlice(n.IP.To4())
	ones, _ := n.Mask.Size()
	return netip.PrefixFrom(ip, ones)
}
