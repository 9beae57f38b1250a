package load

import (
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"seaworthy/internal/measure/probe/sock"
)

// readSize is the receiver's buffer: large enough that calls do not matter,
// small enough to stay in a core's cache next to the data copied into it.
const readSize = 256 << 10

// Latency range and precision of a session's histogram.
const (
	latencyMax = int64(60 * time.Second)
	fineDigits = 3 // 220 KB a session
	manyDigits = 2 // 30 KB a session
	many       = 100
)

func (s *Spec) latencyDigits() int {
	if s.Connections > many {
		return manyDigits
	}
	return fineDigits
}

var errClosed = errors.New("the peer closed the connection")

// worker runs one connection. The counters are on cache lines of their own,
// since every worker writes its own at the full rate.
type worker struct {
	_            [64]byte
	received     atomic.Uint64
	sent         atomic.Uint64
	transactions atomic.Uint64
	_            [64]byte

	load      *Load
	conn      *sock.Conn
	latencies *hdr.Histogram // asking end of rr only
	pace      *pace          // nil: the next request follows the answer
	owed      int64          // requests never answered; written when the loop ends
	final     sock.State     // written when the loop ends, under load.mu
	closed    bool           // likewise
}

func newWorker(l *Load, c *sock.Conn, p *pace) *worker {
	w := &worker{load: l, conn: c}
	if l.spec.Kind == RequestResponse && l.spec.Send {
		w.latencies, w.pace = hdr.New(1, latencyMax, l.spec.latencyDigits()), p
	}
	return w
}

func (w *worker) run() error {
	switch s := &w.load.spec; {
	case s.Kind == Stream && s.Send:
		return w.source(make([]byte, s.Write))
	case s.Kind == Stream:
		return w.sink(make([]byte, readSize))
	case s.Send && w.pace != nil:
		return w.askAtRate(make([]byte, s.Request), make([]byte, s.Response))
	case s.Send:
		return w.ask(make([]byte, s.Request), make([]byte, s.Response))
	default:
		return w.answer(make([]byte, s.Request), make([]byte, s.Response))
	}
}

func (w *worker) close() {
	w.load.mu.Lock() // the reports read the socket's state
	defer w.load.mu.Unlock()
	w.final = w.conn.State()
	w.closed = true
	w.conn.Close()
}

func (w *worker) source(p []byte) error {
	// A constant block would be compressed by a line that compresses.
	fill(p)
	for !w.load.stop.Load() {
		n, errno := w.conn.Write(p)
		if errno == 0 {
			w.sent.Add(uint64(n))
		} else if !retry(errno) {
			return errno
		}
	}
	return nil
}

func (w *worker) sink(p []byte) error {
	for !w.load.stop.Load() {
		n, errno := w.conn.Read(p)
		switch {
		case errno == 0 && n == 0:
			return errClosed
		case errno == 0:
			w.received.Add(uint64(n))
		case !retry(errno):
			return errno
		}
	}
	return nil
}

// ask sends requests and waits for each response. A transaction counts, and
// its latency is kept, only when its response is complete.
func (w *worker) ask(request, response []byte) error {
	fill(request)
	began := time.Now()
	for !w.load.stop.Load() {
		phase := w.load.phase.Load()
		if err := w.send(request); err != nil {
			return err
		}
		if err := w.receive(response); err != nil {
			return err
		}
		if w.load.stop.Load() {
			return nil // may have been cut short
		}
		w.count(request, response)
		now := time.Now()
		if phase == measuring && w.load.phase.Load() == measuring {
			record(w.latencies, now.Sub(began))
		}
		began = now
	}
	return nil
}

// askAtRate sends requests when they are due. A latency counts from there, and is kept
// of every request that was due in the measured interval.
func (w *worker) askAtRate(request, response []byte) error {
	fill(request)
	punctual()
	for {
		due, running := w.pace.wait(&w.load.stop)
		if running {
			if err := w.send(request); err != nil {
				return err
			}
			if err := w.receive(response); err != nil {
				return err
			}
		}
		if w.load.stop.Load() {
			w.owed = w.pace.owed(w.load, due, w.latencies)
			return nil
		}
		w.count(request, response)
		if w.load.inInterval(due) {
			record(w.latencies, time.Since(due))
		}
	}
}

// count counts a transaction.
func (w *worker) count(sent, received []byte) {
	w.sent.Add(uint64(len(sent)))
	w.received.Add(uint64(len(received)))
	w.transactions.Add(1)
}

func (w *worker) answer(request, response []byte) error {
	fill(response)
	for !w.load.stop.Load() {
		if err := w.receive(request); err != nil {
			return err
		}
		if err := w.send(response); err != nil {
			return err
		}
		if w.load.stop.Load() {
			return nil
		}
		w.count(response, request)
	}
	return nil
}

func (w *worker) send(p []byte) error    { return write(w.conn, p, w.stopped) }
func (w *worker) receive(p []byte) error { return read(w.conn, p, w.stopped) }

func (w *worker) stopped() (bool, error) { return w.load.stop.Load(), nil }

// write writes all of p, or less once it is over, which it asks whenever it has waited.
func write(c *sock.Conn, p []byte, over func() (bool, error)) error {
	for len(p) > 0 {
		n, errno := c.Write(p)
		if errno == 0 {
			p = p[n:]
		} else if !retry(errno) {
			return errno
		} else if end, err := over(); end {
			return err
		}
	}
	return nil
}

// read reads all of p, or less once it is over; the peer may then have gone first.
func read(c *sock.Conn, p []byte, over func() (bool, error)) error {
	for len(p) > 0 {
		n, errno := c.Read(p)
		switch {
		case errno == 0 && n == 0:
			return errClosed
		case errno == 0:
			p = p[n:]
		case errno != unix.ECONNRESET && !retry(errno):
			return errno
		default:
			if end, err := over(); end {
				return err
			}
			if errno == unix.ECONNRESET {
				return errno
			}
		}
	}
	return nil
}

// fill makes the payload vary, the same on every run.
func fill(p []byte) {
	x := uint64(0x9e3779b97f4a7c15)
	for i := range p {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		p[i] = byte(x)
	}
}

func retry(e unix.Errno) bool { return e == unix.EAGAIN || e == unix.EINTR || e == unix.EWOULDBLOCK }
