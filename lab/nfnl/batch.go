package nfnl

import (
	"encoding/binary"
	"errors"

	"golang.org/x/sys/unix"
)

// Batch is a list of changes.
type Batch struct {
	out    []byte
	seq    uint32
	sets   uint32
	family byte
}

// NewBatch is an empty one, of chains that devices have.
func NewBatch() *Batch { return newBatch(familyNetdev) }

// NewBridgeBatch is an empty one, of chains that bridges have.
func NewBridgeBatch() *Batch { return newBatch(familyBridge) }

// NewPacketBatch is an empty one, of chains that see IPv4 packets.
func NewPacketBatch() *Batch { return newBatch(unix.AF_INET) }

func newBatch(family byte) *Batch {
	return &Batch{out: message(batchBegin, 0, 1, 0, unix.NFNL_SUBSYS_NFTABLES, nil), seq: 2, family: family}
}

func (b *Batch) add(kind, flags uint16, attrs ...[]byte) {
	b.out = append(b.out, nft(b.family, kind, flags|unix.NLM_F_ACK, b.seq, attrs...)...)
	b.seq++
}

// Table makes a table if it is not there.
func (b *Batch) Table(name string) {
	b.add(newTable, unix.NLM_F_CREATE, Text(unix.NFTA_TABLE_NAME, name))
}

// Remove removes a table with all it holds; it must be there.
func (b *Batch) Remove(table string) { b.add(delTable, 0, Text(unix.NFTA_TABLE_NAME, table)) }

// Set is a counting set of a batch.
type Set struct {
	name string
	id   uint32
}

// Set makes a set that counts frames and bytes by keys of that many bytes.
func (b *Batch) Set(table, name string, key int) Set {
	b.sets++
	b.add(newSet, unix.NLM_F_CREATE, Text(unix.NFTA_SET_TABLE, table), Text(unix.NFTA_SET_NAME, name),
		Be32(unix.NFTA_SET_FLAGS, unix.NFT_SET_EVAL), Be32(unix.NFTA_SET_KEY_TYPE, 0), Be32(unix.NFTA_SET_KEY_LEN, uint32(key)),
		Be32(unix.NFTA_SET_ID, b.sets), Nested(unix.NFTA_SET_DESC, Be32(unix.NFTA_SET_DESC_SIZE, 1<<16)))
	return Set{name, b.sets}
}

// Order of the chains of one device: what is lost is not counted, and what is
// forwarded is seen by no later chain.
const (
	Losing     = -10
	Counting   = 0
	Forwarding = 10
	Marking    = -300 // before bridged packets are shown to the chains of IP
)

// Ingress makes a chain that sees what arrives at a device, and lets it pass.
func (b *Batch) Ingress(table, chain, device string, order int32) {
	b.add(newChain, unix.NLM_F_CREATE, Text(unix.NFTA_CHAIN_TABLE, table), Text(unix.NFTA_CHAIN_NAME, chain),
		Nested(unix.NFTA_CHAIN_HOOK, Be32(unix.NFTA_HOOK_HOOKNUM, unix.NF_NETDEV_INGRESS), Be32(unix.NFTA_HOOK_PRIORITY, uint32(order)), Text(unix.NFTA_HOOK_DEV, device)),
		Be32(unix.NFTA_CHAIN_POLICY, 1), Text(unix.NFTA_CHAIN_TYPE, "filter"))
}

// Rule appends expressions to a chain.
func (b *Batch) Rule(table, chain string, exprs ...[]byte) {
	b.add(newRule, unix.NLM_F_CREATE|unix.NLM_F_APPEND, Text(unix.NFTA_RULE_TABLE, table), Text(unix.NFTA_RULE_CHAIN, chain),
		Nested(unix.NFTA_RULE_EXPRESSIONS, exprs...))
}

// Do makes the changes.
func (b *Batch) Do() error {
	s, err := open()
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.send(append(b.out, message(batchEnd, 0, b.seq, 0, unix.NFNL_SUBSYS_NFTABLES, nil)...)); err != nil {
		return err
	}
	return s.acks(int(b.seq) - 2)
}

// Payload takes bytes of the frame's Ethernet header into the register.
func Payload(offset, size int) []byte {
	return Expr("payload", Be32(unix.NFTA_PAYLOAD_DREG, Reg1), Be32(unix.NFTA_PAYLOAD_BASE, unix.NFT_PAYLOAD_LL_HEADER),
		Be32(unix.NFTA_PAYLOAD_OFFSET, uint32(offset)), Be32(unix.NFTA_PAYLOAD_LEN, uint32(size)))
}

// Count counts the frame in a set, by what is in the register.
func Count(s Set) []byte {
	return Expr("dynset", Text(unix.NFTA_DYNSET_SET_NAME, s.name), Be32(unix.NFTA_DYNSET_SET_ID, s.id), Be32(unix.NFTA_DYNSET_OP, unix.NFT_DYNSET_OP_UPDATE),
		Be32(unix.NFTA_DYNSET_SREG_KEY, Reg1),
		Nested(unix.NFTA_DYNSET_EXPR, Text(unix.NFTA_EXPR_NAME, "counter"), Nested(unix.NFTA_EXPR_DATA)))
}

