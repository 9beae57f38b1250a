package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"seaworthy/probe"
	"seaworthy/remote"
)

// measure runs one trial: counters, load, warm-up, interval, end of the load,
// counters.
func (e *Experiment) measure(ctx context.Context, p *Path, w Workload, t *Trial) error {
	t.Started = time.Now()
	var before map[string]hostCounters
	if e.Counters != nil {
		before = e.readCounters(ctx, p)
	}
	var run Running
	err := bounded(ctx, func(ctx context.Context) (err error) {
		run, err = p.driver.Start(ctx, p, w)
		return err
	})
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
	err = p.each(func(_ remote.Host, m hostMeter) error {
		return bounded(ctx, func(wait context.Context) error { return m.begin(wait, w.Seconds) })
	})
	if err != nil {
		return err
	}
	if err := e.watch(ctx, p, run, w, t, before); err != nil {
		if ctx.Err() == nil { // the next trial begins on the same hosts
			_ = p.each(func(_ remote.Host, m hostMeter) error {
				return bounded(ctx, func(ctx context.Context) error {
					_, err := m.end(ctx)
					return err
				})
			})
		}
		return err
	}
	var mu sync.Mutex
	reports := map[string]*probe.Report{}
	err = p.each(func(h remote.Host, m hostMeter) error {
		return bounded(ctx, func(ctx context.Context) error {
			r, err := m.end(ctx)
			mu.Lock()
			defer mu.Unlock()
			reports[h.Name()] = r
			return err
		})
	})
	if err != nil {
		return err
	}
	var got *Measure
	err = bounded(ctx, func(ctx context.Context) (err error) {
		got, err = run.Finish(ctx, reports)
		return err
	})
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
func bounded(ctx context.Context, step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, stepWait)
	defer cancel()
	err := step(ctx)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %s: %w", stepWait, err)
	}
	return err
}
