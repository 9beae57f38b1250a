package traffic

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/net/icmp"
	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"

	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
)

const pingUsage = `Usage: ping [-Dfnqv] [-c count] [-i wait] [-o interface] [-S source]
            [-s packetsize] [-T ttl] [-w timeout] host [packetsize [count]]
`

const (
	headerLength = 8     // of an echo
	mostData     = 65507 // bytes in an echo
)

// pingRun is one invocation.
type pingRun struct {
	call  *node.Call
	conn  *ipv4.PacketConn
	host  string
	to    netip.Addr
	count int // 0: until interrupted
	size  int // data bytes
	wait  time.Duration
	last  time.Duration // -w: how long the last answer is waited for, with -c only
	flood bool
	quiet bool
	dump  bool       // -D: each answer in hexadecimal; there is no flag against fragments
	from  netip.Addr // -S, or that of -o's interface; 0.0.0.0: the kernel's choice
	ttl   int        // 0: the kernel's

	sent, received, repeated int
	seen                     map[int]bool
	began                    time.Time
	least, most, sum         time.Duration
}

// Ping is AIX's ping: times in whole milliseconds, status 0 if anything
// answered.
func Ping(ctx context.Context, c *node.Call) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	r, err := parsePing(ctx, c)
	if err != nil {
		fmt.Fprintf(c.Stderr, "ping: %v\n%s", err, pingUsage)
		return 1
	}
	if r.to, err = resolve(ctx, r.host); err != nil {
		fmt.Fprintf(c.Stderr, "0821-062 ping: host name %s NOT FOUND\n", r.host)
		return 1
	}
	if err := r.open(ctx); err != nil {
		fmt.Fprintf(c.Stderr, "ping: %v\n", err)
		return 1
	}
	defer r.conn.Close()
	fmt.Fprintf(c.Stdout, "PING %s: (%s): %d data bytes\n", r.host, r.to, r.size)
	r.run(ctx)
	r.statistics()
	if r.received == 0 {
		return 1
	}
	return 0
}

func parsePing(ctx context.Context, c *node.Call) (*pingRun, error) {
	r := &pingRun{call: c, from: netip.IPv4Unspecified(), size: 56, wait: time.Second, last: 2 * time.Second, seen: map[int]bool{}}
	set := settings{
		"D": on(&r.dump), "f": on(&r.flood), "q": on(&r.quiet),
		"c": into(&r.count, count(1, 1<<31-1)),
		"s": into(&r.size, count(0, mostData)),
		"T": into(&r.ttl, count(1, 255)),
		"S": into(&r.from, func(v string) (netip.Addr, error) { return resolve(ctx, v) }),
		"o": into(&r.from, addressOf),
		"i": into(&r.wait, seconds(0.01, 3600)),
		"w": into(&r.last, seconds(0.1, 86400)),
	}
	var operands []string
	// Flags may come behind the host, too.
	for args := c.Argv[1:]; len(args) > 0; {
		given, err := flags.Letters("Dfnqvdrc:i:o:S:s:T:w:", args)
		if err == nil {
			err = set.follow(given.List)
		}
		if err != nil {
			return nil, err
		}
		args = given.Rest
		if len(args) > 0 {
			operands, args = append(operands, args[0]), args[1:]
		}
	}
	if len(operands) < 1 || len(operands) > 3 {
		return nil, errors.New("one host is needed")
	}
	r.host = operands[0]
	positional := []struct{ name, flag string }{{"packetsize", "s"}, {"count", "c"}}
	for i, value := range operands[1:] {
		if err := set[positional[i].flag](value); err != nil {
			return nil, fmt.Errorf("%s: %w", positional[i].name, err)
		}
	}
	return r, nil
}

// open opens a socket for the host. Packets may be fragmented, here and on the
// way: AIX's ping cannot forbid it.
func (r *pingRun) open(ctx context.Context) error {
	for _, a := range []netip.Addr{r.to, r.from} {
		if !a.Is4() {
			return fmt.Errorf("%s: this ping knows IPv4 only", a)
		}
	}
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) (err error) {
		failed := c.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 1<<20) // a burst of -f; less will do
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_DONT)
		})
		return errors.Join(failed, err)
	}}
	conn, err := config.ListenPacket(ctx, "ip4:icmp", r.from.String())
	if errors.Is(err, unix.EADDRNOTAVAIL) {
		return fmt.Errorf("source %s is not an address of this host", r.from)
	}
	if err != nil {
		return err
	}
	r.conn = ipv4.NewPacketConn(conn)
	if err = r.conn.SetControlMessage(ipv4.FlagTTL, true); err == nil && r.ttl > 0 {
		err = r.conn.SetTTL(r.ttl)
	}
	if err != nil {
		r.conn.Close()
	}
	return err
}

// addressOf is the first IPv4 address of an interface.
func addressOf(name string) (netip.Addr, error) {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("%s: no such interface", name)
	}
	all, _ := i.Addrs()
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() {
			return p.Addr(), nil
		}
	}
	return netip.Addr{}, fmt.Errorf("%s has no address", name)
}

