package traffic

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os/exec"
	"runtime"
	"time"

	"seaworthy/internal/measure/probe"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/sock"
	"seaworthy/lab/node"
)

// processors are enough for loops that keep theirs while they block (see sock.Conn.Read), next to reports and signals.
const processors = 64

// orderWait is how long either end may take to say something.
const orderWait = 10 * time.Second

const (
	netperfPort    = 12865 // where netserver listens
	netperfVersion = 2
)

// The control connection: the client sends an order, the server answers with sockets, and
// is from then on a helper of package probe, whose client asks for one load.
type (
	order struct {
		Netperf int     `json:"netperf"` // version of these messages
		Window  int     `json:"window"`  // as in load.Spec
		Limit   float64 `json:"limit"`   // seconds that the connection may last
	}
	sockets struct {
		Error   string       `json:"error,omitempty"`
		Buffers sock.Buffers `json:"buffers"` // of a socket as the test begins
	}
)

// Netserver is the server of netperf.
func Netserver(ctx context.Context, c *node.Call) int {
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), processors))
	started := "Starting netserver with host 'IN(6)ADDR_ANY' port '%d' and family AF_UNSPEC\n"
	return server(ctx, c, "Dfp:v:d46N", netperfPort, started, func(ctx context.Context, conn net.Conn) {
		// If no answer arrives the client has gone.
		if err := serveTest(ctx, conn); err != nil {
			_ = json.NewEncoder(conn).Encode(sockets{Error: err.Error()})
		}
	})
}

// serveTest runs one test for one client.
func serveTest(ctx context.Context, conn net.Conn) error {
	in := bufio.NewReader(io.LimitReader(conn, probe.MaxLine))
	_ = conn.SetReadDeadline(time.Now().Add(orderWait))
	var o order
	if err := receive(in, &o); err != nil {
		return err
	}
	if o.Netperf != netperfVersion || !(o.Limit > 0 && o.Limit <= load.MaxSeconds+2*orderWait.Seconds()) {
		return errors.New("only the lab's own netperf is served")
	}
	local, _ := netip.ParseAddrPort(conn.LocalAddr().String())
	buffers, err := beforeConnect(ctx, o.Window, local.Addr().Unmap().Is6())
	if err != nil {
		return err
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Duration(o.Limit * float64(time.Second))))
	if err := json.NewEncoder(conn).Encode(sockets{Buffers: buffers}); err != nil {
		return err
	}
	_ = probe.Serve(ctx, in, conn, "")
	return nil
}

// receive reads a line of the control connection.
func receive(in *bufio.Reader, into any) error {
	line, err := in.ReadSlice('\n')
	if err == nil {
		err = json.Unmarshal(line, into)
	}
	if err != nil {
		return fmt.Errorf("control connection: %w", err)
	}
	return nil
}

// noPath is where a node has no(1).
const noPath = "/usr/sbin/no"

// beforeConnect are the socket buffers that a program sees on AIX before a
// socket is connected: those it asked for, else those of no. The interface's
// own come into force only with the connection, when it is known which one
// that takes (IBM-ISNO-NET), so netperf shows the values of no (S002:L1).
// On a machine without no(1) they are the kernel's, which counts what it spends
// on a packet too: half is payload.
func beforeConnect(ctx context.Context, window int, v6 bool) (sock.Buffers, error) {
	b, err := sock.Defaults(sock.Options{Window: window}, v6)
	if err != nil {
		return b, err
	}
	if b.Send == nil || b.Receive == nil {
		return b, errors.New("the size of the socket buffers is not known")
	}
	send, receive := *b.Send/2, *b.Receive/2
	if window == 0 {
		if s, r, ok := noSpaces(ctx); ok {
			send, receive = s, r
		}
	}
	return sock.Buffers{Send: &send, Receive: &receive}, nil
}

// noWait bounds asking no(1).
const noWait = 10 * time.Second

// noSpaces are the node's tcp_sendspace and tcp_recvspace of no; false if this
// is not a node of a lab.
func noSpaces(ctx context.Context) (send, receive int, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, noWait)
	defer cancel()
	out, err := exec.CommandContext(ctx, noPath, "-o", "tcp_sendspace", "-o", "tcp_recvspace").Output()
	if err != nil {
		return 0, 0, false
	}
	_, err = fmt.Sscanf(string(out), "tcp_sendspace = %d\ntcp_recvspace = %d", &send, &receive)
	return send, receive, err == nil && send > 0 && receive > 0
}
