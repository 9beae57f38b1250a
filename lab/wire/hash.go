package wire

import "golang.org/x/sys/unix"

// Programs of the classic packet filter, which the kernel runs on every frame
// of an EtherChannel. A frame starts with its Ethernet header. They compute
// what AIX documents for each hash_mode:
//
//	default       last byte of the destination address: of IP, else of Ethernet
//	src_port      TCP or UDP source port
//	dst_port      destination port
//	src_dst_port  half of the two ports' sum
//
// always modulo the number of ports; frames without ports go by address.

const (
	take = 0xffffffff // the classifier matches
	pass = 0          // the next one is asked
)

// everything is a program that takes every frame.
func everything() []unix.SockFilter {
	return []unix.SockFilter{statement(unix.BPF_RET|unix.BPF_K, take)}
}

func statement(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }

// label is a place in a program, by name.
type label string

// step is an instruction whose jumps are names.
type step struct {
	at       label
	code     uint16
	k        uint32
	yes, not label
}

const (
	etherType = 12
	ipAt      = 14
	ipProto   = ipAt + 9
	ipFrag    = ipAt + 6
	ipLast    = ipAt + 19
	macLast   = 5
	loadByte  = unix.BPF_LD | unix.BPF_B | unix.BPF_ABS
	loadHalf  = unix.BPF_LD | unix.BPF_H | unix.BPF_ABS
	loadWord  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	loadPort  = unix.BPF_LD | unix.BPF_H | unix.BPF_IND
	equal     = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	anyBit    = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	jump      = unix.BPF_JMP | unix.BPF_JA
	random    = 0xfffff000 + 56 // SKF_AD_OFF + SKF_AD_RANDOM
)

// chooses is the program of port i of n: it takes its share of the frames. In
// mode round_robin every frame takes a port by chance, not in turn: a program
// keeps nothing from one frame to the next.
func chooses(hash string, i, n int) []unix.SockFilter {
	mod := step{at: "mod", code: unix.BPF_ALU | unix.BPF_MOD | unix.BPF_K, k: uint32(n)}
	ours := step{code: equal, k: uint32(i), yes: "take", not: "pass"}
	ends := []step{{at: "take", code: unix.BPF_RET | unix.BPF_K, k: take}, {at: "pass", code: unix.BPF_RET | unix.BPF_K, k: pass}}
	if hash == "round_robin" {
		// Of what the ports before left, an equal share.
		mod.k, ours.k = uint32(n-i), 0
		return assemble(append([]step{{code: loadWord, k: random}, mod, ours}, ends...))
	}
	steps := []step{
		{code: loadHalf, k: etherType},
		{code: equal, k: unix.ETH_P_IP, not: "mac"},
	}
	if hash != "default" {
		steps = append(steps,
			step{code: loadByte, k: ipProto},
			step{code: equal, k: unix.IPPROTO_TCP, yes: "whole"},
			step{code: equal, k: unix.IPPROTO_UDP, not: "address"},
			step{at: "whole", code: loadHalf, k: ipFrag},
			step{code: anyBit, k: 0x1fff, yes: "address"},
			step{code: unix.BPF_LDX | unix.BPF_B | unix.BPF_MSH, k: ipAt})
		switch hash {
		case "src_port":
			steps = append(steps, step{code: loadPort, k: ipAt})
		case "dst_port":
			steps = append(steps, step{code: loadPort, k: ipAt + 2})
		default:
			steps = append(steps,
				step{code: loadPort, k: ipAt}, step{code: unix.BPF_ST},
				step{code: loadPort, k: ipAt + 2}, step{code: unix.BPF_LDX | unix.BPF_MEM},
				step{code: unix.BPF_ALU | unix.BPF_ADD | unix.BPF_X},
				step{code: unix.BPF_ALU | unix.BPF_RSH | unix.BPF_K, k: 1})
		}
		steps = append(steps, step{code: jump, yes: "mod"})
	}
	steps = append(steps,
		step{at: "address", code: loadByte, k: ipLast}, step{code: jump, yes: "mod"},
		step{at: "mac", code: loadByte, k: macLast}, mod, ours)
	return assemble(append(steps, ends...))
}

// assemble puts distances for names. A name that is not given is the next
// instruction.
func assemble(steps []step) []unix.SockFilter {
	at := map[label]int{}
	for i, s := range steps {
		if s.at != "" {
			at[s.at] = i
		}
	}
	out := make([]unix.SockFilter, len(steps))
	for i, s := range steps {
		to := func(l label) int {
			if l == "" {
				return 0
			}
			return at[l] - i - 1
		}
		out[i] = unix.SockFilter{Code: s.code, K: s.k}
		if s.code == jump {
			out[i].K = uint32(to(s.yes))
			continue
		}
		out[i].Jt, out[i].Jf = uint8(to(s.yes)), uint8(to(s.not))
	}
	return out
}