// run sends one request a second, or with -f the next at once when the last
// was answered, and at least a hundred a second.
func (r *pingRun) run(ctx context.Context) {
	buf := make([]byte, 1<<16)
	r.began = time.Now()
	if r.flood {
		r.wait = 10 * time.Millisecond
	}
	for next := r.began; ctx.Err() == nil; {
		finished := r.count > 0 && r.sent == r.count
		if finished && (r.received >= r.sent || time.Now().After(next)) {
			return
		}
		if !finished && !time.Now().Before(next) {
			r.request()
			next = time.Now().Add(r.wait)
			if r.sent == r.count {
				next = time.Now().Add(r.last)
			}
		}
		// Short waits, so that an interruption is seen.
		until := min(time.Until(next), 100*time.Millisecond)
		replied := r.reply(buf, time.Now().Add(until))
		if replied && r.flood && r.sent != r.count {
			next = time.Now()
		}
	}
}

func (r *pingRun) request() {
	data := make([]byte, r.size)
	for i := range data {
		data[i] = byte(i)
	}
	if r.size >= 8 {
		binary.BigEndian.PutUint64(data, uint64(time.Since(r.began)))
	}
	seq := r.sent & 0xffff
	delete(r.seen, seq)
	r.sent++
	m := icmp.Message{Type: ipv4.ICMPTypeEcho, Body: &icmp.Echo{ID: os.Getpid() & 0xffff, Seq: seq, Data: data}}
	b, err := m.Marshal(nil)
	if err == nil {
		_, err = r.conn.WriteTo(b, nil, &net.IPAddr{IP: r.to.AsSlice()})
	}
	if err != nil {
		text := err.Error()
		if errors.Is(err, unix.EMSGSIZE) {
			text = "Message too long"
		}
		fmt.Fprintf(r.call.Stderr, "0821-069 ping: sendto: %s\n", text)
		fmt.Fprintf(r.call.Stdout, "ping: wrote %s %d chars, ret=-1\n", r.host, r.size+headerLength)
	}
}

// reply handles one message, if one comes in time; true if it answers a
// request of this run.
func (r *pingRun) reply(buf []byte, until time.Time) bool {
	_ = r.conn.SetReadDeadline(until)
	length, control, from, err := r.conn.ReadFrom(buf)
	if err != nil {
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			fmt.Fprintf(r.call.Stderr, "ping: recvfrom: %v\n", err)
		}
		return false
	}
	m, err := icmp.ParseMessage(unix.IPPROTO_ICMP, buf[:length])
	if err != nil {
		return false
	}
	e, ok := m.Body.(*icmp.Echo)
	if !ok || m.Type != ipv4.ICMPTypeEchoReply {
		r.trouble(m, from, length)
		return false
	}
	if e.ID != os.Getpid()&0xffff || from.String() != r.to.String() && !r.to.IsMulticast() {
		return false
	}
	dup := ""
	if r.seen[e.Seq] {
		dup = " (DUP!)"
		r.repeated++
	} else {
		r.seen[e.Seq] = true
		r.received++
	}
	timed := ""
	if len(e.Data) >= 8 {
		rtt := max(time.Since(r.began)-time.Duration(binary.BigEndian.Uint64(e.Data)), 0)
		if r.received == 1 || rtt < r.least {
			r.least = rtt
		}
		r.most = max(r.most, rtt)
		r.sum += rtt
		timed = fmt.Sprintf(" time=%d ms", rtt.Milliseconds())
	}
	if !r.quiet && !r.flood {
		ttl := 0
		if control != nil {
			ttl = control.TTL
		}
		fmt.Fprintf(r.call.Stdout, "%d bytes from %s: icmp_seq=%d ttl=%d%s%s\n", length, from, e.Seq, ttl, timed, dup)
	}
	if r.dump {
		fmt.Fprint(r.call.Stdout, hex.Dump(e.Data))
	}
	return true
}

// trouble prints what a router or the host itself says of one of our requests.
func (r *pingRun) trouble(m *icmp.Message, from net.Addr, length int) {
	var packet []byte
	var what string
	switch body := m.Body.(type) {
	case *icmp.TimeExceeded:
		packet, what = body.Data, "Time to live exceeded"
	case *icmp.DstUnreach:
		names := map[int]string{0: "Destination Net Unreachable", 1: "Destination Host Unreachable"}
		packet, what = body.Data, cmp.Or(names[m.Code], fmt.Sprintf("Destination Unreachable, Code: %d", m.Code))
	default:
		return
	}
	h, err := icmp.ParseIPv4Header(packet)
	if err != nil || len(packet) < h.Len {
		return
	}
	inner, err := icmp.ParseMessage(unix.IPPROTO_ICMP, packet[h.Len:])
	if err != nil || inner.Type != ipv4.ICMPTypeEcho || inner.Body.(*icmp.Echo).ID != os.Getpid()&0xffff {
		return
	}
	fmt.Fprintf(r.call.Stdout, "%d bytes from %s: %s\n", length, from, what)
}

func (r *pingRun) statistics() {
	w := r.call.Stdout
	fmt.Fprintf(w, "\n--- %s ping statistics ---\n%d packets transmitted, %d packets received, ", r.host, r.sent, r.received)
	if r.repeated > 0 {
		fmt.Fprintf(w, "+%d duplicates, ", r.repeated)
	}
	fmt.Fprintf(w, "%d%% packet loss\n", 100*(r.sent-r.received)/max(r.sent, 1))
	n := r.received + r.repeated
	if r.received > 0 && r.size >= headerLength {
		fmt.Fprintf(w, "round-trip min/avg/max = %d/%d/%d ms\n", r.least.Milliseconds(),
			(r.sum / time.Duration(n)).Milliseconds(), r.most.Milliseconds())
	}
}
