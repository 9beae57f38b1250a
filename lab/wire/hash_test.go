package wire

import (
	"encoding/binary"
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// runs is the classic packet filter's machine, as far as the programs need it.
func runs(program []unix.SockFilter, frame []byte, dice uint32) (uint32, error) {
	var a, x uint32
	var mem [16]uint32
	load := func(at, size uint32) (uint32, error) {
		if uint64(at)+uint64(size) > uint64(len(frame)) {
			return 0, fmt.Errorf("load beyond the frame at %d", at)
		}
		var v uint32
		for _, b := range frame[at : at+size] {
			v = v<<8 | uint32(b)
		}
		return v, nil
	}
	for pc := 0; pc < len(program); pc++ {
		f := program[pc]
		var err error
		branch := func(yes bool) {
			if yes {
				pc += int(f.Jt)
			} else {
				pc += int(f.Jf)
			}
		}
		switch f.Code {
		case loadByte:
			a, err = load(f.K, 1)
		case loadHalf:
			a, err = load(f.K, 2)
		case loadWord:
			a = dice
		case loadPort:
			a, err = load(x+f.K, 2)
		case unix.BPF_LDX | unix.BPF_B | unix.BPF_MSH:
			x, err = load(f.K, 1)
			x = x & 0xf * 4
		case unix.BPF_ST:
			mem[f.K] = a
		case unix.BPF_LDX | unix.BPF_MEM:
			x = mem[f.K]
		case unix.BPF_ALU | unix.BPF_ADD | unix.BPF_X:
			a += x
		case unix.BPF_ALU | unix.BPF_RSH | unix.BPF_K:
			a >>= f.K
		case unix.BPF_ALU | unix.BPF_MOD | unix.BPF_K:
			a %= f.K
		case equal:
			branch(a == f.K)
		case anyBit:
			branch(a&f.K != 0)
		case jump:
			pc += int(f.K)
		case unix.BPF_RET | unix.BPF_K:
			return f.K, nil
		default:
			return 0, fmt.Errorf("instruction %d: code %#x", pc, f.Code)
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, fmt.Errorf("ran off the end")
}

// segment is a TCP frame; words of IP options move the ports.
func segment(lastByte byte, source, destination uint16, options int, fragment uint16) []byte {
	f := make([]byte, 14+20+4*options+20)
	f[5] = 0x77
	binary.BigEndian.PutUint16(f[12:], unix.ETH_P_IP)
	f[14] = 0x45 + byte(options)
	binary.BigEndian.PutUint16(f[20:], fragment)
	f[23] = unix.IPPROTO_TCP
	f[33] = lastByte
	binary.BigEndian.PutUint16(f[34+4*options:], source)
	binary.BigEndian.PutUint16(f[36+4*options:], destination)
	return f
}

func TestHashModes(t *testing.T) {
	arp := make([]byte, 60)
	arp[5], arp[12], arp[13] = 0x15, 8, 6
	icmp := segment(12, 0, 0, 0, 0)
	icmp[23] = unix.IPPROTO_ICMP
	for _, x := range []struct {
		name, hash string
		n          int
		frame      []byte
		want       int
	}{
		{"by address", "default", 2, segment(13, 1, 1, 0, 0), 1},
		{"by address of three", "default", 3, segment(200, 1, 1, 0, 0), 2},
		{"no IP", "default", 2, arp, 1},
		{"no IP, by ports", "src_dst_port", 4, arp, 1},
		{"half the sum", "src_dst_port", 2, segment(1, 40000, 5001, 0, 0), (40000 + 5001) / 2 % 2},
		{"half the sum of five", "src_dst_port", 5, segment(1, 65535, 65535, 0, 0), 65535 % 5},
		{"behind options", "src_dst_port", 8, segment(1, 40002, 5001, 5, 0), (40002 + 5001) / 2 % 8},
		{"source", "src_port", 4, segment(1, 40003, 5001, 0, 0), 3},
		{"destination", "dst_port", 4, segment(1, 40003, 5001, 0, 0), 1},
		{"a fragment has no ports", "dst_port", 2, segment(4, 1, 1, 0, 185), 0},
		{"ICMP has no ports", "src_port", 5, icmp, 2},
	} {
		took := []int{}
		for i := range x.n {
			program := chooses(x.hash, i, x.n)
			got, err := runs(program, x.frame, 0)
			if err != nil {
				t.Fatalf("%s: port %d: %v", x.name, i, err)
			}
			if got == take {
				took = append(took, i)
			}
		}
		if len(took) != 1 || took[0] != x.want {
			t.Errorf("%s: got ports %v, want %d", x.name, took, x.want)
		}
	}
	// By chance, but every frame by exactly one port: the last takes the rest.
	count := [3]int{}
	for dice := range uint32(600) {
		for i := range 3 {
			program := everything()
			if i < 2 {
				program = chooses("round_robin", i, 3)
			}
			// The kernel rolls again for every program.
			got, err := runs(program, arp, dice*2654435761>>(7*i))
			if err != nil {
				t.Fatal(err)
			}
			if got == take {
				count[i]++
				break
			}
		}
	}
	for i, n := range count {
		if n < 150 || n > 250 {
			t.Errorf("round_robin: port %d got %d of 600 frames, want about 200", i, n)
		}
	}
}
