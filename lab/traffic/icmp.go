package traffic

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

// Types of ICMP messages, RFC 792.
const (
	icmpEchoReply   = 0
	icmpUnreachable = 3
	icmpEcho        = 8
	icmpExceeded    = 11
	headerLength    = 8
)

// echo is an ICMP echo request or reply.
type echo struct {
	kind, code byte
	id, seq    uint16
	data       []byte
}

// marshal makes the message with its checksum.
func (e *echo) marshal() []byte {
	b := make([]byte, headerLength+len(e.data))
	b[0], b[1] = e.kind, e.code
	binary.BigEndian.PutUint16(b[4:], e.id)
	binary.BigEndian.PutUint16(b[6:], e.seq)
	copy(b[headerLength:], e.data)
	binary.BigEndian.PutUint16(b[2:], checksum(b))
	return b
}

// parseEcho reads a message; false if it is too short.
func parseEcho(b []byte) (*echo, bool) {
	if len(b) < headerLength {
		return nil, false
	}
	return &echo{
		kind: b[0], code: b[1], id: binary.BigEndian.Uint16(b[4:]), seq: binary.BigEndian.Uint16(b[6:]), data: b[headerLength:],
	}, true
}

// checksum is the Internet checksum, RFC 1071.
func checksum(b []byte) uint16 {
	var sum uint32
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(b[i])<<8 | uint32(b[i+1])
	}
	if len(b)%2 == 1 {
		sum += uint32(b[len(b)-1]) << 8
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

// stripIP cuts the IPv4 header off a raw packet and gives its time to live.
func stripIP(b []byte) (payload []byte, ttl int, ok bool) {
	if len(b) < 20 || b[0]>>4 != 4 {
		return nil, 0, false
	}
	n := int(b[0]&0x0f) * 4
	if n < 20 || len(b) < n {
		return nil, 0, false
	}
	return b[n:], int(b[8]), true
}

// icmpSocket sends and receives echoes: raw where it is allowed, else the
// kernel's ping socket, which chooses the id itself.
type icmpSocket struct {
	fd  int
	raw bool
	id  uint16
}

// openICMP opens a socket for a host. Packets may be fragmented, here and on the
// way: AIX's ping cannot forbid it.
func openICMP(to netip.Addr) (*icmpSocket, error) {
	s := &icmpSocket{raw: true, id: uint16(os.Getpid())}
	var err error
	s.fd, err = unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_ICMP)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		s.raw = false
		s.fd, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.IPPROTO_ICMP)
	}
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	_ = unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 1<<20) // a burst of -f; less will do
	err = errors.Join(
		os.NewSyscallError("setsockopt IP_MTU_DISCOVER", unix.SetsockoptInt(s.fd, unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_DONT)),
		os.NewSyscallError("setsockopt IP_RECVTTL", unix.SetsockoptInt(s.fd, unix.IPPROTO_IP, unix.IP_RECVTTL, 1)),
	)
	if err == nil {
		err = s.connect(to)
	}
	if err != nil {
		unix.Close(s.fd)
		return nil, err
	}
	return s, nil
}

// connect fixes where a ping socket sends. A raw one stays open to all, since
// routers on the way answer too.
func (s *icmpSocket) connect(to netip.Addr) error {
	if !to.Is4() {
		return fmt.Errorf("%s: this ping knows IPv4 only", to)
	}
	if s.raw {
		return nil
	}
	return os.NewSyscallError("connect", unix.Connect(s.fd, &unix.SockaddrInet4{Addr: to.As4()}))
}

// leave sets the address that requests come from and their time to live; zero
// values leave both to the kernel.
func (s *icmpSocket) leave(from netip.Addr, ttl int) error {
	if from.IsValid() {
		if !from.Is4() {
			return fmt.Errorf("source %s: a lab is IPv4 only", from)
		}
		if err := unix.Bind(s.fd, &unix.SockaddrInet4{Addr: from.As4()}); err != nil {
			return fmt.Errorf("source %s is not an address of this host: %w", from, err)
		}
	}
	if ttl > 0 {
		if err := unix.SetsockoptInt(s.fd, unix.IPPROTO_IP, unix.IP_TTL, ttl); err != nil {
			return fmt.Errorf("time to live %d: %w", ttl, err)
		}
	}
	return nil
}

// addressOf is the first IPv4 address of an interface.
func addressOf(name string) (netip.Addr, error) {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("%s: no such interface", name)
	}
	all, err := i.Addrs()
	if err != nil {
		return netip.Addr{}, fmt.Errorf("%s: %w", name, err)
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() {
			return p.Addr(), nil
		}
	}
	return netip.Addr{}, fmt.Errorf("%s has no address", name)
}

func (s *icmpSocket) send(to netip.Addr, e *echo) error {
	e.id = s.id
	return unix.Sendto(s.fd, e.marshal(), 0, &unix.SockaddrInet4{Addr: to.As4()})
}

// receive waits up to a time in milliseconds. It gives nil without an error if
// nothing came, or nothing that is an ICMP message.
func (s *icmpSocket) receive(buf []byte, wait int) (e *echo, from netip.Addr, ttl, length int, err error) {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLIN}}, wait)
	if n <= 0 || err != nil {
		if errors.Is(err, unix.EINTR) {
			err = nil
		}
		return nil, from, 0, 0, err
	}
	oob := make([]byte, unix.CmsgSpace(4))
	n, oobn, _, sa, err := unix.Recvmsg(s.fd, buf, oob, unix.MSG_DONTWAIT)
	if err != nil {
		if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) {
			err = nil
		}
		return nil, from, 0, 0, err
	}
	if in, ok := sa.(*unix.SockaddrInet4); ok {
		from = netip.AddrFrom4(in.Addr)
	}
	b := buf[:n]
	if s.raw {
		var ok bool
		if b, ttl, ok = stripIP(b); !ok {
			return nil, from, 0, 0, nil
		}
	} else {
		ttl = ttlOf(oob[:oobn])
	}
	e, ok := parseEcho(b)
	if !ok || e.kind == icmpEchoReply && s.raw && e.id != s.id {
		return nil, from, 0, 0, nil
	}
	return e, from, ttl, len(b), nil
}

func ttlOf(oob []byte) int {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return 0
	}
	for _, m := range messages {
		if m.Header.Level == unix.IPPROTO_IP && m.Header.Type == unix.IP_TTL && len(m.Data) >= 4 {
			return int(binary.NativeEndian.Uint32(m.Data))
		}
	}
	return 0
}

func (s *icmpSocket) close() { unix.Close(s.fd) }
