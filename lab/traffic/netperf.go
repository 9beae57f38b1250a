package traffic

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	text "seaworthy/dialect/load/netperf"
	"seaworthy/lab/node"
	"seaworthy/probe/load"
	"seaworthy/probe/sock"
)

// connectWait is how long a connect may take.
const connectWait = 10 * time.Second

// netperfRun is one invocation.
type netperfRun struct {
	host              string
	port              int
	seconds           float64
	test              text.Test
	unit              byte // of -f
	quiet             bool // -P 0
	request, response int
	message           int // 0: the send buffer's size
	local, remote     int // -s, -S; 0: the system's
	nodelay           bool
}

// units of -f: what the heading says and how many bit/s one is.
var units = map[byte]struct {
	name string
	bits float64
}{
	'k': {"10^3bits/sec", 1e3}, 'm': {"10^6bits/sec", 1e6}, 'g': {"10^9bits/sec", 1e9},
	'K': {"KBytes/sec", 8 << 10}, 'M': {"MBytes/sec", 8 << 20}, 'G': {"GBytes/sec", 8 << 30},
}

func netperf(ctx context.Context, c *node.Call) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	r, err := parseNetperf(c.Argv[1:])
	if err != nil {
		fmt.Fprintf(c.Stderr,
			"netperf: %v\nUsage: netperf [-H host] [-p port] [-l seconds] [-t TCP_STREAM|TCP_RR] [-f kmgKMG] [-v level] [-P 0|1]"+
				" -- [-r req,resp] [-s size] [-S size] [-m size] [-D]\n", err)
		return 1
	}
	o, err := r.run(ctx)
	if err == nil {
		_, err = c.Stdout.Write(text.Format(o, r.quiet))
	}
	if err != nil {
		fmt.Fprintln(c.Stderr, "netperf:", err)
		return 1
	}
	return 0
}

// parseNetperf reads the global options and, behind --, the test's own.
func parseNetperf(args []string) (*netperfRun, error) {
	r := &netperfRun{host: "localhost", port: netperfPort, seconds: 10, test: text.Stream, unit: 'm', request: 1, response: 1}
	given, err := node.Letters("H:p:l:t:f:v:P:cC46dD:B:", args)
	if err != nil {
		return nil, err
	}
	for _, o := range given.List {
		switch o.Name {
		case "H":
			r.host = o.Value
		case "p":
			r.port, err = count(o.Value, 1, 65535)
		case "l":
			r.seconds, err = seconds(o.Value, 0.1, 86400)
		case "t":
			switch o.Value {
			case "TCP_STREAM":
			case "TCP_RR":
				r.test = text.RequestResponse
			default:
				err = fmt.Errorf("%q is none of TCP_STREAM and TCP_RR", o.Value)
			}
		case "f":
			if len(o.Value) == 1 {
				r.unit = o.Value[0]
			}
			if _, ok := units[r.unit]; !ok || len(o.Value) != 1 {
				err = fmt.Errorf("%q is none of k m g K M G", o.Value)
			}
		case "v": // of the text only, whatever -v10 is taken for
			_, err = count(o.Value, 0, 1<<20)
		case "P":
			var n int
			n, err = count(o.Value, 0, 1)
			r.quiet = n == 0
		case "c", "C":
			err = errors.New("CPU is not measured here: see lparstat")
		}
		if err != nil {
			return nil, fmt.Errorf("-%s: %w", o.Name, err)
		}
	}
	return r, r.parseTest(given.Rest)
}

func (r *netperfRun) parseTest(args []string) error {
	given, err := node.Letters("r:s:S:m:M:DP:", args)
	if err != nil {
		return err
	}
	if len(given.Rest) > 0 {
		return fmt.Errorf("unexpected %q", given.Rest[0])
	}
	bytes := func(most int) func(string) (int, error) {
		return func(s string) (int, error) { return size(s, most) }
	}
	for _, o := range given.List {
		switch o.Name {
		case "r":
			r.request, r.response, err = pair(o.Value, bytes(load.MaxMessage))
			r.request, r.response = max(r.request, 1), max(r.response, 1)
		case "s":
			r.local, _, err = pair(o.Value, bytes(load.MaxWindow))
		case "S":
			r.remote, _, err = pair(o.Value, bytes(load.MaxWindow))
		case "m":
			r.message, _, err = pair(o.Value, bytes(load.MaxMessage))
		case "D":
			r.nodelay = true
		}
		if err != nil {
			return fmt.Errorf("-%s: %w", o.Name, err)
		}
	}
	return nil
}

