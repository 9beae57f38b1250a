package assemble

import (
	"net"
	"net/netip"
	"strconv"

	"seaworthy/internal/inventory/model"
)

// ofElement is an address or a network of an element.
type ofElement struct {
	name string
	at   netip.Prefix
}

// configured takes the length from the ODM, if the address is the ODM's.
func configured(e *model.Element, addr netip.Addr) (bits int, ok bool) {
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
func onLink(links map[ofElement]bool, name string, addr netip.Addr) (bits int, ok bool) {
	for bits := addr.BitLen() - 1; bits > 0; bits-- {
		if p, err := addr.Prefix(bits); err == nil && links[ofElement{name, p}] {
			return bits, true
		}
	}
	return 0, false
}
