package traffic

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"runtime"
	"time"

	"seaworthy/lab/node"
	"seaworthy/probe/load"
)

// processors are enough for loops that keep theirs while they block (see sock.Conn.Read), next to reports and signals.
const processors = 64

// orderWait is how long a client may take to say what it wants.
const orderWait = 10 * time.Second

// netserver is the server of netperf.
func netserver(ctx context.Context, c *node.Call) int {
	if runtime.GOMAXPROCS(0) < processors {
		runtime.GOMAXPROCS(processors)
	}
	started := "Starting netserver with host 'IN(6)ADDR_ANY' port '%d' and family AF_UNSPEC\n"
	return server(ctx, c, "Dfp:v:d46N", netperfPort, started, func(ctx context.Context, conn net.Conn) {
		ctl := newControl(conn)
		// Every answer has room for an error; if none arrives the client has gone.
		if err := serveTest(ctx, conn, ctl); err != nil {
			_ = ctl.send(account{Error: err.Error()})
		}
	})
}

// serveTest runs one test for one client.
func serveTest(ctx context.Context, conn net.Conn, ctl *control) error {
	_ = conn.SetReadDeadline(time.Now().Add(orderWait))
	var o order
	if err := ctl.receive(&o); err != nil {
		return err
	}
	if o.Netperf != netperfVersion {
		return errors.New("only the lab's own netperf is served")
	}
	o.Load.Send = false
	local, _ := netip.ParseAddrPort(conn.LocalAddr().String())
	buffers, err := beforeConnect(ctx, o.Load.Window, local.Addr().Unmap().Is6())
	if err != nil {
		return err
	}
	l, port, err := load.Listen(o.Load, netip.AddrPortFrom(local.Addr().Unmap(), 0))
	if err != nil {
		return err
	}
	defer l.Stop()
	if err := ctl.send(place{Port: port, Buffers: buffers}); err != nil {
		return err
	}
	ready, cancel := context.WithTimeout(ctx, orderWait)
	defer cancel()
	if err := l.Ready(ready); err != nil {
		return err
	}
	if err := l.Begin(time.Duration(o.Load.Limit * float64(time.Second))); err != nil {
		return err
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Duration(o.Load.Limit * float64(time.Second))))
	if err := ctl.receive(new(finish)); err != nil {
		return err
	}
	i, err := l.End()
	if err != nil {
		return err
	}
	return ctl.send(account{Seconds: i.Seconds, Received: i.Received})
}
