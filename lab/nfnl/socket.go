package nfnl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

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

// reply is one message of the kernel.
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
		return fmt.Errorf("this kernel's packet filter lacks a part (nf_tables netdev, dynset, counter, numgen, fwd): %s: %w", strings.ToLower(err.Error()), err)
	}
	return err
}
