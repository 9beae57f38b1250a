package traffic

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/dialect/load/iperf2"
	"seaworthy/probe/sock"
)

// connectWait is how long a connect may take.
const connectWait = 10 * time.Second

// iperfFlow is one connection of an iperf client or server.
type iperfFlow struct {
	id    int
	conn  *sock.Conn
	bytes atomic.Uint64
	start time.Time
	took  time.Duration // set at the end
	err   error
}

// send is iperf -c.
func (r *iperfRun) send(ctx context.Context) error {
	ip, err := resolve(ctx, r.host)
	if err != nil {
		return fmt.Errorf("%s: Unknown host", r.host)
	}
	buffers, err := sock.Defaults(r.options(), ip.Is6())
	if err != nil {
		return err
	}
	r.settings(iperf2.Client(r.host, r.port), buffers.Send)
	flows, err := r.connect(ctx, netip.AddrPortFrom(ip, uint16(r.port)))
	if err != nil {
		return fmt.Errorf("connect failed: %w", err)
	}
	room(len(flows))
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var senders sync.WaitGroup
	begin := time.Now()
	for _, f := range flows {
		f.start = begin
		senders.Go(func() { f.send(&stop, r.length, r.bytes) })
	}
	ended := make(chan struct{})
	go func() { senders.Wait(); close(ended) }()
	if r.bytes == 0 {
		t := time.AfterFunc(time.Duration(r.seconds*float64(time.Second)), func() { stop.Store(true) })
		defer t.Stop()
	}
	r.watch(flows, begin, ended)
	return r.total(flows)
}

func (r *iperfRun) connect(ctx context.Context, to netip.AddrPort) (flows []*iperfFlow, err error) {
	ctx, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	defer func() {
		if err != nil {
			for _, f := range flows {
				f.conn.Close()
			}
		}
	}()
	for n := range r.parallel {
		c, err := sock.Connect(ctx, to, r.options())
		if err != nil {
			return flows, err
		}
		f := &iperfFlow{id: 3 + n, conn: c} // iperf 2 numbers by file descriptor
		flows = append(flows, f)
		l, err := connectionLine(f.id, c)
		if err != nil {
			return flows, err
		}
		r.print(l)
	}
	return flows, nil
}

// send writes until stopped, or a number of bytes. The payload is zeros in the
// place of iperf's test header: no options, no answer wanted; then digits.
func (f *iperfFlow) send(stop *atomic.Bool, length, bytes int) {
	p := make([]byte, length)
	for i := min(128, length); i < length; i++ {
		p[i] = byte('0' + i%10)
	}
	left := bytes
	for !stop.Load() && (bytes == 0 || left > 0) {
		part := p
		if bytes > 0 {
			part = p[:min(left, length)]
		}
		n, errno := f.conn.Write(part)
		if errno == 0 {
			f.bytes.Add(uint64(n))
			left -= n
		} else if !again(errno) {
			f.err = fmt.Errorf("write failed: %w", errno)
			break
		}
	}
	f.took = time.Since(f.start)
	f.conn.CloseWrite()
	// Wait for the peer's end, so that the data is through before the next run.
	var rest [512]byte
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); {
		n, errno := f.conn.Read(rest[:])
		if errno == 0 && n == 0 || errno != 0 && !again(errno) {
			break
		}
	}
	f.conn.Close()
}

// watch prints the periodic reports until the flows have ended.
func (r *iperfRun) watch(flows []*iperfFlow, begin time.Time, ended <-chan struct{}) {
	if r.interval == 0 {
		<-ended
		return
	}
	step := time.Duration(r.interval * float64(time.Second))
	t := time.NewTicker(step)
	defer t.Stop()
	last := make([]uint64, len(flows))
	for n := 1; ; n++ {
		select {
		case <-ended:
			return
		case <-t.C:
		}
		if !r.server && r.bytes == 0 && time.Since(begin).Seconds() > r.seconds+r.interval/2 {
			continue // only the closing is left
		}
		var lines []string
		var sum uint64
		from, to := time.Duration(n-1)*step, time.Duration(n)*step
		for i, f := range flows {
			now := f.bytes.Load()
			lines = append(lines, r.line(f.id, false, from, to, now-last[i]))
			sum += now - last[i]
			last[i] = now
		}
		if len(flows) > 1 {
			lines = append(lines, r.line(0, true, from, to, sum))
		}
		r.intervals(lines...)
	}
}

// total prints the whole run and gives the first flow's failure.
func (r *iperfRun) total(flows []*iperfFlow) error {
	var lines []string
	var sum uint64
	var longest time.Duration
	var failed error
	for _, f := range flows {
		lines = append(lines, r.line(f.id, false, 0, f.took, f.bytes.Load()))
		sum += f.bytes.Load()
		longest = max(longest, f.took)
		if failed == nil {
			failed = f.err
		}
	}
	if len(flows) > 1 {
		lines = append(lines, r.line(0, true, 0, longest, sum))
	}
	r.intervals(lines...)
	return failed
}

// receive reads until the peer's end.
func (f *iperfFlow) receive(stop *atomic.Bool) {
	p := make([]byte, 256<<10)
	for !stop.Load() {
		n, errno := f.conn.Read(p)
		if errno == 0 && n == 0 {
			break
		}
		if errno == 0 {
			f.bytes.Add(uint64(n))
		} else if errno == unix.ECONNRESET {
			break // iperf 2.1 clients end so when their server is slow to close
		} else if !again(errno) {
			f.err = fmt.Errorf("read failed: %w", errno)
			break
		}
	}
	f.took = time.Since(f.start)
	f.conn.Close()
}
