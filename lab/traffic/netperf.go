package traffic

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"seaworthy/internal/measure/probe"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/sock"
	text "seaworthy/internal/parse/load/netperf"
	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/printing"
)

// netperfRun is one invocation.
type netperfRun struct {
	host              string
	port              int
	lasts             time.Duration
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

func Netperf(ctx context.Context, c *node.Call) int {
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
		_, err = c.Stdout.Write(printing.FormatNetperf(o, r.quiet))
	}
	if err != nil {
		fmt.Fprintln(c.Stderr, "netperf:", err)
		return 1
	}
	return 0
}

// parseNetperf reads the global options and, behind --, the test's own.
func parseNetperf(args []string) (*netperfRun, error) {
	r := &netperfRun{host: "localhost", port: netperfPort, lasts: 10 * time.Second, test: text.Stream, unit: 'm', request: 1, response: 1}
	given, err := flags.Letters("H:p:l:t:f:v:P:cC46dD:B:", args)
	if err != nil {
		return nil, err
	}
	unmeasured := func(string) error { return errors.New("CPU is not measured here: see lparstat") }
	err = settings{
		"H": func(v string) error { r.host = v; return nil },
		"p": into(&r.port, port),
		"l": into(&r.lasts, seconds(0.1, 86400)),
		"t": func(v string) error {
			tests := map[string]text.Test{"TCP_STREAM": text.Stream, "TCP_RR": text.RequestResponse}
			test, ok := tests[v]
			if !ok {
				return fmt.Errorf("%q is none of TCP_STREAM and TCP_RR", v)
			}
			r.test = test
			return nil
		},
		"f": func(v string) error {
			if len(v) != 1 || units[v[0]].name == "" {
				return fmt.Errorf("%q is none of k m g K M G", v)
			}
			r.unit = v[0]
			return nil
		},
		"v": into(new(int), count(0, 1<<20)), // of the text only, whatever -v10 is taken for
		"P": func(v string) error {
			n, err := count(0, 1)(v)
			r.quiet = n == 0
			return err
		},
		"c": unmeasured, "C": unmeasured,
	}.follow(given.List)
	if err == nil {
		given, err = flags.Letters("r:s:S:m:M:DP:", given.Rest)
	}
	if err == nil && len(given.Rest) > 0 {
		err = fmt.Errorf("unexpected %q", given.Rest[0])
	}
	if err != nil {
		return nil, err
	}
	return r, settings{
		"r": pair(&r.request, &r.response, load.MaxMessage),
		"s": pair(&r.local, new(int), load.MaxWindow),
		"S": pair(&r.remote, new(int), load.MaxWindow),
		"m": pair(&r.message, new(int), load.MaxMessage),
		"D": on(&r.nodelay),
	}.follow(given.List)
}

func (r *netperfRun) run(ctx context.Context) (*text.Output, error) {
	ip, err := resolve(ctx, r.host)
	if err != nil {
		return nil, err
	}
	soon, cancel := context.WithTimeout(ctx, orderWait)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(soon, "tcp", net.JoinHostPort(ip.String(), strconv.Itoa(r.port)))
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
		Send: true, Limit: min(r.lasts.Seconds()+60, load.MaxSeconds), Token: hex.EncodeToString(token[:]),
	}
	if r.test == text.RequestResponse {
		spec.Kind = load.RequestResponse
	}
	mine, err := beforeConnect(ctx, r.local, ip.Is6())
	if err != nil {
		return nil, err
	}
	// netperf's message is one send buffer unless -m says otherwise.
	spec.Write = cmp.Or(r.message, min(*mine.Send, load.MaxMessage))
	if err := json.NewEncoder(conn).Encode(order{netperfVersion, r.remote, spec.Limit}); err != nil {
		return nil, fmt.Errorf("control connection: %w", err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(r.lasts + 2*orderWait))
	in := bufio.NewReader(conn)
	var theirs sockets
	if err := receive(in, &theirs); err != nil {
		return nil, err
	}
	if theirs.Error != "" || theirs.Buffers.Send == nil || theirs.Buffers.Receive == nil {
		return nil, fmt.Errorf("netserver: %s", theirs.Error)
	}
	server, err := probe.NewClient(soon, conn, in)
	if err != nil {
		return nil, fmt.Errorf("netserver: %w", err)
	}
	got, answer, err := r.measure(ctx, server, spec, ip)
	if err != nil {
		return nil, err
	}
	return r.output(got, answer, mine, theirs.Buffers, spec.Write, ip), nil
}

// measure lets the load run its time and collects both ends' accounts.
func (r *netperfRun) measure(ctx context.Context, server *probe.Client, spec load.Spec,
	ip netip.Addr) (got, answer *load.Interval, err error) {
	theirs := spec
	theirs.Window, theirs.Send = r.remote, false
	soon, cancel := context.WithTimeout(ctx, orderWait)
	defer cancel()
	at, err := server.Listen(soon, 0, theirs, ip.String(), 0)
	if err != nil {
		return nil, nil, err
	}
	l, err := load.Connect(soon, spec, netip.AddrPortFrom(ip, uint16(at)))
	if err != nil {
		return nil, nil, err
	}
	defer l.Stop()
	if err := cmp.Or(server.Begin(ctx, r.lasts.Seconds(), false), l.Begin(r.lasts)); err != nil {
		return nil, nil, err
	}
	select {
	case <-time.After(r.lasts):
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	if got, err = l.End(); err != nil {
		return nil, nil, err
	}
	report, err := server.End(ctx)
	if err != nil {
		return nil, nil, err
	}
	answer = report.Loads[0]
	if answer == nil || !(answer.Seconds > 0) {
		return nil, nil, errors.New("netserver: no account of the load")
	}
	return got, answer, nil
}

func (r *netperfRun) output(got *load.Interval, answer *load.Interval, mine, theirs sock.Buffers, message int, ip netip.Addr) *text.Output {
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
