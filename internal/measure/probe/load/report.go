package load

import (
	"errors"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"seaworthy/internal/measure/probe/sock"
)

// Interval holds what this end saw between begin and end.
type Interval struct {
	Seconds      float64  `json:"seconds"`
	Sent         uint64   `json:"sent_bytes"`     // handed to the kernel
	Received     uint64   `json:"received_bytes"` // read by this end
	Transactions uint64   `json:"transactions"`   // rr: complete ones
	Retransmits  *uint64  `json:"retransmits,omitempty"`
	Connections  []uint64 `json:"connection_bytes"`  // sent or received by each, whichever end this is; rr: transactions
	Samples      *Samples `json:"samples,omitempty"` // of the same, over time
}

// Summary holds what is known once the load has ended.
type Summary struct {
	Sockets []sock.State `json:"sockets"`
	Latency *Latency     `json:"latency,omitempty"` // asking end of rr
}

// Latency is the distribution of the measured transactions' times.
type Latency struct {
	Count  int64   `json:"count"`
	Owed   int64   `json:"unanswered,omitempty"` // of Count: at a rate, not answered when the load ended; their time until then
	Mean   float64 `json:"mean_us"`
	P50    float64 `json:"p50_us"`
	P90    float64 `json:"p90_us"`
	P99    float64 `json:"p99_us"`
	P999   float64 `json:"p999_us"`
	Max    float64 `json:"max_us"`
	HdrV2  string  `json:"hdr,omitempty"` // whole histogram, nanoseconds, HdrHistogram V2 compressed, base64
	Digits int     `json:"digits,omitempty"`
}

// mark is a reading of all counters, from the load's start on.
type mark struct {
	Interval
	at time.Time
}

// read takes a mark; the caller holds l.mu.
func (l *Load) read() *mark {
	m := &mark{at: time.Now()}
	for _, w := range l.workers {
		sent, received, transactions := w.sent.Load(), w.received.Load(), w.transactions.Load()
		m.Sent += sent
		m.Received += received
		m.Transactions += transactions
		m.Connections = append(m.Connections, l.spec.counted(sent, received, transactions))
	}
	return m
}

// counter gives what each connection counts, of all; the caller holds l.mu.
func (l *Load) counter() func() uint64 {
	workers, spec := l.workers, &l.spec
	return func() (sum uint64) {
		for _, w := range workers {
			sum += spec.counted(w.sent.Load(), w.received.Load(), w.transactions.Load())
		}
		return sum
	}
}

// counted is the one of a connection's counts that the load is about.
func (s *Spec) counted(sent, received, transactions uint64) uint64 {
	switch {
	case s.Kind == RequestResponse:
		return transactions
	case s.Send:
		return sent
	}
	return received
}

// retransmitted sums over the connections; nil if any does not report them.
func (l *Load) retransmitted() *uint64 {
	var sum uint64
	for _, w := range l.workers {
		if w.closed {
			return nil
		}
		n := w.conn.State().Info.Retransmits
		if n == nil {
			return nil
		}
		sum += *n
	}
	return &sum
}

// Begin starts the measured interval, which should take so long.
func (l *Load) Begin(expected time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.failure != nil:
		return l.failure
	case len(l.workers) == 0:
		return errors.New("begin before the connections are made")
	case l.begin != nil:
		return errors.New("begin twice")
	}
	resent := l.retransmitted()
	l.phase.Store(measuring)
	l.begin = l.read()
	l.from.Store(&l.begin.at)
	l.begin.Retransmits = resent
	l.sampler = sample(expected, l.counter())
	return nil
}

// End ends the measured interval; the load runs on until Stop.
func (l *Load) End() (*Interval, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.begin == nil || l.sampler == nil {
		return nil, errors.New("end without begin")
	}
	if l.failure == nil && l.stop.Load() {
		l.failure = errors.New("the load's time limit passed before the interval's end")
	}
	if l.failure != nil {
		return nil, l.failure
	}
	samples := l.sampler.end()
	l.sampler = nil
	end := l.read()
	l.phase.Store(measured)
	l.to.Store(&end.at)
	end.Retransmits = l.retransmitted()
	i := end.since(l.begin)
	i.Samples = samples
	return i, nil
}

// SoFar is the measured interval until now; it goes on.
func (l *Load) SoFar() (*Interval, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.begin == nil || l.sampler == nil {
		return nil, errors.New("no interval is open")
	}
	if l.failure != nil {
		return nil, l.failure
	}
	now := l.read()
	now.Retransmits = l.retransmitted()
	return now.since(l.begin), nil
}

func (end *mark) since(begin *mark) *Interval {
	i := &Interval{
		Seconds: end.at.Sub(begin.at).Seconds(), Sent: end.Sent - begin.Sent, Received: end.Received - begin.Received,
		Transactions: end.Transactions - begin.Transactions,
	}
	for n := range end.Connections {
		i.Connections = append(i.Connections, end.Connections[n]-begin.Connections[n])
	}
	if begin.Retransmits != nil && end.Retransmits != nil {
		i.Retransmits = new(*end.Retransmits - *begin.Retransmits)
	}
	return i
}

// summary is called when all loops have ended; the caller holds l.mu.
func (l *Load) summary() *Summary {
	s := &Summary{}
	all := hdr.New(1, latencyMax, l.spec.latencyDigits())
	owed := int64(0)
	for _, w := range l.workers {
		owed += w.owed
		s.Sockets = append(s.Sockets, w.final)
		if w.latencies != nil {
			all.Merge(w.latencies)
		}
	}
	if all.TotalCount() == 0 {
		return s
	}
	us := func(q float64) float64 { return float64(all.ValueAtQuantile(q)) / 1e3 }
	s.Latency = &Latency{
		Count: all.TotalCount(), Owed: owed, Mean: all.Mean() / 1e3, Max: float64(all.Max()) / 1e3,
		P50: us(50), P90: us(90), P99: us(99), P999: us(99.9), Digits: l.spec.latencyDigits(),
	}
	if text, err := all.Encode(hdr.V2CompressedEncodingCookieBase); err == nil {
		s.Latency.HdrV2 = string(text)
	}
	return s
}
