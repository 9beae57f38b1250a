package redact

import (
	"math/bits"
	"net/netip"
)

// Addr replaces an address. Addresses that share n leading bits share them
// afterwards too: for IPv4 from the first octet on, for IPv6 from the first 16
// bits on.
func (k Key) Addr(a netip.Addr) netip.Addr {
	switch {
	case a.Is4In6():
		return netip.AddrFrom16(k.Addr(a.Unmap()).As16())
	case a.Is4() && replaces4(a):
		b := a.As4()
		b[0] = k.firstOctet(b[0])
		k.flip("ipv4", b[:], 8)
		for b[0] == 169 && b[1] == 254 { // the block 169.254 stays, so nothing else may come into it
			k.flip("ipv4", b[:], 8)
		}
		return netip.AddrFrom4(b)
	case a.Is4(), a.IsUnspecified(), a.IsLoopback(), a.IsMulticast():
		return a
	}
	b, keep := a.As16(), 16 // global or unique local: what kind of address it is stays
	if a.IsLinkLocalUnicast() {
		keep = 64
	}
	k.flip("ipv6", b[:], keep)
	return netip.AddrFrom16(b).WithZone(a.Zone())
}

// replaces4 reports whether an IPv4 address identifies something.
func replaces4(a netip.Addr) bool {
	b := a.As4()
	return !fixed(b[0]) && !a.IsLinkLocalUnicast() || b[0] == 169 && b[1] != 254
}

// fixed are first octets that stay: none, loopback, link-local, multicast, masks.
func fixed(b byte) bool { return b == 0 || b == 127 || b == 169 || b >= 224 }

// firstOctet permutes the octets that unicast addresses begin with, walking
// until it gives one of them again.
func (k Key) firstOctet(b byte) byte {
	o := []byte{b}
	for !fixed(b) {
		k.flip("octet", o, 0)
		if !fixed(o[0]) {
			return o[0]
		}
	}
	return b
}

// flip inverts each bit behind the first keep by a keyed function of all bits
// before it, as they were.
func (k Key) flip(purpose string, b []byte, keep int) {
	was := append([]byte(nil), b...)
	for i := keep; i < len(b)*8; i++ {
		prefix := append([]byte(nil), was[:(i+7)/8]...)
		if i%8 != 0 {
			prefix[len(prefix)-1] &= ^byte(0xff >> (i % 8))
		}
		s := k.sum(purpose, []byte{byte(i)}, prefix)
		if bits.OnesCount8(s[0])%2 == 1 {
			b[i/8] ^= 0x80 >> (i % 8)
		}
	}
}

// Prefix replaces an address with the length of its network. What were host
// bits of zero stay zero: 10.1.2.0/24 is a network before and after.
func (k Key) Prefix(p netip.Prefix) netip.Prefix {
	if !p.IsValid() || p.Bits() == 0 {
		return p
	}
	q := netip.PrefixFrom(k.Addr(p.Addr()), p.Bits())
	if p == p.Masked() && p.Bits() < p.Addr().BitLen() {
		return q.Masked()
	}
	return q
}
