package live

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/collect"
	"seaworthy/internal/remote"
)

// Every is how often a host is read if nothing else is said.
const Every = 2 * time.Second

// How many hosts are read whole at the same time, and how many are waited for to
// answer at all: for the first time, and again. Hosts that hang hold the places of
// their kind alone.
const (
	atOnce        = 16
	reachedAtOnce = 256
	retriedAtOnce = 64
)

// patience is the longest time between two attempts to reach a host that went away.
const patience = 30 * time.Second

// Watch reads hosts until the context ends: each whole once, and again after it
// was away; then what counts, every so often. news is called by one goroutine
// at a time. A host that does not let the user in is not tried again: that
// would lock an account.
func Watch(ctx context.Context, hosts []remote.Host, o collect.Options, every time.Duration, news func(Event)) {
	var mu sync.Mutex
	tell := func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil {
			news(e)
		}
	}
	places := places{
		whole: make(chan struct{}, atOnce), reached: make(chan struct{}, reachedAtOnce), retried: make(chan struct{}, retriedAtOnce),
	}
	var all sync.WaitGroup
	for _, h := range hosts {
		all.Go(func() {
			w := &watcher{sampler: &collect.Sampler{Host: h, Options: o}, every: every, places: places, tell: tell}
			w.run(ctx)
		})
	}
	all.Wait()
}

// places bound what is done at the same time.
type places struct {
	whole   chan struct{}
	reached chan struct{}
	retried chan struct{}
}

// watcher reads one host.
type watcher struct {
	sampler *collect.Sampler
	every   time.Duration
	places  places
	tried   bool // it was waited for before
	tell    func(Event)
}

func (w *watcher) run(ctx context.Context) {
	pause := w.every
	for ctx.Err() == nil {
		err := w.session(ctx, func() { pause = w.every })
		if err == nil || ctx.Err() != nil {
			return
		}
		final := refused(err)
		why := strings.TrimPrefix(err.Error(), w.sampler.Host.Name()+": ")
		w.tell(Event{Lost: &Lost{Host: w.sampler.Host.Name(), At: time.Now().UTC(), Why: why, Final: final}})
		if final || !wait(ctx, time.Now().Add(pause)) {
			return
		}
		pause = min(2*pause, max(patience, w.every))
	}
}

// session reads a host until it goes away.
func (w *watcher) session(ctx context.Context, answered func()) error {
	reach := w.places.reached
	if w.tried {
		reach = w.places.retried
	}
	w.tried = true
	var err error
	if !within(ctx, reach, func() { err = w.sampler.Reach(ctx) }) || err != nil {
		return err
	}
	var r *collect.Reading
	if !within(ctx, w.places.whole, func() { r, err = w.sampler.Whole(ctx) }) {
		return nil
	}
	for err == nil {
		answered()
		w.tell(Event{Reading: r})
		next := r.At.Add(w.every)
		if r.Whole {
			next = time.Now()
		}
		if !wait(ctx, next) {
			return nil
		}
		r, err = w.sampler.Again(ctx)
	}
	return err
}

// within does something as soon as there is a place for it; false if the context ended before.
func within(ctx context.Context, places chan struct{}, do func()) bool {
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-places }()
	do()
	return true
}

// refused says whether trying again is of no use, or does harm.
func refused(err error) bool {
	return errors.Is(err, remote.ErrAuth) || errors.Is(err, remote.ErrHostKey) || errors.Is(err, remote.ErrConfig)
}

// wait waits until a time; false if the context ended.
func wait(ctx context.Context, until time.Time) bool {
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
