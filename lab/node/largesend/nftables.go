package largesend

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// nf_tables over netlink: a message is a header, a family, attributes. All
// numbers in attributes are big-endian.

const table = "seaworthy"

// message types of the nf_tables subsystem
const (
	newTable   = 0
	newChain   = 3
	newRule    = 6
	newSet     = 9
	newSetElem = 12
	getSetElem = 13
)

const (
	familyNetdev = 5
	batchBegin   = 0x10
	batchEnd     = 0x11
	reg1         = 1
)

// attr is an attribute; nested ones hold others.
func attr(kind uint16, body []byte) []byte {
	b := make([]byte, 4, 4+len(body)+3)
	binary.NativeEndian.PutUint16(b, uint16(4+len(body)))
	binary.NativeEndian.PutUint16(b[2:], kind)
	b = append(b, body...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func nested(kind uint16, parts ...[]byte) []byte {
	return attr(kind|unix.NLA_F_NESTED, join(parts...))
}

func join(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

func text(kind uint16, s string) []byte { return attr(kind, append([]byte(s), 0)) }

func be32(kind uint16, v uint32) []byte {
	return attr(kind, binary.BigEndian.AppendUint32(nil, v))
}

func expr(name string, data ...[]byte) []byte {
	return nested(unix.NFTA_LIST_ELEM, text(unix.NFTA_EXPR_NAME, name), nested(unix.NFTA_EXPR_DATA, data...))
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

func nft(kind, flags uint16, seq uint32, attrs ...[]byte) []byte {
	return message(unix.NFNL_SUBSYS_NFTABLES<<8|kind, flags, seq, familyNetdev, 0, join(attrs...))
}

// install makes a table with a set and a chain for every device.
func install(devices []string) error {
	s, err := open()
	if err != nil {
		return err
	}
	defer s.close()
	const create = unix.NLM_F_CREATE | unix.NLM_F_ACK
	out := message(batchBegin, 0, 1, 0, unix.NFNL_SUBSYS_NFTABLES, nil)
	seq := uint32(2)
	add := func(m []byte) { out = append(out, m...); seq++ }
	add(nft(newTable, create, seq, text(unix.NFTA_TABLE_NAME, table)))
	for i, d := range devices {
		id := uint32(i + 1)
		add(nft(newSet, create, seq, text(unix.NFTA_SET_TABLE, table), text(unix.NFTA_SET_NAME, d),
			be32(unix.NFTA_SET_FLAGS, unix.NFT_SET_EVAL), be32(unix.NFTA_SET_KEY_TYPE, 0), be32(unix.NFTA_SET_KEY_LEN, 4),
			be32(unix.NFTA_SET_ID, id), nested(unix.NFTA_SET_DESC, be32(unix.NFTA_SET_DESC_SIZE, 1<<16))))
		add(nft(newChain, create, seq, text(unix.NFTA_CHAIN_TABLE, table), text(unix.NFTA_CHAIN_NAME, d),
			nested(unix.NFTA_CHAIN_HOOK, be32(unix.NFTA_HOOK_HOOKNUM, unix.NF_NETDEV_INGRESS), be32(unix.NFTA_HOOK_PRIORITY, 0), text(unix.NFTA_HOOK_DEV, d)),
			be32(unix.NFTA_CHAIN_POLICY, 1), text(unix.NFTA_CHAIN_TYPE, "filter")))
		add(nft(newRule, create|unix.NLM_F_APPEND, seq, text(unix.NFTA_RULE_TABLE, table), text(unix.NFTA_RULE_CHAIN, d), countRule(d, id)))
	}
	out = append(out, message(batchEnd, 0, seq, 0, unix.NFNL_SUBSYS_NFTABLES, nil)...)
	if err := s.send(out); err != nil {
		return err
	}
	return s.acks(int(seq) - 2)
}

// countRule: frames above the smallest size are counted in the set by length.
func countRule(set string, id uint32) []byte {
	length := binary.BigEndian.AppendUint32(nil, smallest)
	return nested(unix.NFTA_RULE_EXPRESSIONS,
		expr("meta", be32(unix.NFTA_META_KEY, unix.NFT_META_LEN), be32(unix.NFTA_META_DREG, reg1)),
		// Registers compare byte by byte: the most significant has to come first.
		expr("byteorder", be32(unix.NFTA_BYTEORDER_SREG, reg1), be32(unix.NFTA_BYTEORDER_DREG, reg1),
			be32(unix.NFTA_BYTEORDER_OP, unix.NFT_BYTEORDER_HTON), be32(unix.NFTA_BYTEORDER_LEN, 4), be32(unix.NFTA_BYTEORDER_SIZE, 4)),
		expr("cmp", be32(unix.NFTA_CMP_SREG, reg1), be32(unix.NFTA_CMP_OP, unix.NFT_CMP_GT), nested(unix.NFTA_CMP_DATA, attr(unix.NFTA_DATA_VALUE, length))),
		expr("dynset", text(unix.NFTA_DYNSET_SET_NAME, set), be32(unix.NFTA_DYNSET_SET_ID, id), be32(unix.NFTA_DYNSET_OP, unix.NFT_DYNSET_OP_UPDATE),
			be32(unix.NFTA_DYNSET_SREG_KEY, reg1),
			nested(unix.NFTA_DYNSET_EXPR, text(unix.NFTA_EXPR_NAME, "counter"), nested(unix.NFTA_EXPR_DATA))))
}

// read dumps a device's set.
func read(device string) ([]Size, error) {
	s, err := open()
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := s.send(nft(getSetElem, unix.NLM_F_DUMP, 1, text(unix.NFTA_SET_ELEM_LIST_TABLE, table), text(unix.NFTA_SET_ELEM_LIST_SET, device))); err != nil {
		return nil, err
	}
	var out []Size
	for {
		ms, err := s.receive()
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			switch m.kind {
			case unix.NLMSG_DONE:
				return out, nil
			case unix.NLMSG_ERROR:
				return nil, failure(m.body)
			case unix.NFNL_SUBSYS_NFTABLES<<8 | newSetElem:
				out = append(out, elements(m.body)...)
			}
		}
	}
}

// elements reads the sizes and counters of one message.
func elements(body []byte) []Size {
	var out []Size
	if len(body) < 4 {
		return nil
	}
	for _, list := range attrs(body[4:])[unix.NFTA_SET_ELEM_LIST_ELEMENTS] {
		for _, e := range attrs(list)[unix.NFTA_LIST_ELEM] {
			a := attrs(e)
			key := first(attrs(first(a[unix.NFTA_SET_ELEM_KEY]))[unix.NFTA_DATA_VALUE])
			count := attrs(first(attrs(first(a[unix.NFTA_SET_ELEM_EXPR]))[unix.NFTA_EXPR_DATA]))
			packets, bytes := first(count[unix.NFTA_COUNTER_PACKETS]), first(count[unix.NFTA_COUNTER_BYTES])
			if len(key) == 4 && len(packets) == 8 && len(bytes) == 8 {
				out = append(out, Size{int(binary.BigEndian.Uint32(key)), binary.BigEndian.Uint64(packets), binary.BigEndian.Uint64(bytes)})
			}
		}
	}
	return out
}

func first(list [][]byte) []byte {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// attrs splits attributes by kind; what is cut off is left out.
func attrs(b []byte) map[uint16][][]byte {
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

// socket is a netlink socket in the thread's network namespace.
type socket struct{ fd int }

func open() (*socket, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_NETFILTER)
	if err != nil {
		return nil, fmt.Errorf("this kernel has no packet filter (nf_tables): %w", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		unix.Close(fd)
		return nil, err
	}
	_ = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 5})
	return &socket{fd}, nil
}

func (s *socket) close() { unix.Close(s.fd) }

func (s *socket) send(b []byte) error {
	return unix.Sendto(s.fd, b, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK})
}

type reply struct {
	kind uint16
	body []byte
}

func (s *socket) receive() ([]reply, error) {
	b := make([]byte, 1<<16)
	n, _, err := unix.Recvfrom(s.fd, b, 0)
	if err != nil {
		return nil, os.NewSyscallError("recvfrom", err)
	}
	b = b[:n]
	var out []reply
	for len(b) >= unix.SizeofNlMsghdr {
		size := int(binary.NativeEndian.Uint32(b))
		if size < unix.SizeofNlMsghdr || size > len(b) {
			return nil, errors.New("netlink: a message is cut off")
		}
		out = append(out, reply{binary.NativeEndian.Uint16(b[4:]), b[unix.SizeofNlMsghdr:size]})
		b = b[min(len(b), (size+3)&^3):]
	}
	return out, nil
}

// acks waits until n messages are acknowledged.
func (s *socket) acks(n int) error {
	for n > 0 {
		ms, err := s.receive()
		if err != nil {
			return err
		}
		for _, m := range ms {
			if m.kind != unix.NLMSG_ERROR {
				continue
			}
			if err := failure(m.body); err != nil {
				return err
			}
			n--
		}
	}
	return nil
}

// failure is the error of an acknowledgement; nil if it is none.
func failure(body []byte) error {
	if len(body) < 4 {
		return errors.New("netlink: an answer is cut off")
	}
	code := int32(binary.NativeEndian.Uint32(body))
	if code == 0 {
		return nil
	}
	err := unix.Errno(-code)
	if err == unix.EOPNOTSUPP || err == unix.ENOENT {
		return fmt.Errorf("this kernel's packet filter lacks a part (nf_tables netdev, dynset, counter): %s: %w", strings.ToLower(err.Error()), err)
	}
	return err
}
