package measure

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"seaworthy/internal/measure/probe"
	"seaworthy/internal/remote"
)

// measure runs one trial: counters, load, warm-up, interval, end of the load,
// counters.
func (e *Experiment) measure(ctx context.Context, p *Path, w Workload, t *Trial) error {
	t.Started = time.Now()
	var before map[string]hostCounters
	if e.Counters != nil {
		before = e.readCounters(ctx, p)
	}
	run, err := bounded(ctx, func(ctx context.Context) (Running, error) { return p.driver.Start(ctx, p, w) })
	if err != nil {
		return err
	}
	finished := false
	defer func() {
		if !finished {
			run.Abort()
		}
	}()
	if err := pause(ctx, w.Warmup); err != nil {
		return err
	}
	_, err = ofEach(p, func(_ remote.Host, m hostMeter) (any, error) {
		return bounded(ctx, func(wait context.Context) (any, error) { return nil, m.begin(wait, w.Seconds) })
	})
	if err != nil {
		return err
	}
	end := func(_ remote.Host, m hostMeter) (*probe.Report, error) { return bounded(ctx, m.end) }
	if err := e.watch(ctx, p, run, w, t, before); err != nil {
		if ctx.Err() == nil { // the next trial begins on the same hosts
			_, _ = ofEach(p, end)
		}
		return err
	}
	reports, err := ofEach(p, end)
	if err != nil {
		return err
	}
	got, err := bounded(ctx, func(ctx context.Context) (*Measure, error) { return run.Finish(ctx, reports) })
	if err != nil {
		return err
	}
	finished = true
	t.Measure = *got
	t.addCPU(p, reports)
	if e.Counters != nil {
		t.addCounters(p, before, e.readCounters(ctx, p))
	}
	return nil
}

// stepWait bounds every single step of a trial: a host that has gone without a
// word must not hold the experiment.
const stepWait = 45 * time.Second

// bounded does one step. Whatever the step leaves running must not depend on
// its context.
func bounded[T any](ctx context.Context, step func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, stepWait)
	defer cancel()
	got, err := step(ctx)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %s: %w", stepWait, err)
	}
	return got, err
}

// Glance is a trial so far, from the begin of its measured interval. What cannot be
// seen before the end is absent.
type Glance struct {
	Seconds      float64
	Bytes        *uint64            // that came through; stream
	Transactions *uint64            // rr
	Retransmits  *uint64            // segments, of the sender
	CPU          map[string]float64 // core-seconds of each host alone
	Counted      *Counted           // nil: not since the last glance
}

// Counted are the counters of all hosts while a trial goes on.
type Counted struct {
	Seconds  float64 // since they were read before the load
	Counters []CounterDelta
}

const (
	glanceEvery = time.Second
	countEvery  = 3 * glanceEvery // commands on every host, which cost it time
)

// watch lets the measured interval pass and shows what is to be watched of it.
func (e *Experiment) watch(ctx context.Context, p *Path, run Running, w Workload, t *Trial, before map[string]hostCounters) error {
	if e.watching == nil {
		return pause(ctx, w.Seconds)
	}
	began := time.Now()
	until := began.Add(time.Duration(w.Seconds * float64(time.Second)))
	ctx, cancel := context.WithCancel(ctx)
	var counting sync.WaitGroup
	defer counting.Wait()
	defer cancel()
	counted, last := make(chan *Counted, 1), began
	for time.Until(until) > 3*glanceEvery/2 {
		if err := pause(ctx, glanceEvery.Seconds()); err != nil {
			return err
		}
		g := p.glance(ctx, run)
		select {
		case g.Counted = <-counted:
			last = time.Now()
		default:
		}
		if err := e.watching(g); err != nil {
			return err
		}
		if e.Counters == nil || time.Since(last) < countEvery-glanceEvery || time.Until(until) < countEvery {
			continue
		}
		last = until // until these are there
		counting.Go(func() {
			c := &Counted{Seconds: time.Since(t.Started).Seconds()}
			var now Trial
			now.addCounters(p, before, e.readCounters(ctx, p))
			if len(now.NoCount) > 0 {
				c = nil // a sum without one host is none
			} else {
				c.Counters = now.Counters
			}
			counted <- c
		})
	}
	return pause(ctx, time.Until(until).Seconds())
}

// glance asks every helper once. One that does not answer in time is left out: what has
// become of it, the end of the interval shows.
func (p *Path) glance(ctx context.Context, run Running) Glance {
	ctx, cancel := context.WithTimeout(ctx, glanceEvery)
	defer cancel()
	reports, _ := ofEach(p, func(_ remote.Host, m hostMeter) (*probe.Report, error) {
		if a, ok := m.(*agentMeter); ok {
			return a.agent.Client.SoFar(ctx)
		}
		return nil, nil
	})
	g := Glance{CPU: map[string]float64{}}
	if r := reports[p.To.Name()]; r != nil {
		g.Seconds = r.Seconds
	}
	if b, ok := run.(*builtinRun); ok {
		b.soFar(reports, &g)
	}
	var t Trial
	t.addCPU(p, reports)
	for host, c := range t.CPU {
		if n := c.Alone(); n != nil {
			g.CPU[host] = *n * c.Seconds
		}
	}
	return g
}
