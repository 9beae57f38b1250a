package nfnl

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// nf_tables over netlink: a message is a header, a family, attributes. All
// numbers in attributes are big-endian.

// message types of the nf_tables subsystem
const (
	newTable   = 0
	delTable   = 2
	newChain   = 3
	newRule    = 6
	delRule    = 8
	newSet     = 9
	newSetElem = 12
	getSetElem = 13
)

const (
	familyNetdev = 5
	familyBridge = 7
	batchBegin   = 0x10
	batchEnd     = 0x11
	Reg1         = 1
)

// Attr is an attribute.
func Attr(kind uint16, body []byte) []byte {
	b := make([]byte, 4, 4+len(body)+3)
	binary.NativeEndian.PutUint16(b, uint16(4+len(body)))
	binary.NativeEndian.PutUint16(b[2:], kind)
	b = append(b, body...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// Nested is an attribute that holds others.
func Nested(kind uint16, parts ...[]byte) []byte {
	return Attr(kind|unix.NLA_F_NESTED, join(parts...))
}

func join(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// Text is an attribute with a string.
func Text(kind uint16, s string) []byte { return Attr(kind, append([]byte(s), 0)) }

// Be32 is an attribute with a number.
func Be32(kind uint16, v uint32) []byte {
	return Attr(kind, binary.BigEndian.AppendUint32(nil, v))
}

// Be64 is an attribute with a large number.
func Be64(kind uint16, v uint64) []byte {
	return Attr(kind, binary.BigEndian.AppendUint64(nil, v))
}

// Expr is an expression of a rule.
func Expr(name string, data ...[]byte) []byte {
	return Nested(unix.NFTA_LIST_ELEM, Text(unix.NFTA_EXPR_NAME, name), Nested(unix.NFTA_EXPR_DATA, data...))
}

func message(kind, flags uint16, seq uint32, family byte, resource uint16, attrs []byte) []byte {
	b := make([]byte, unix.SizeofNlMsghdr+4, unix.SizeofNlMsghdr+4+len(attrs))
	binary.NativeEndian.PutUint32(b, uint32(cap(b)))
	binary.NativeEndian.PutUint16(b[4:], kind)
	binary.NativeEndian.PutUint16(b[6:], flags|unix.NLM_F_REQUEST)
	binary.NativeEndian.PutUint32(b[8:], seq)
	b[16] = family
	binary.BigEndian.PutUint16(b[18:], resource)
	return append(b, attrs...)
}

func nft(family byte, kind, flags uint16, seq uint32, attrs ...[]byte) []byte {
	return message(unix.NFNL_SUBSYS_NFTABLES<<8|kind, flags, seq, family, 0, join(attrs...))
}

// First is the first of several attributes of a kind, or nil.
func First(list [][]byte) []byte {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Attrs splits attributes by kind; what is cut off is left out.
func Attrs(b []byte) map[uint16][][]byte {
	out := map[uint16][][]byte{}
	for len(b) >= 4 {
		n := int(binary.NativeEndian.Uint16(b))
		if n < 4 || n > len(b) {
			return out
		}
		kind := binary.NativeEndian.Uint16(b[2:]) &^ (unix.NLA_F_NESTED | unix.NLA_F_NET_BYTEORDER)
		out[kind] = append(out[kind], b[4:n])
		b = b[min(len(b), (n+3)&^3):]
	}
	return out
}
