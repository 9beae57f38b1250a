package assemble

import (
	"net"
	"net/netip"
	"slices"
	"strconv"

	"seaworthy/inventory"
)

// addresses completes what ifconfig did not say: padmin without root has only
// netstat, which prints an interface's addresses without their lengths. The
// ODM or the route to the network itself has these.
func (b *builder) addresses() {
	for name, list := range b.found {
		e := b.host.Elements[name]
		if e == nil || len(e.Addrs) > 0 {
			continue
		}
		for _, addr := range list {
			bits, ok := configured(e, addr)
			if !ok {
				bits, ok = b.onLink(name, addr)
			}
			if !ok {
				b.gap(name+" "+addr.String(), "its netmask is in no output (ifconfig -a)")
				continue
			}
			if p := netip.PrefixFrom(addr, bits); !slices.Contains(e.Addrs, p) {
				e.Addrs = append(e.Addrs, p)
			}
		}
	}
}

// configured takes the length from the ODM, if the address is the ODM's.
func configured(e *inventory.Element, addr netip.Addr) (bits int, ok bool) {
	if addr.Is6() {
		n, err := strconv.Atoi(value(e, "prefixlen"))
		return n, err == nil && n >= 0 && n <= 128 && value(e, "netaddr6") == addr.String()
	}
	mask := net.ParseIP(value(e, "netmask")).To4()
	if mask == nil || value(e, "netaddr") != addr.String() {
		return 0, false
	}
	bits, size := net.IPMask(mask).Size()
	return bits, size == 32 // 0 of 0: the ones of the mask are not in a row
}

// onLink takes it from the route to the network that the address is in.
func (b *builder) onLink(name string, addr netip.Addr) (bits int, ok bool) {
	for _, r := range b.host.Routes {
		if r.Interface == name && !r.Gateway.IsValid() && r.To.Contains(addr) && r.To.Bits() > bits && r.To.Bits() < addr.BitLen() {
			bits, ok = r.To.Bits(), true
		}
	}
	return bits, ok
}
