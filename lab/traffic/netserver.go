package traffic

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"seaworthy/lab/node"
	"seaworthy/probe/load"
)

// expectedFlows are the connections that a server is ready for.
const expectedFlows = 60

// orderWait is how long a client may take to say what it wants.
const orderWait = 10 * time.Second

// netserver is the server of netperf. Without -D it leaves a server behind in
// the background and returns.
func netserver(ctx context.Context, c *node.Call) int {
	fail := func(err error) int {
		fmt.Fprintln(c.Stderr, "netserver:", err)
		return 1
	}
	port, front := netperfPort, false
	options, operands, err := getopt(c.Argv[1:], "Dfp:v:d46N", true)
	if err != nil {
		return fail(err)
	}
	if len(operands) > 0 {
		return fail(fmt.Errorf("unexpected %q", operands[0]))
	}
	for _, o := range options {
		switch o.letter {
		case 'D':
			front = true
		case 'p':
			if port, err = count(o.value, 1, 65535); err != nil {
				return fail(fmt.Errorf("-p: %w", err))
			}
		}
	}
	at := net.JoinHostPort("", strconv.Itoa(port))
	if !front {
		// Try the port here, where the message can still be seen.
		l, err := net.Listen("tcp", at)
		if err != nil {
			return fail(err)
		}
		l.Close()
		if err := background(c.Argv[0], "-D", "-p", strconv.Itoa(port)); err != nil {
			return fail(err)
		}
		if err := listening(ctx, port); err != nil {
			return fail(err)
		}
		fmt.Fprintf(c.Stdout, "Starting netserver with host 'IN(6)ADDR_ANY' port '%d' and family AF_UNSPEC\n", port)
		return 0
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	l, err := net.Listen("tcp", at)
	if err != nil {
		return fail(err)
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	room(expectedFlows)
	var tests sync.WaitGroup
	defer tests.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return 0
			}
			return fail(err)
		}
		tests.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { conn.Close() })()
			serveTest(ctx, conn)
		})
	}
}

// background starts this program again under a name, in a session of its own
// and without this call's streams, so that the caller's shell need not wait.
func background(name string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{name}, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// listening waits until the server in the background answers.
func listening(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var d net.Dialer
	for {
		c, err := d.DialContext(ctx, "tcp", net.JoinHostPort("localhost", strconv.Itoa(port)))
		if err != nil {
			c, err = d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		}
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server in the background does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// serveTest runs one test for one client. What goes wrong is reported to the
// client; if that is impossible the client has gone.
func serveTest(ctx context.Context, conn net.Conn) {
	ctl := newControl(conn)
	_ = conn.SetReadDeadline(time.Now().Add(orderWait))
	var o order
	err := ctl.receive(&o)
	if err == nil && o.Netperf != netperfVersion {
		err = errors.New("only the lab's own netperf is served")
	}
	if err != nil {
		_ = ctl.send(place{Error: err.Error()})
		return
	}
	o.Load.Send = false
	local, _ := netip.ParseAddrPort(conn.LocalAddr().String())
	buffers, err := beforeConnect(ctx, o.Load.Window, local.Addr().Unmap().Is6())
	if err != nil {
		_ = ctl.send(place{Error: err.Error()})
		return
	}
	l, port, err := load.Listen(o.Load, netip.AddrPortFrom(local.Addr().Unmap(), 0))
	if err != nil {
		_ = ctl.send(place{Error: err.Error()})
		return
	}
	defer l.Stop()
	if ctl.send(place{Port: port, Buffers: buffers}) != nil {
		return
	}
	ready, cancel := context.WithTimeout(ctx, orderWait)
	defer cancel()
	if err = l.Ready(ready); err == nil {
		err = l.Begin()
	}
	if err != nil {
		_ = ctl.send(account{Error: err.Error()})
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Duration(o.Load.Limit * float64(time.Second))))
	var f finish
	if ctl.receive(&f) != nil {
		return
	}
	i, err := l.End()
	if err != nil {
		_ = ctl.send(account{Error: err.Error()})
		return
	}
	_ = ctl.send(account{Seconds: i.Seconds, Received: i.Received})
}