// Above lets a rule go on only for what is above a rate, in frames a second.
func Above(rate uint64) []byte {
	const inverse = 1 // NFT_LIMIT_F_INV
	return Expr("limit", Be64(unix.NFTA_LIMIT_RATE, rate), Be64(unix.NFTA_LIMIT_UNIT, 1), Be32(unix.NFTA_LIMIT_BURST, uint32(rate)),
		Be32(unix.NFTA_LIMIT_TYPE, unix.NFT_LIMIT_PKTS), Be32(unix.NFTA_LIMIT_FLAGS, inverse))
}

// Drop drops a share of the frames, in millionths, by the kernel's dice, and
// counts them in a set of 2-byte keys: their Ethernet types.
func Drop(millionths uint32, dropped Set) [][]byte {
	const random = 1
	return [][]byte{
		Expr("numgen", Be32(unix.NFTA_NG_DREG, Reg1), Be32(unix.NFTA_NG_MODULUS, 1e6), Be32(unix.NFTA_NG_TYPE, random), Be32(unix.NFTA_NG_OFFSET, 0)),
		// Registers compare byte by byte: the most significant has to come first.
		Expr("byteorder", Be32(unix.NFTA_BYTEORDER_SREG, Reg1), Be32(unix.NFTA_BYTEORDER_DREG, Reg1),
			Be32(unix.NFTA_BYTEORDER_OP, unix.NFT_BYTEORDER_HTON), Be32(unix.NFTA_BYTEORDER_LEN, 4), Be32(unix.NFTA_BYTEORDER_SIZE, 4)),
		Expr("cmp", Be32(unix.NFTA_CMP_SREG, Reg1), Be32(unix.NFTA_CMP_OP, unix.NFT_CMP_LT),
			Nested(unix.NFTA_CMP_DATA, Attr(unix.NFTA_DATA_VALUE, binary.BigEndian.AppendUint32(nil, millionths)))),
		Payload(12, 2),
		Count(dropped),
		Expr("immediate", Be32(unix.NFTA_IMMEDIATE_DREG, unix.NFT_REG_VERDICT),
			Nested(unix.NFTA_IMMEDIATE_DATA, Nested(unix.NFTA_DATA_VERDICT, Be32(unix.NFTA_VERDICT_CODE, 0)))),
	}
}

// Forward sends the frame out of a device, by its index.
func Forward(to int) [][]byte {
	const forwardDevice = 1 // NFTA_FWD_SREG_DEV
	return [][]byte{
		Expr("immediate", Be32(unix.NFTA_IMMEDIATE_DREG, Reg1),
			Nested(unix.NFTA_IMMEDIATE_DATA, Attr(unix.NFTA_DATA_VALUE, binary.NativeEndian.AppendUint32(nil, uint32(to))))),
		Expr("fwd", Be32(forwardDevice, Reg1)),
	}
}

// Element is one key of a counting set.
type Element struct {
	Key            []byte
	Packets, Bytes uint64
}

// Dump reads a set of a device's table.
func Dump(table, set string) ([]Element, error) { return dump(familyNetdev, table, set) }

// DumpBridge reads a set of a bridge's table.
func DumpBridge(table, set string) ([]Element, error) { return dump(familyBridge, table, set) }

func dump(family byte, table, set string) ([]Element, error) {
	s, err := open()
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := s.send(nft(family, getSetElem, unix.NLM_F_DUMP, 1, Text(unix.NFTA_SET_ELEM_LIST_TABLE, table), Text(unix.NFTA_SET_ELEM_LIST_SET, set))); err != nil {
		return nil, err
	}
	var out []Element
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
				if err := failure(m.body); err != nil {
					return nil, err
				}
				return nil, errors.New("netlink: an acknowledgement instead of a set")
			case unix.NFNL_SUBSYS_NFTABLES<<8 | newSetElem:
				out = append(out, elements(m.body)...)
			}
		}
	}
}

// elements reads the keys and counters of one message.
func elements(body []byte) []Element {
	var out []Element
	if len(body) < 4 {
		return nil
	}
	for _, list := range Attrs(body[4:])[unix.NFTA_SET_ELEM_LIST_ELEMENTS] {
		for _, e := range Attrs(list)[unix.NFTA_LIST_ELEM] {
			a := Attrs(e)
			key := First(Attrs(First(a[unix.NFTA_SET_ELEM_KEY]))[unix.NFTA_DATA_VALUE])
			count := Attrs(First(Attrs(First(a[unix.NFTA_SET_ELEM_EXPR]))[unix.NFTA_EXPR_DATA]))
			packets, bytes := First(count[unix.NFTA_COUNTER_PACKETS]), First(count[unix.NFTA_COUNTER_BYTES])
			if len(key) > 0 && len(packets) == 8 && len(bytes) == 8 {
				out = append(out, Element{key, binary.BigEndian.Uint64(packets), binary.BigEndian.Uint64(bytes)})
			}
		}
	}
	return out
}
