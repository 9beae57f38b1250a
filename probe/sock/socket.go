package sock

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Tick is the longest time a Read or Write blocks.
const Tick = 100 * time.Millisecond

// Options are set before connect and before listen: the window scale of a
// connection is fixed by the receive buffer at its start.
type Options struct {
	Window  int  // bytes asked of SO_SNDBUF and SO_RCVBUF; 0: left to the system
	NoDelay bool // TCP_NODELAY
}

// Conn is one connection. Its methods may be used by one goroutine at a time,
// but Info and Buffers are safe next to a Read or Write.
type Conn struct {
	fd      int
	options Options
	granted Buffers
}

// Listener is a listening socket.
type Listener struct {
	fd      int
	options Options
}

func open(ip netip.Addr, o Options) (int, error) {
	family := unix.AF_INET
	if ip.Is6() {
		family = unix.AF_INET6
	}
	fd, err := unix.Socket(family, unix.SOCK_STREAM, unix.IPPROTO_TCP)
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	unix.CloseOnExec(fd)
	if o.Window > 0 {
		// A refused size (AIX: above sb_max) leaves the default, and the buffers read
		// back show it; it is no reason to give up the trial.
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, o.Window)
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, o.Window)
	}
	return fd, nil
}

func sockaddr(a netip.AddrPort) (unix.Sockaddr, error) {
	ip := a.Addr()
	if ip.Is4() {
		return &unix.SockaddrInet4{Port: int(a.Port()), Addr: ip.As4()}, nil
	}
	sa := &unix.SockaddrInet6{Port: int(a.Port()), Addr: ip.As16()}
	if zone := ip.Zone(); zone != "" {
		if n, err := strconv.ParseUint(zone, 10, 32); err == nil {
			sa.ZoneId = uint32(n)
		} else if i, err := net.InterfaceByName(zone); err == nil {
			sa.ZoneId = uint32(i.Index)
		} else {
			return nil, fmt.Errorf("zone %s: %w", zone, err)
		}
	}
	return sa, nil
}

// Listen binds and listens. An invalid address of a means all addresses.
func Listen(a netip.AddrPort, o Options) (*Listener, error) {
	ip := a.Addr().Unmap()
	if !ip.IsValid() {
		// One socket for both families where the system has IPv6, else IPv4 alone.
		if l, err := Listen(netip.AddrPortFrom(netip.IPv6Unspecified(), a.Port()), o); err == nil {
			return l, nil
		}
		ip = netip.IPv4Unspecified()
	}
	fd, err := open(ip, o)
	if err != nil {
		return nil, err
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)
	if ip == netip.IPv6Unspecified() {
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY, 0)
	}
	sa, err := sockaddr(netip.AddrPortFrom(ip, a.Port()))
	if err == nil {
		err = os.NewSyscallError("bind", unix.Bind(fd, sa))
	}
	if err == nil {
		err = os.NewSyscallError("listen", unix.Listen(fd, unix.SOMAXCONN))
	}
	if err == nil {
		err = os.NewSyscallError("fcntl", unix.SetNonblock(fd, true))
	}
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("listen on %s: %w", netip.AddrPortFrom(ip, a.Port()), err)
	}
	return &Listener{fd: fd, options: o}, nil
}

// Port is the port that was bound.
func (l *Listener) Port() (int, error) {
	sa, err := unix.Getsockname(l.fd)
	if err != nil {
		return 0, os.NewSyscallError("getsockname", err)
	}
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return sa.Port, nil
	case *unix.SockaddrInet6:
		return sa.Port, nil
	}
	return 0, fmt.Errorf("listening socket has an unknown address family")
}

// Accept waits for a connection until the context ends.
func (l *Listener) Accept(ctx context.Context) (*Conn, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("accept: %w", err)
		}
		fd, _, err := unix.Accept(l.fd)
		switch {
		case err == nil:
			unix.CloseOnExec(fd)
			return newConn(fd, l.options)
		case errors.Is(err, unix.EAGAIN):
			_, err = unix.Poll([]unix.PollFd{{Fd: int32(l.fd), Events: unix.POLLIN}}, int(Tick/time.Millisecond))
			if err != nil && !errors.Is(err, unix.EINTR) {
				return nil, os.NewSyscallError("poll", err)
			}
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.ECONNABORTED):
		default:
			return nil, os.NewSyscallError("accept", err)
		}
	}
}

// Close closes the listening socket.
func (l *Listener) Close() error { return unix.Close(l.fd) }

// Connect connects to a peer; the context bounds the wait.
func Connect(ctx context.Context, a netip.AddrPort, o Options) (*Conn, error) {
	a = netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
	fd, err := open(a.Addr(), o)
	if err != nil {
		return nil, err
	}
	sa, err := sockaddr(a)
	if err == nil {
		err = connect(ctx, fd, sa)
	}
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("connect to %s: %w", a, err)
	}
	return newConn(fd, o)
}

func connect(ctx context.Context, fd int, sa unix.Sockaddr) error {
	if err := unix.SetNonblock(fd, true); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	err := unix.Connect(fd, sa)
	if err == nil {
		return nil
	}
	if !errors.Is(err, unix.EINPROGRESS) && !errors.Is(err, unix.EINTR) {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("no answer: %w", err)
		}
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, int(Tick/time.Millisecond))
		if err != nil && !errors.Is(err, unix.EINTR) {
			return os.NewSyscallError("poll", err)
		}
		if n <= 0 {
			continue
		}
		code, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
		if err != nil {
			return os.NewSyscallError("getsockopt", err)
		}
		if code != 0 {
			return syscall.Errno(code)
		}
		return nil
	}
}

func newConn(fd int, o Options) (*Conn, error) {
	c := &Conn{fd: fd, options: o}
	if err := c.prepare(); err != nil {
		unix.Close(fd)
		return nil, err
	}
	c.granted = c.buffers()
	return c, nil
}

func (c *Conn) prepare() error {
	if err := unix.SetNonblock(c.fd, false); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	tick := unix.NsecToTimeval(Tick.Nanoseconds())
	for _, option := range []int{unix.SO_RCVTIMEO, unix.SO_SNDTIMEO} {
		if err := unix.SetsockoptTimeval(c.fd, unix.SOL_SOCKET, option, &tick); err != nil {
			return os.NewSyscallError("setsockopt", err)
		}
	}
	if c.options.NoDelay {
		if err := unix.SetsockoptInt(c.fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
			return os.NewSyscallError("setsockopt TCP_NODELAY", err)
		}
	}
	return nil
}

// Close closes the connection.
func (c *Conn) Close() error { return unix.Close(c.fd) }
