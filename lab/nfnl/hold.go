package nfnl

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// A queue (nfnetlink_queue) holds packets until a program says that they go on;
// they themselves stay in the kernel. A bridge's own chains cannot hand frames
// to one where the kernel has iptables' target only. So they mark them, and the
// chain of IP packets, which bridged ones see too (br_netfilter), does it.

// Passing makes a chain that sees what is passed on from device to device, and
// lets it pass.
func (b *Batch) Passing(table, chain string, order int32) {
	const forward = 2 // NF_BR_FORWARD, NF_INET_FORWARD
	b.add(newChain, unix.NLM_F_CREATE, Text(unix.NFTA_CHAIN_TABLE, table), Text(unix.NFTA_CHAIN_NAME, chain),
		Nested(unix.NFTA_CHAIN_HOOK, Be32(unix.NFTA_HOOK_HOOKNUM, forward), Be32(unix.NFTA_HOOK_PRIORITY, uint32(order))),
		Be32(unix.NFTA_CHAIN_POLICY, 1), Text(unix.NFTA_CHAIN_TYPE, "filter"))
}

// Own makes a chain that sees the frames that bridges' own interfaces send, once
// for each port that they leave by, and lets them pass.
func (b *Batch) Own(table, chain string) {
	const localOut = 3 // NF_BR_LOCAL_OUT
	b.add(newChain, unix.NLM_F_CREATE, Text(unix.NFTA_CHAIN_TABLE, table), Text(unix.NFTA_CHAIN_NAME, chain),
		Nested(unix.NFTA_CHAIN_HOOK, Be32(unix.NFTA_HOOK_HOOKNUM, localOut), Be32(unix.NFTA_HOOK_PRIORITY, Counting)),
		Be32(unix.NFTA_CHAIN_POLICY, 1), Text(unix.NFTA_CHAIN_TYPE, "filter"))
}

// Clear takes all rules out of a table; its chains stay.
func (b *Batch) Clear(table string) { b.add(delRule, 0, Text(unix.NFTA_RULE_TABLE, table)) }

// From lets a rule go on only for frames that came by a device.
func From(device string) [][]byte { return named(unix.NFT_META_IIFNAME, device) }

// To lets a rule go on only for frames that are to leave by a device.
func To(device string) [][]byte { return named(unix.NFT_META_OIFNAME, device) }

func named(key uint32, device string) [][]byte {
	name := make([]byte, unix.IFNAMSIZ)
	copy(name, device)
	return is(key, name)
}

// Marked lets a rule go on only for packets with a mark.
func Marked(mark uint32) [][]byte {
	return is(unix.NFT_META_MARK, binary.NativeEndian.AppendUint32(nil, mark))
}

func is(key uint32, value []byte) [][]byte {
	return [][]byte{
		Expr("meta", Be32(unix.NFTA_META_DREG, Reg1), Be32(unix.NFTA_META_KEY, key)),
		Expr("cmp", Be32(unix.NFTA_CMP_SREG, Reg1), Be32(unix.NFTA_CMP_OP, unix.NFT_CMP_EQ),
			Nested(unix.NFTA_CMP_DATA, Attr(unix.NFTA_DATA_VALUE, value))),
	}
}

// Mark gives a frame a mark, which it loses when it leaves the namespace.
func Mark(mark uint32) [][]byte {
	return [][]byte{
		Expr("immediate", Be32(unix.NFTA_IMMEDIATE_DREG, Reg1),
			Nested(unix.NFTA_IMMEDIATE_DATA, Attr(unix.NFTA_DATA_VALUE, binary.NativeEndian.AppendUint32(nil, mark)))),
		Expr("meta", Be32(unix.NFTA_META_KEY, unix.NFT_META_MARK), Be32(unix.NFTA_META_SREG, Reg1)),
	}
}

// ToQueue hands the packet to a queue. It is lost while nobody reads that.
func ToQueue(number uint16) []byte {
	const numberOf = 1 // NFTA_QUEUE_NUM
	return Expr("queue", Attr(numberOf, binary.BigEndian.AppendUint16(nil, number)))
}

// ToQueueTarget is ToQueue by the target of iptables, for kernels that have
// that alone.
func ToQueueTarget(number uint16) []byte {
	const name, revision, info = 1, 2, 3 // NFTA_TARGET_*
	return Expr("target", Text(name, "NFQUEUE"), Be32(revision, 0),
		Attr(info, append(binary.NativeEndian.AppendUint16(nil, number), make([]byte, 6)...)))
}
