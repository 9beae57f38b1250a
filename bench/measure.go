package bench

import (
	"context"
	"errors"
	"fmt"
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
