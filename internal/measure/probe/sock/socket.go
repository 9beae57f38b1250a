// Package sock is TCP by system call, for load loops: blocking sockets without
// Go's poller in between, buffer sizes before connect and listen as AIX and
// Linux want them, and what the kernel says about a connection.
//
// Reads and writes block for at most Tick, so that a loop can look at its stop
// flag and the runtime can stop the world.
package sock

import (
	"cmp"
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
	l       *net.TCPListener
	options Options
}

// control asks for the window before a socket connects or listens.
func (o Options) control(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { o.setWindow(int(fd)) })
}

// setWindow asks for both buffers. A refused size (AIX: above sb_max) leaves the
// default, and the buffers read back show it; it is not a reason to give up the trial.
func (o Options) setWindow(fd int) {
	if o.Window > 0 {
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, o.Window)
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, o.Window)
	}
}

// Listen binds and listens. An invalid address of a means all addresses.
func Listen(a netip.AddrPort, o Options) (*Listener, error) {
	at := net.JoinHostPort("", strconv.Itoa(int(a.Port())))
	if ip := a.Addr().Unmap(); ip.IsValid() {
		at = netip.AddrPortFrom(ip, a.Port()).String()
	}
	config := net.ListenConfig{Control: o.control, KeepAlive: -1}
	config.SetMultipathTCP(false)
	l, err := config.Listen(context.Background(), "tcp", at)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", at, reason(err))
	}
	return &Listener{l: l.(*net.TCPListener), options: o}, nil
}

// reason leaves out what the caller says better.
func reason(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// Port is the port that was bound.
func (l *Listener) Port() int { return l.l.Addr().(*net.TCPAddr).Port }

// Accept waits for a connection until the context ends.
func (l *Listener) Accept(ctx context.Context) (*Conn, error) {
	if err := l.l.SetDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("accept: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = l.l.SetDeadline(time.Unix(1, 0)) })()
	c, err := l.l.Accept()
	if err != nil {
		return nil, fmt.Errorf("accept: %w", cmp.Or(ctx.Err(), err))
	}
	return newConn(c, l.options)
}

// Close closes the listening socket.
func (l *Listener) Close() error { return l.l.Close() }

// Connect connects to a peer; the context bounds the wait.
func Connect(ctx context.Context, a netip.AddrPort, o Options) (*Conn, error) {
	a = netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
	c, err := (&net.Dialer{Control: o.control, KeepAlive: -1}).DialContext(ctx, "tcp", a.String())
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", a, reason(err))
	}
	return newConn(c, o)
}

// newConn takes a connection out of the hands of the runtime's poller.
func newConn(from net.Conn, o Options) (*Conn, error) {
	defer from.Close()
	raw, err := from.(*net.TCPConn).SyscallConn()
	if err != nil {
		return nil, err
	}
	c := &Conn{options: o}
	var failed error
	if err := raw.Control(func(fd uintptr) { c.fd, failed = unix.Dup(int(fd)) }); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, os.NewSyscallError("dup", failed)
	}
	unix.CloseOnExec(c.fd)
	if err := c.prepare(); err != nil {
		unix.Close(c.fd)
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
	noDelay := 0 // package net turns it on
	if c.options.NoDelay {
		noDelay = 1
	}
	return os.NewSyscallError("setsockopt TCP_NODELAY", unix.SetsockoptInt(c.fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, noDelay))
}

// Close closes the connection.
func (c *Conn) Close() error { return unix.Close(c.fd) }

// Defaults says which buffers a socket of an address family has before it is
// connected: what programs see that ask at their start. v6 chooses IPv6.
func Defaults(o Options, v6 bool) (Buffers, error) {
	family := unix.AF_INET
	if v6 {
		family = unix.AF_INET6
	}
	fd, err := unix.Socket(family, unix.SOCK_STREAM, unix.IPPROTO_TCP)
	if err != nil {
		return Buffers{}, os.NewSyscallError("socket", err)
	}
	defer unix.Close(fd)
	o.setWindow(fd)
	return (&Conn{fd: fd}).buffers(), nil
}

// Buffers are the sizes of a connection's socket buffers in bytes as
// getsockopt reports them; nil where the system does not say. Linux reports twice
// what was asked, for its own bookkeeping: half of it is the payload window.
type Buffers struct {
	Send    *int `json:"send,omitempty"`
	Receive *int `json:"receive,omitempty"`
}

// State holds what one end of a connection looked like.
type State struct {
	Requested  int      `json:"requested,omitempty"` // bytes asked for; absent: left to the system
	Granted    Buffers  `json:"granted"`             // when the connection stood
	Final      Buffers  `json:"final"`               // when the state was read
	SendCap    string   `json:"send_cap,omitempty"`  // the setting that kept the send buffer below the request, with its value
	ReceiveCap string   `json:"receive_cap,omitempty"`
	Info       TCPState `json:"tcp"`
}

// TCPState holds what the kernel says about a connection; nil where it does not.
type TCPState struct {
	MSS          *int    `json:"mss,omitempty"`               // bytes a segment may carry
	Retransmits  *uint64 `json:"retransmits,omitempty"`       // segments sent again since the connection stood
	RTTMicros    *uint64 `json:"rtt_us,omitempty"`            // smoothed
	MinRTTMicros *uint64 `json:"min_rtt_us,omitempty"`        // smallest seen
	Window       *uint64 `json:"cwnd_segments,omitempty"`     // congestion window
	Congestion   string  `json:"congestion,omitempty"`        // algorithm
	BusyMicros   *uint64 `json:"busy_us,omitempty"`           // time with data to send
	PeerLimited  *uint64 `json:"rwnd_limited_us,omitempty"`   // of it, time held back by the peer's receive window
	BufferLimit  *uint64 `json:"sndbuf_limited_us,omitempty"` // of it, time held back by the own send buffer
	Timestamps   *bool   `json:"tcp_timestamps,omitempty"`    // RFC 7323 timestamps in use
}

func (c *Conn) buffers() Buffers {
	var b Buffers
	if n, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_SNDBUF); err == nil {
		b.Send = &n
	}
	if n, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_RCVBUF); err == nil {
		b.Receive = &n
	}
	return b
}

// State reads the connection's state.
func (c *Conn) State() State {
	s := State{Requested: c.options.Window, Granted: c.granted, Final: c.buffers(), Info: c.tcp()}
	s.Info.MSS = c.mss()
	if s.Requested > 0 {
		s.SendCap = capOf("send", s.Requested, s.Granted.Send)
		s.ReceiveCap = capOf("receive", s.Requested, s.Granted.Receive)
	}
	return s
}

// mss asks the one thing that every system reports.
func (c *Conn) mss() *int {
	n, err := unix.GetsockoptInt(c.fd, unix.IPPROTO_TCP, unix.TCP_MAXSEG)
	if err != nil || n <= 0 {
		return nil
	}
	return &n
}
