package odm

import (
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// addresses are those that an interface has by its running values, or will have
// by those of the next boot.
func addresses(r *Device, mode Mode) []netip.Prefix {
	var out []netip.Prefix
	if p, ok := prefix(r.value("netaddr", mode), r.value("netmask", mode)); ok {
		out = append(out, p)
	}
	for a := range strings.FieldsSeq(r.value("alias4", mode)) {
		if p, ok := alias(a); ok {
			out = append(out, p)
		}
	}
	return out
}

// prefix joins an address and a dotted or hexadecimal mask.
func prefix(addr, mask string) (netip.Prefix, bool) {
	a, err := netip.ParseAddr(addr)
	if err != nil || !a.Is4() {
		return netip.Prefix{}, false
	}
	bits, ok := maskBits(mask)
	if !ok {
		bits = classBits(a)
	}
	return netip.PrefixFrom(a, bits), true
}

// classBits is the length of an address's classful network: what ifconfig
// takes when no mask is given. IPv6 has no classes, its networks have 64 bits.
func classBits(a netip.Addr) int {
	if !a.Unmap().Is4() {
		return 64
	}
	bits, _ := net.IP(a.AsSlice()).DefaultMask().Size()
	return bits
}

// maskBits reads 255.255.255.0 or 0xffffff00; false if it has holes.
func maskBits(mask string) (int, bool) {
	var b []byte
	if digits, ok := strings.CutPrefix(mask, "0x"); ok {
		if d, err := hex.DecodeString(digits); err == nil {
			b = d
		}
	} else if a, err := netip.ParseAddr(mask); err == nil {
		b = a.AsSlice()
	}
	bits, size := net.IPMask(b).Size()
	return bits, len(b) == 4 && size == 32
}

// ParseAddress joins an address with a mask (dotted or 0x...) or a length; with
// neither it takes the address's class, as ifconfig does.
func ParseAddress(ip netip.Addr, mask string, bits int) (netip.Prefix, error) {
	n, ok := maskBits(mask)
	switch {
	case mask != "" && !ok:
		return netip.Prefix{}, fmt.Errorf("%s is not a network mask", mask)
	case mask != "":
		bits = n
	case bits == 0:
		bits = classBits(ip)
	}
	if bits > ip.BitLen() {
		return netip.Prefix{}, fmt.Errorf("%s has no prefix of %d bits", ip, bits)
	}
	return netip.PrefixFrom(ip, bits), nil
}

// The attribute alias4 of an interface is a list, and chdev edits it: a value of
// alias4 is one more address, one of delalias4 an address less. An empty alias4
// ends the list.

// aliases turns settings of the two into one of the whole list.
func aliases(r *Device, m string, set []Setting, mode Mode) ([]Setting, error) {
	ofAlias := func(w Setting) bool { return w.Attr == "alias4" || w.Attr == "delalias4" }
	if r.Class != "if" || r.attr("alias4") == nil || !slices.ContainsFunc(set, ofAlias) {
		return set, nil
	}
	list := strings.Fields(r.value("alias4", mode))
	for _, w := range set {
		if !ofAlias(w) {
			continue
		}
		add := w.Attr == "alias4"
		if w.Value == "" && add {
			list = nil
			continue
		}
		p, ok := alias(w.Value)
		if _, mask, _ := strings.Cut(w.Value, ","); mask != "" {
			_, valid := maskBits(mask)
			ok = ok && valid
		}
		if !ok {
			return nil, notNow(m, w.Attr, r.attr("alias4"), w.Value+" is not an IPv4 address with a mask, as in 10.1.2.3,255.255.255.0")
		}
		at := slices.IndexFunc(list, func(have string) bool {
			q, ok := alias(have)
			return ok && q.Addr() == p.Addr()
		})
		switch {
		case add && at < 0:
			list = append(list, w.Value)
		case add:
			list[at] = w.Value
		case at < 0:
			return nil, notNow(m, w.Attr, r.attr("alias4"), r.Name+" has no alias "+p.Addr().String())
		default:
			list = slices.Delete(list, at, at+1)
		}
	}
	set = slices.DeleteFunc(slices.Clone(set), ofAlias)
	return append(set, Setting{Attr: "alias4", Value: strings.Join(list, " ")}), nil
}

// alias is one of the list: an address, and its mask behind a comma.
func alias(text string) (netip.Prefix, bool) {
	addr, mask, _ := strings.Cut(text, ",")
	return prefix(addr, mask)
}
