package wire

import (
	"slices"

	"golang.org/x/sys/unix"
)

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

const (
	loadByte = unix.BPF_LD | unix.BPF_B | unix.BPF_ABS
	loadHalf = unix.BPF_LD | unix.BPF_H | unix.BPF_ABS
	loadWord = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	loadPort = unix.BPF_LD | unix.BPF_H | unix.BPF_IND
	equal    = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	anyBit   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	jump     = unix.BPF_JMP | unix.BPF_JA
	ipAt     = 14
	random   = 0xfffff000 + 56 // SKF_AD_OFF + SKF_AD_RANDOM
)

// ports are the instructions that load what a mode uses. The length of the IP header is in X.
var ports = map[string][]unix.SockFilter{
	"src_port": {{Code: loadPort, K: ipAt}},
	"dst_port": {{Code: loadPort, K: ipAt + 2}},
	"src_dst_port": {
		{Code: loadPort, K: ipAt}, {Code: unix.BPF_ST},
		{Code: loadPort, K: ipAt + 2}, {Code: unix.BPF_LDX | unix.BPF_MEM},
		{Code: unix.BPF_ALU | unix.BPF_ADD | unix.BPF_X},
		{Code: unix.BPF_ALU | unix.BPF_RSH | unix.BPF_K, K: 1},
	},
}

// chooses is the program of port i of n: it takes its share of the frames. In
// mode round_robin every frame takes a port by chance, not in turn: a program
// keeps nothing from one frame to the next.
func chooses(hash string, i, n int) []unix.SockFilter {
	share := func(share, of int) []unix.SockFilter {
		return []unix.SockFilter{statement(unix.BPF_ALU|unix.BPF_MOD|unix.BPF_K, uint32(of)), {Code: equal, K: uint32(share), Jf: 1},
			statement(unix.BPF_RET|unix.BPF_K, take), statement(unix.BPF_RET|unix.BPF_K, pass)}
	}
	if hash == "round_robin" { // of what the ports before left, an equal share
		return slices.Concat([]unix.SockFilter{statement(loadWord, random)}, share(0, n-i))
	}
	var byPort []unix.SockFilter
	if hash != "default" {
		load := ports[hash]
		skip := uint8(len(load)) // and the jump behind it
		byPort = slices.Concat([]unix.SockFilter{
			statement(loadByte, ipAt+9), // protocol
			{Code: equal, K: unix.IPPROTO_TCP, Jt: 1}, {Code: equal, K: unix.IPPROTO_UDP, Jf: 4 + skip},
			statement(loadHalf, ipAt+6), {Code: anyBit, K: 0x1fff, Jt: 2 + skip}, // a later fragment
			statement(unix.BPF_LDX|unix.BPF_B|unix.BPF_MSH, ipAt)},
			load, []unix.SockFilter{statement(jump, 3)})
	}
	return slices.Concat(
		[]unix.SockFilter{statement(loadHalf, 12), {Code: equal, K: unix.ETH_P_IP, Jf: uint8(len(byPort)) + 2}},
		byPort,
		[]unix.SockFilter{statement(loadByte, ipAt+19), statement(jump, 1), // destination address
			statement(loadByte, 5)}, // that of Ethernet
		share(i, n))
}
