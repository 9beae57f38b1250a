package traffic

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/lab/node"
)

const pingUsage = `Usage: ping [-Dfnqv] [-c count] [-i wait] [-o interface] [-S source]
            [-s packetsize] [-T ttl] [-w timeout] host [packetsize [count]]
`

// lastWait is how long the last answer is waited for.
const lastWait = 2 * time.Second

// pingRun is one invocation.
type pingRun struct {
	call  *node.Call
	host  string
	to    netip.Addr
	count int // 0: until interrupted
	size  int // data bytes
	wait  time.Duration
	limit time.Duration // -w: of the whole run; 0: none
	last  time.Duration // how long the last answer is waited for
	flood bool
	quiet bool
	dump  bool       // -D: each answer in hexadecimal; there is no flag against fragments
	from  netip.Addr // -S, or that of -o's interface; zero: the kernel's choice
	ttl   int        // 0: the kernel's

	sent, received, repeated int
	seen                     map[uint16]bool
	least, most, sum         time.Duration
}

// ping is AIX's ping: times in whole milliseconds, status 0 if anything
// answered.
func ping(ctx context.Context, c *node.Call) int {
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
	s, err := openICMP(r.to)
	if err != nil {
		fmt.Fprintf(c.Stderr, "ping: %v\n", err)
		return 1
	}
	defer s.close()
	if err := s.leave(r.from, r.ttl); err != nil {
		fmt.Fprintf(c.Stderr, "ping: %v\n", err)
		return 1
	}
	if r.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.limit)
		defer cancel()
	}
	fmt.Fprintf(c.Stdout, "PING %s: (%s): %d data bytes\n", r.host, r.to, r.size)
	r.run(ctx, s)
	r.statistics()
	if r.received == 0 {
		return 1
	}
	return 0
}

func parsePing(ctx context.Context, c *node.Call) (*pingRun, error) {
	r := &pingRun{call: c, size: 56, wait: time.Second, last: lastWait, seen: map[uint16]bool{}}
	options, operands, err := getopt(c.Argv[1:], "Dfnqvdrc:i:o:S:s:T:w:", true)
	if err != nil {
		return nil, err
	}
	var v float64
	for _, o := range options {
		switch o.letter {
		case 'D':
			r.dump = true
		case 'f':
			r.flood = true
		case 'q':
			r.quiet = true
		case 'c':
			r.count, err = count(o.value, 1, 1<<31-1)
		case 's':
			r.size, err = count(o.value, 0, 65507)
		case 'T':
			r.ttl, err = count(o.value, 1, 255)
		case 'S':
			r.from, err = resolve(ctx, o.value)
		case 'o':
			r.from, err = addressOf(o.value)
		case 'i':
			v, err = seconds(o.value, 0.01, 3600)
			r.wait = time.Duration(v * float64(time.Second))
		case 'w':
			v, err = seconds(o.value, 0.1, 86400)
			r.limit = time.Duration(v * float64(time.Second))
		}
		if err != nil {
			return nil, fmt.Errorf("-%c: %w", o.letter, err)
		}
	}
	if len(operands) < 1 || len(operands) > 3 {
		return nil, errors.New("one host is needed")
	}
	r.host = operands[0]
	if len(operands) > 1 {
		if r.size, err = count(operands[1], 0, 65507); err != nil {
			return nil, fmt.Errorf("packetsize: %w", err)
		}
	}
	if len(operands) > 2 {
		if r.count, err = count(operands[2], 1, 1<<31-1); err != nil {
			return nil, fmt.Errorf("count: %w", err)
		}
	}
	return r, nil
}

// run sends one request a second, or with -f the next at once when the last
// was answered, and at least a hundred a second.
func (r *pingRun) run(ctx context.Context, s *icmpSocket) {
	buf := make([]byte, 1<<16)
	began := time.Now()
	wait := r.wait
	if r.flood {
		wait = 10 * time.Millisecond
	}
	next := began
	for ctx.Err() == nil {
		now := time.Now()
		finished := r.count > 0 && r.sent == r.count
		switch {
		case finished && (r.received >= r.sent || now.After(next.Add(r.last-wait))):
			return
		case !finished && !now.Before(next):
			r.request(s, began)
			next = time.Now().Add(wait)
		}
		until := time.Until(next)
		if finished {
			until = time.Until(next.Add(r.last - wait))
		}
		// Short waits, so that an interruption is seen.
		ms := int(min(until, 100*time.Millisecond)/time.Millisecond) + 1
		if until <= 0 {
			ms = 0
		}
		got := r.reply(s, buf, ms, began)
		if got && r.flood {
			next = time.Now()
		}
	}
}

