package watch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"seaworthy/internal/app/rehearsed"
)

// Interval is the time between two datagrams of one direction.
const Interval = rehearsed.Interval

// MaxPairs bounds a watch: each pair costs 400 datagrams a second.
const MaxPairs = 32

// What a watch is asked for and what it saw, as the result of a rehearsal keeps it.
type (
	Place  = rehearsed.Place
	Pair   = rehearsed.Pair
	Gap    = rehearsed.Gap
	Stream = rehearsed.Stream
	Seen   = rehearsed.Seen
	Result = rehearsed.Watched
)

// Namespaces runs a function on a thread that is in a node's network namespace.
type Namespaces interface {
	Run(namespace string, f func() error) error
}

// Watch is a running one.
type Watch struct {
	started time.Time
	cancel  context.CancelFunc
	running sync.WaitGroup
	pairs   []*watched
}

// watched is one pair.
type watched struct {
	Pair
	flows  [2]*flow // A to B, B to A
	stream *stream
}

// Start begins to watch pairs, until Stop or the end of ctx. Nothing arrives at an address that its
// node does not have.
func Start(ctx context.Context, n Namespaces, pairs []Pair) (*Watch, error) {
	if len(pairs) == 0 {
		return nil, errors.New("watch: no pair of addresses to watch")
	}
	if len(pairs) > MaxPairs {
		return nil, fmt.Errorf("watch: %d pairs, at most %d can be watched at a time", len(pairs), MaxPairs)
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &Watch{cancel: cancel}
	for _, p := range pairs {
		one, err := open(n, p)
		if err != nil {
			w.close()
			return nil, err
		}
		w.pairs = append(w.pairs, one)
	}
	w.started = time.Now()
	for _, p := range w.pairs {
		for _, f := range p.flows {
			w.running.Go(func() { f.send(ctx) })
			w.running.Go(f.receive)
		}
		w.running.Go(func() { p.stream.serve(ctx) })
		w.running.Go(func() { p.stream.hold(ctx) })
	}
	return w, nil
}

// open makes the sockets of a pair.
func open(n Namespaces, p Pair) (*watched, error) {
	one := &watched{Pair: p}
	for i, way := range [2]Pair{p, {A: p.B, B: p.A}} {
		f, err := openFlow(n, way)
		if err != nil {
			one.close()
			return nil, err
		}
		one.flows[i] = f
	}
	s, err := openStream(n, p)
	if err != nil {
		one.close()
		return nil, err
	}
	one.stream = s
	return one, nil
}

func (p *watched) close() {
	for _, f := range p.flows {
		if f != nil {
			f.close()
		}
	}
	if p.stream != nil {
		p.stream.close()
	}
}

// stragglers is how long datagrams may still be on their way when a watch ends.
const stragglers = 250 * time.Millisecond

// Stop ends the watch and gives what was seen.
func (w *Watch) Stop() Result {
	ended := time.Now()
	w.cancel()
	time.Sleep(stragglers) // what is on its way is not lost
	w.close()
	r := Result{Started: w.started, Ended: ended}
	for _, p := range w.pairs {
		r.Pairs = append(r.Pairs, p.seen())
	}
	return r
}

// close ends all sockets and waits for those that use them.
func (w *Watch) close() {
	w.cancel()
	for _, p := range w.pairs {
		p.close()
	}
	w.running.Wait()
}

func (p *watched) seen() Seen {
	s := Seen{Pair: p.Pair, Stream: p.stream.result()}
	for i, f := range p.flows {
		sent, gaps := f.result()
		s.Sent += sent
		for _, g := range gaps {
			g.BToA = i == 1
			s.Lost += g.Lost
			s.Gaps = append(s.Gaps, g)
		}
	}
	sortGaps(s.Gaps)
	return s
}
