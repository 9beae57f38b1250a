package redact

import (
	"math/bits"
	"net/netip"
)

// Addr replaces an address. Addresses that share n leading bits share them
// afterwards too: for IPv4 from the first octet on, for IPv6 from the first 16
// bits on.
func (k Key) Addr(a netip.Addr) netip.Addr {
	if a.Is4In6() {
		return netip.AddrFrom16(k.Addr(a.Unmap()).As16())
	}
	zone := a.Zone()
	switch {
	case a.Is4():
		return k.v4(a)
	case a.IsUnspecified(), a.IsLoopback(), a.IsMulticast():
		return a
	}
	b := a.As16()
	keep := 16 // global or unique local: what kind of address it is stays
	if a.IsLinkLocalUnicast() {
		keep = 64
	}
	k.flip("ipv6", b[:], keep)
	return netip.AddrFrom16(b).WithZone(zone)
}

func (k Key) v4(a netip.Addr) netip.Addr {
	if !Replaces4(a) {
		return a
	}
	b := a.As4()
	b[0] = k.firstOctet(b[0])
	k.flip("ipv4", b[:], 8)
	for b[0] == 169 && b[1] == 254 { // the block 169.254 stays, so nothing else may come into it
		k.flip("ipv4", b[:], 8)
	}
	return netip.AddrFrom4(b)
}

// Replaces4 reports whether an IPv4 address identifies something.
func Replaces4(a netip.Addr) bool {
	b := a.As4()
	return !a.IsUnspecified() && !a.IsLoopback() && !a.IsMulticast() && !a.IsLinkLocalUnicast() && b[0] != 0 && b[0] < 224 && !isMask(b)
}

// isMask knows 255.255.252.0 and the like, which are not addresses.
func isMask(b [4]byte) bool {
	n := ^(uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3]))
	return b[0] == 255 && n&(n+1) == 0
}

// firstOctet permutes the octets that unicast addresses begin with, by a
// network of four rounds that is walked until it gives one of them again.
func (k Key) firstOctet(b byte) byte {
	fixed := func(b byte) bool { return b == 0 || b == 127 || b == 169 || b >= 224 }
	if fixed(b) {
		return b
	}
	for {
		l, r := b>>4, b&15
		for round := range byte(4) {
			f := k.sum("octet", []byte{round, r})
			l, r = r, l^f[0]&15
		}
		if b = l<<4 | r; !fixed(b) {
			return b
		}
	}
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
	if !p.Addr().Is4() && !p.Addr().Is6() || p.Bits() == 0 {
		return p
	}
	q := netip.PrefixFrom(k.Addr(p.Addr()), p.Bits())
	if p == p.Masked() && p.Bits() < p.Addr().BitLen() {
		return q.Masked()
	}
	return q
}