func (r *pingRun) request(s *icmpSocket, began time.Time) {
	e := &echo{kind: icmpEcho, seq: uint16(r.sent), data: make([]byte, r.size)}
	for i := range e.data {
		e.data[i] = byte(i)
	}
	if r.size >= 8 {
		binary.BigEndian.PutUint64(e.data, uint64(time.Since(began)))
	}
	delete(r.seen, e.seq)
	r.sent++
	if err := s.send(r.to, e); err != nil {
		var errno unix.Errno
		text := err.Error()
		if errors.As(err, &errno) && errno == unix.EMSGSIZE {
			text = "Message too long"
		}
		fmt.Fprintf(r.call.Stderr, "0821-069 ping: sendto: %s\n", text)
		fmt.Fprintf(r.call.Stdout, "ping: wrote %s %d chars, ret=-1\n", r.host, r.size+headerLength)
	}
}

// reply handles one message, if one comes in time; true if it answers a
// request of this run.
func (r *pingRun) reply(s *icmpSocket, buf []byte, ms int, began time.Time) bool {
	e, from, ttl, length, err := s.receive(buf, ms)
	if err != nil {
		fmt.Fprintf(r.call.Stderr, "ping: recvfrom: %v\n", err)
		return false
	}
	if e == nil {
		return false
	}
	if e.kind != icmpEchoReply {
		r.trouble(e, from, length, s.id)
		return false
	}
	if from != r.to && !r.to.IsMulticast() {
		return false
	}
	dup := ""
	if r.seen[e.seq] {
		dup = " (DUP!)"
		r.repeated++
	} else {
		r.seen[e.seq] = true
		r.received++
	}
	timed := ""
	if len(e.data) >= 8 {
		rtt := max(time.Since(began)-time.Duration(binary.BigEndian.Uint64(e.data)), 0)
		if r.received == 1 || rtt < r.least {
			r.least = rtt
		}
		r.most = max(r.most, rtt)
		r.sum += rtt
		timed = fmt.Sprintf(" time=%d ms", rtt.Milliseconds())
	}
	if !r.quiet && !r.flood {
		fmt.Fprintf(r.call.Stdout, "%d bytes from %s: icmp_seq=%d ttl=%d%s%s\n", length, from, e.seq, ttl, timed, dup)
	}
	if r.dump {
		fmt.Fprint(r.call.Stdout, hex.Dump(e.data))
	}
	return true
}

// trouble prints what a router or the host itself says of one of our requests.
func (r *pingRun) trouble(e *echo, from netip.Addr, length int, id uint16) {
	if e.kind != icmpUnreachable && e.kind != icmpExceeded {
		return
	}
	inner, _, ok := stripIP(e.data)
	if !ok {
		return
	}
	if ours, ok := parseEcho(inner); !ok || ours.kind != icmpEcho || ours.id != id {
		return
	}
	what := "Time to live exceeded"
	if e.kind == icmpUnreachable {
		what = map[byte]string{0: "Destination Net Unreachable", 1: "Destination Host Unreachable",
			4: fmt.Sprintf("frag needed and DF set (MTU %d)", e.seq)}[e.code]
		if what == "" {
			what = fmt.Sprintf("Destination Unreachable, Code: %d", e.code)
		}
	}
	fmt.Fprintf(r.call.Stdout, "%d bytes from %s: %s\n", length, from, what)
}

func (r *pingRun) statistics() {
	w := r.call.Stdout
	fmt.Fprintf(w, "\n--- %s ping statistics ---\n%d packets transmitted, %d packets received, ", r.host, r.sent, r.received)
	if r.repeated > 0 {
		fmt.Fprintf(w, "+%d duplicates, ", r.repeated)
	}
	loss := 0
	if r.sent > 0 {
		loss = 100 * (r.sent - r.received) / r.sent
	}
	fmt.Fprintf(w, "%d%% packet loss\n", loss)
	if n := r.received + r.repeated; r.received > 0 && r.size >= 8 {
		fmt.Fprintf(w, "round-trip min/avg/max = %d/%d/%d ms\n", r.least.Milliseconds(),
			(r.sum / time.Duration(n)).Milliseconds(), r.most.Milliseconds())
	}
}