func (r *netperfRun) run(ctx context.Context) (*text.Output, error) {
	ip, err := resolve(ctx, r.host)
	if err != nil {
		return nil, err
	}
	dial, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(dial, "tcp", net.JoinHostPort(ip.String(), strconv.Itoa(r.port)))
	if err != nil {
		return nil, fmt.Errorf("are you sure there is a netserver listening on %s at port %d? %w", r.host, r.port, plain(err))
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()

	var token [16]byte
	if _, err := rand.Read(token[:]); err != nil {
		return nil, err
	}
	spec := load.Spec{
		Kind: load.Stream, Connections: 1, Request: r.request, Response: r.response, Window: r.local, NoDelay: r.nodelay,
		Send: true, Limit: r.seconds + 60, Token: hex.EncodeToString(token[:]),
	}
	if r.test == text.RequestResponse {
		spec.Kind = load.RequestResponse
	}
	mine, err := beforeConnect(ctx, r.local, ip.Is6())
	if err != nil {
		return nil, err
	}
	// netperf's message is one send buffer unless -m says otherwise.
	if spec.Write = r.message; spec.Write == 0 {
		spec.Write = min(*mine.Send, load.MaxMessage)
	}
	theirs := spec
	theirs.Window = r.remote
	ctl := newControl(conn)
	if err := ctl.send(order{Netperf: netperfVersion, Load: theirs}); err != nil {
		return nil, err
	}
	_ = conn.SetReadDeadline(time.Now().Add(orderWait))
	var p place
	if err := ctl.receive(&p); err != nil {
		return nil, err
	}
	if p.Error != "" || p.Port < 1 || p.Port > 65535 || p.Buffers.Send == nil || p.Buffers.Receive == nil {
		return nil, fmt.Errorf("netserver: %s", p.Error)
	}
	l, err := load.Connect(dial, spec, netip.AddrPortFrom(ip, uint16(p.Port)))
	if err != nil {
		return nil, err
	}
	defer l.Stop()
	got, answer, err := r.measure(ctx, conn, ctl, l)
	if err != nil {
		return nil, err
	}
	return r.output(got, answer, mine, p.Buffers, spec.Write, ip), nil
}

// measure lets the load run its time and collects both ends' accounts.
func (r *netperfRun) measure(ctx context.Context, conn net.Conn, ctl *control, l *load.Load) (*load.Interval, *account, error) {
	lasts := time.Duration(r.seconds * float64(time.Second))
	if err := l.Begin(lasts); err != nil {
		return nil, nil, err
	}
	select {
	case <-time.After(lasts):
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	got, err := l.End()
	if err != nil {
		return nil, nil, err
	}
	if err := ctl.send(finish{Finish: true}); err != nil {
		return nil, nil, err
	}
	_ = conn.SetReadDeadline(time.Now().Add(orderWait))
	var a account
	if err := ctl.receive(&a); err != nil {
		return nil, nil, err
	}
	if a.Error != "" || !(a.Seconds > 0) {
		return nil, nil, fmt.Errorf("netserver: %s", a.Error)
	}
	return got, &a, nil
}

func (r *netperfRun) output(got *load.Interval, answer *account, mine, theirs sock.Buffers, message int, ip netip.Addr) *text.Output {
	family := "AF_INET"
	if ip.Is6() {
		family = "AF_INET6"
	}
	rest := fmt.Sprintf(" from 0.0.0.0 (0.0.0.0) port 0 %s to %s () port 0 %s", family, r.host, family)
	if r.nodelay {
		rest += " : nodelay"
	}
	o := &text.Output{Test: r.test, Rest: rest}
	if r.test == text.RequestResponse {
		o.Rest += " : first burst 0"
		o.Result = &text.Result{
			Local: text.Sockets{Send: *mine.Send, Receive: *mine.Receive}, Remote: text.Sockets{Send: *theirs.Send, Receive: *theirs.Receive},
			Request: r.request, Response: r.response, Seconds: got.Seconds, Rate: float64(got.Transactions) / got.Seconds,
		}
		return o
	}
	u := units[r.unit]
	o.Unit = u.name
	o.Result = &text.Result{
		Local: text.Sockets{Send: *mine.Send}, Remote: text.Sockets{Receive: *theirs.Receive}, Message: message,
		Seconds: answer.Seconds, Rate: 8 * float64(answer.Received) / answer.Seconds / u.bits,
	}
	return o
}
