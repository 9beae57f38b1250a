package ifconfig

import (
	"net/netip"
	"strings"
)

// Prefix is the address with its prefix length. AIX prints the netmask of
// inet addresses apart and in hexadecimal, and a scope zone inside inet6 ones
// (fe80::1%2/64), which is left out here. Without a netmask, or with one that
// is no prefix, ok is false.
func (a *Address) Prefix() (p netip.Prefix, ok bool) {
	text, bits, slash := strings.Cut(a.Address, "/")
	text, zone, _ := strings.Cut(text, "%")
	if rest, b, found := strings.Cut(zone, "/"); found && !slash { // ::1%1/0
		_, bits, slash = rest, b, true
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return p, false
	}
	if slash {
		p, err = netip.ParsePrefix(addr.String() + "/" + bits)
		return p, err == nil
	}
	if len := a.Value("prefixlen"); len != "" {
		p, err = netip.ParsePrefix(addr.String() + "/" + len)
		return p, err == nil
	}
	n, ok := maskBits(a.Value("netmask"))
	if !ok {
		return p, false
	}
	return netip.PrefixFrom(addr, n), addr.Is4()
}

// maskBits reads 0xffffff00 or 255.255.255.0.
func maskBits(mask string) (bits int, ok bool) {
	var m uint32
	if hex, found := strings.CutPrefix(mask, "0x"); found {
		v, ok := hexWord(hex)
		if !ok || v > 0xffffffff {
			return 0, false
		}
		m = uint32(v)
	} else {
		a, err := netip.ParseAddr(mask)
		if err != nil || !a.Is4() {
			return 0, false
		}
		for _, b := range a.As4() {
			m = m<<8 | uint32(b)
		}
	}
	for m&0x80000000 != 0 {
		bits, m = bits+1, m<<1
	}
	return bits, m == 0
}
