package load

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"seaworthy/internal/measure/probe/sock"
)

// tokenWait is how long an accepted connection may take to show its token.
const tokenWait = 2 * time.Second

// phase of a load. Latencies are kept only in the measured one.
type phase = int32

const (
	warming phase = iota
	measuring
	measured
)

// Load is one end of a running load.
type Load struct {
	spec     Spec
	token    []byte
	listener *sock.Listener
	cancel   context.CancelFunc
	ctx      context.Context
	done     sync.WaitGroup

	phase atomic.Int32
	stop  atomic.Bool
	from  atomic.Pointer[time.Time] // begin of the measured interval
	to    atomic.Pointer[time.Time] // its end

	mu      sync.Mutex
	workers []*worker
	failure error
	begin   *mark
	sampler *sampler // from begin to end
}

// Listen opens the measured port and serves it in the background.
func Listen(spec Spec, at netip.AddrPort) (*Load, int, error) {
	l, err := prepare(spec)
	if err != nil {
		return nil, 0, err
	}
	l.listener, err = sock.Listen(at, sock.Options{Window: spec.Window, NoDelay: spec.NoDelay})
	if err != nil {
		l.cancel()
		return nil, 0, err
	}
	l.done.Go(l.accept)
	return l, l.listener.Port(), nil
}

// Connect makes all connections to a listening end, one after the other, and
// starts the load. It fails if any one fails.
func Connect(ctx context.Context, spec Spec, to netip.AddrPort) (*Load, error) {
	l, err := prepare(spec)
	if err != nil {
		return nil, err
	}
	var conns []*sock.Conn
	for range spec.Connections {
		c, err := sock.Connect(ctx, to, sock.Options{Window: spec.Window, NoDelay: spec.NoDelay})
		if err == nil {
			conns = append(conns, c)
			err = write(c, l.token, within(tokenWait))
		}
		if err != nil {
			l.cancel()
			for _, c := range conns {
				c.Close()
			}
			return nil, err
		}
	}
	l.start(conns)
	return l, nil
}

func prepare(spec Spec) (*Load, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	// A connection's goroutine may keep its processor while it blocks (see
	// sock.Conn.Read); control and meters need some of their own.
	own := int64(spec.Connections)
	if need := int(connections.Add(own)) + spareProcs; runtime.GOMAXPROCS(0) < need {
		runtime.GOMAXPROCS(need)
	}
	l := &Load{spec: spec}
	l.token, _ = hex.DecodeString(spec.Token) // checked above
	limit := time.Duration(spec.Limit * float64(time.Second))
	l.ctx, l.cancel = context.WithTimeout(context.Background(), limit)
	context.AfterFunc(l.ctx, func() { l.stop.Store(true); connections.Add(-own) })
	return l, nil
}

// connections are those of all loads of the process.
var connections atomic.Int64

const spareProcs = 4 // for control and meters

// accept takes connections until all that belong to the trial are there, then
// starts the load.
func (l *Load) accept() {
	defer l.listener.Close()
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	var mu sync.Mutex
	var conns []*sock.Conn
	var checks sync.WaitGroup
	for {
		c, err := l.listener.Accept(ctx)
		if err != nil {
			break
		}
		checks.Go(func() {
			got := make([]byte, tokenLength)
			err := read(c, got, within(tokenWait))
			mu.Lock()
			defer mu.Unlock()
			if err != nil || string(got) != string(l.token) || len(conns) == l.spec.Connections {
				c.Close()
				return
			}
			conns = append(conns, c)
			if len(conns) == l.spec.Connections {
				l.start(conns) // at once: the other end is sending
				cancel()
			}
		})
	}
	checks.Wait()
	if len(conns) < l.spec.Connections {
		for _, c := range conns {
			c.Close()
		}
		l.fail(fmt.Errorf("%d of %d connections came", len(conns), l.spec.Connections))
	}
}

func (l *Load) start(conns []*sock.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for i, c := range conns {
		w := newWorker(l, c, newPace(&l.spec, i, now))
		l.workers = append(l.workers, w)
	}
	for _, w := range l.workers {
		l.done.Go(func() {
			if err := w.run(); err != nil {
				l.fail(fmt.Errorf("%s load: %w", l.spec.Kind, err))
			}
			w.close()
		})
	}
}

// fail keeps the first failure; what breaks after the measured interval or
// after Stop is the load's normal end.
func (l *Load) fail(err error) {
	if l.ctx.Err() == context.Canceled || l.phase.Load() == measured {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure == nil {
		l.failure = err
	}
}

// Ready waits until all connections are made.
func (l *Load) Ready(ctx context.Context) error {
	for {
		l.mu.Lock()
		n, err := len(l.workers), l.failure
		l.mu.Unlock()
		if err != nil {
			return err
		}
		if n > 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %d connections: %w", l.spec.Connections, ctx.Err())
		case <-l.ctx.Done():
			return errors.New("the load's time limit passed before its connections came")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Stop ends the load, waits for its loops and says what its connections were.
func (l *Load) Stop() *Summary {
	l.cancel()
	l.stop.Store(true)
	l.done.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sampler != nil { // the trial was broken off
		l.sampler.end()
		l.sampler = nil
	}
	return l.summary()
}

// within is for writes and reads that have to end in time.
func within(d time.Duration) func() (bool, error) {
	until := time.Now().Add(d)
	return func() (bool, error) { return time.Now().After(until), errors.New("the peer sends or takes no data") }
}
