// Package whole sends UDP packets that must not be fragmented (RFC 791: DF) to a port
// that nobody listens on. The far host's ICMP answer, port unreachable, shows that the
// packet arrived in one piece; nothing has to run there.
package whole

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Outcome of packets of one size.
type Outcome string

const (
	Passed   Outcome = "passed"   // the far host answered: nobody listens there
	Refused  Outcome = "refused"  // the sender's own interface is smaller
	Reported Outcome = "reported" // a router said that it is too large
	Lost     Outcome = "lost"     // no answer, which a firewall or a limit of ICMP answers can cause too
)

const (
	headers = 28    // IPv4 and UDP
	port    = 33497 // of traceroute's range, where nobody listens
	tries   = 3
	wait    = 1100 * time.Millisecond // hosts answer once a second
)

// dontFragment are the options that set DF, on Linux whatever path MTU the kernel remembers.
var dontFragment = map[string]struct{ option, value int }{
	"linux": {10, 3}, // IP_MTU_DISCOVER, IP_PMTUDISC_PROBE
	"aix":   {25, 1}, // IP_DONTFRAG
}

// Send sends packets of size bytes, IP header included, until one is answered.
func Send(ctx context.Context, to netip.Addr, size int) (Outcome, error) {
	if !to.Is4() || size <= headers || size > 65535 {
		return "", fmt.Errorf("packet of %d bytes to %s: expected an IPv4 address and %d to 65535 bytes", size, to, headers+1)
	}
	d := net.Dialer{ControlContext: func(_ context.Context, _, _ string, c syscall.RawConn) error {
		df, known := dontFragment[runtime.GOOS]
		if !known {
			return errors.New("not on this system")
		}
		var err error
		cerr := c.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, df.option, df.value) })
		return cmp.Or(cerr, err)
	}}
	c, err := d.DialContext(ctx, "udp4", netip.AddrPortFrom(to, port).String())
	if err != nil {
		return "", fmt.Errorf("packets that must not be fragmented: %w", err)
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	packet, answer := make([]byte, size-headers), make([]byte, 1)
	for range tries {
		_, err := c.Write(packet)
		switch {
		case errors.Is(err, syscall.EMSGSIZE):
			return Refused, nil
		case errors.Is(err, syscall.ECONNREFUSED):
			return Passed, nil // the answer to the one before
		case err != nil:
			return "", err
		}
		_ = c.SetReadDeadline(time.Now().Add(wait)) // a socket has deadlines
		_, err = c.Read(answer)
		var late net.Error
		switch {
		case err == nil || errors.Is(err, syscall.ECONNREFUSED):
			return Passed, nil
		case errors.Is(err, syscall.EMSGSIZE):
			return Reported, nil
		case ctx.Err() != nil:
			return "", ctx.Err()
		case !errors.As(err, &late) || !late.Timeout():
			return "", err
		}
	}
	return Lost, nil
}
