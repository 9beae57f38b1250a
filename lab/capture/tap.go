package capture

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"seaworthy/lab/wire"
)

// The ring: slots of a header and the first bytes of a frame.
const (
	slotSize  = 128
	slots     = 1 << 14
	blockSize = 1 << 16
	wanted    = 16 // bytes of a frame that are kept; none is read
	hdrStatus = 0  // offsets in tpacket2_hdr
	hdrLen    = 4
	hdrSec    = 16
	hdrNsec   = 20
	typeAt    = 32 + 10 // sll_pkttype of the address behind the header
)

// Seen counts the frames that passed an end in one direction.
type Seen struct {
	Sizes   map[int]uint64 // frame size, with Ethernet header -> frames
	FirstAt time.Time
}

func (s *Seen) add(size int, at time.Time) {
	if s.Sizes == nil {
		s.FirstAt, s.Sizes = at, map[int]uint64{}
	}
	s.Sizes[size]++
}

// tap listens at one device.
type tap struct {
	wire.Device
	fd       int // -1: not open
	ring     []byte
	next     int
	sent     Seen
	received Seen
	missed   uint64
}

// open begins to listen to TCP segments to an address and port. The caller is on a
// thread in the device's namespace; the tap works from any. It is to be closed also
// after an error.
func (t *tap) open(to netip.AddrPort) error {
	i, err := net.InterfaceByName(t.Device.Device)
	if err != nil {
		return err
	}
	// Protocol 0: nothing arrives before the ring exists.
	if t.fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0); err != nil {
		return fmt.Errorf("packet socket: %w", err)
	}
	program := filter(to)
	err = unix.SetsockoptSockFprog(t.fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
		&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
	const version2 = 1
	if err == nil {
		err = unix.SetsockoptInt(t.fd, unix.SOL_PACKET, unix.PACKET_VERSION, version2)
	}
	req := unix.TpacketReq{Block_size: blockSize, Block_nr: slots * slotSize / blockSize, Frame_size: slotSize, Frame_nr: slots}
	if err == nil {
		err = unix.SetsockoptTpacketReq(t.fd, unix.SOL_PACKET, unix.PACKET_RX_RING, &req)
	}
	if err == nil {
		t.ring, err = unix.Mmap(t.fd, 0, slots*slotSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		return fmt.Errorf("ring of a packet socket: %w", err)
	}
	all := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL))
	return os.NewSyscallError("bind", unix.Bind(t.fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: i.Index}))
}

// drain takes what is in the ring.
func (t *tap) drain() {
	ne := binary.NativeEndian
	for {
		slot := t.ring[t.next*slotSize : (t.next+1)*slotSize]
		status := (*uint32)(unsafe.Pointer(&slot[hdrStatus]))
		if atomic.LoadUint32(status)&unix.TP_STATUS_USER == 0 {
			return
		}
		size := int(ne.Uint32(slot[hdrLen:]))
		at := time.Unix(int64(ne.Uint32(slot[hdrSec:])), int64(ne.Uint32(slot[hdrNsec:])))
		if slot[typeAt] == unix.PACKET_OUTGOING {
			t.sent.add(size, at)
		} else {
			t.received.add(size, at)
		}
		atomic.StoreUint32(status, unix.TP_STATUS_KERNEL)
		t.next = (t.next + 1) % slots
	}
}

func (t *tap) close() error {
	if t.fd < 0 {
		return nil
	}
	defer unix.Close(t.fd)
	if t.ring == nil {
		return nil
	}
	t.drain()
	s, err := unix.GetsockoptTpacketStats(t.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS)
	if err == nil {
		t.missed = uint64(s.Drops)
	}
	_ = unix.Munmap(t.ring)
	return err
}

// filter is a program of the classic packet filter: unfragmented TCP over
// IPv4 to an address and port.
func filter(to netip.AddrPort) []unix.SockFilter {
	const (
		half  = unix.BPF_LD | unix.BPF_H | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K
	)
	ip := to.Addr().As4()
	// A test that fails jumps to the last instruction.
	return []unix.SockFilter{
		{Code: half, K: 12}, {Code: equal, K: unix.ETH_P_IP, Jf: 10},
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 23}, {Code: equal, K: unix.IPPROTO_TCP, Jf: 8},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 30}, {Code: equal, K: binary.BigEndian.Uint32(ip[:]), Jf: 6},
		{Code: half, K: 20}, {Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: 0x1fff, Jt: 4},
		{Code: unix.BPF_LDX | unix.BPF_B | unix.BPF_MSH, K: 14},
		{Code: unix.BPF_LD | unix.BPF_H | unix.BPF_IND, K: 16}, {Code: equal, K: uint32(to.Port()), Jf: 1},
		{Code: ret, K: wanted}, {Code: ret, K: 0},
	}
}
