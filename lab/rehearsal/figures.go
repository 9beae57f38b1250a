package rehearsal

// What a path carries and costs, before the plan and with it.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/prediction"
	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/predict"
)

// loads are measured one after the other: one that moves data, and one that waits for answers.
var loads = []struct {
	name     string
	main     string // what it is about
	workload measure.Workload
	predict  predict.Load
}{
	{"1 TCP stream", measure.Throughput, measure.Workload{Kind: load.Stream, Streams: 1}, predict.Load{Streams: 1}},
	{"10 sessions, 64 bytes each way", measure.Transactions, measure.Workload{Kind: load.RequestResponse, Sessions: 10, Request: 64},
		predict.Load{Sessions: 10, Request: 64, Response: 64}},
}

// pathFigures measures the path of a rehearsal, and predicts what it does.
type pathFigures struct{ *rehearsal }

// measuredPair is the pair whose path is measured: one of two partitions rather than of a VIOS, and of hosts that the
// plan changes.
func (r pathFigures) measuredPair() *between {
	worth := func(b *between) (n int) {
		for _, e := range []end{b.a, b.b} {
			if r.hosts[e.at.Host].Platform != model.VIOS {
				n += 4
			}
			if slices.Contains(r.Plan.Hosts, e.at.Host) {
				n += 2
			}
		}
		if b.touched {
			n++
		}
		return n
	}
	var best *between
	for i := range r.pairs {
		if b := &r.pairs[i]; best == nil || worth(b) > worth(best) {
			best = b
		}
	}
	return best
}

// measureBefore measures the path as it was read.
func (r pathFigures) measureBefore(ctx context.Context) error {
	at := r.measuredPair()
	for _, l := range loads {
		for _, name := range []string{l.main, measure.Cores} {
			r.result.Figures = append(r.result.Figures, Figure{From: at.a.at, To: at.b.at, Load: l.name, Name: name})
		}
	}
	r.predict(ctx)
	return r.measure(ctx, "before the plan", func(f *Figure) **float64 { return &f.Before })
}

// measureAfter measures the path with the plan's values, if they are in force.
func (r pathFigures) measureAfter(ctx context.Context) error {
	if last := r.last(); !last.OK() || last.Want != rehearsed.NewValues {
		r.notMeasured("with the plan: its values were not in force")
		return nil
	}
	return r.measure(ctx, "with the plan", func(f *Figure) **float64 { return &f.After })
}

// measure fills in a figure of each load. What cannot be measured stays out, with its reason: the rehearsal goes on.
func (r pathFigures) measure(ctx context.Context, when string, of func(*Figure) **float64) error {
	setup := bench.Setup{From: r.result.Figures[0].From.String(), To: r.result.Figures[0].To.String(),
		Experiment: measure.Experiment{Repetitions: 1}}
	for _, l := range loads {
		w := l.workload
		w.Name, w.Seconds, w.Warmup = l.name, r.Measure.Seconds(), 0.3
		setup.Experiment.Workloads = append(setup.Experiment.Workloads, w)
	}
	got, err := measured(ctx, r.access, setup)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.notMeasured("%s: %v", when, err)
		return nil
	}
	for i := range r.result.Figures {
		f := &r.result.Figures[i]
		for _, t := range got.Trials {
			value, known := t.Figures()[f.Name]
			switch {
			case t.Workload != f.Load:
			case known:
				*of(f) = &value
			default:
				r.notMeasured("%s, %s: %s: %v", when, f.Load, f.Name, t.NoCores)
			}
		}
	}
	return nil
}

// measured is one trial of each load.
func measured(ctx context.Context, access fleet.Access, setup bench.Setup) (*measure.Result, error) {
	b, err := setup.Open(ctx, access)
	if err != nil {
		return nil, err
	}
	defer b.Connection.Close()
	return measure.Run(ctx, b.Experiment)
}

// predict says what the network that was read carries, and what it will with the plan.
func (r pathFigures) predict(ctx context.Context) {
	if len(r.From) == 0 {
		r.notMeasured("prediction: only for hosts that were read (--from)")
		return
	}
	at := r.result.Figures[0]
	q := prediction.Request{From: at.From.String(), To: at.To.String(), Args: r.From, Plan: r.Plan}
	for _, l := range loads {
		q.Loads = append(q.Loads, l.predict)
	}
	all, err := q.Run(ctx, fleet.Access{})
	if err != nil {
		r.notMeasured("prediction: %v", err)
		return
	}
	for i, l := range loads {
		before, after := all[i].Now, all[i].After
		unknown := before.Unknown
		if after != nil {
			unknown = append(slices.Clone(unknown), after.Unknown...)
		}
		slices.Sort(unknown)
		for _, why := range slices.Compact(unknown) {
			r.notMeasured("prediction, %s: %s", l.name, why)
		}
		for k := range r.result.Figures {
			f := &r.result.Figures[k]
			if f.Load != l.name {
				continue
			}
			f.PredictedBefore = estimate(f.Name, &before)
			if after != nil {
				f.PredictedAfter = estimate(f.Name, after)
			}
		}
	}
}

// estimate is a state's estimate of a figure.
func estimate(figure string, s *predict.State) *predict.Estimate {
	switch figure {
	case measure.Throughput:
		return s.BPS
	case measure.Transactions:
		return s.TPS
	}
	return s.Cores
}

func (r pathFigures) notMeasured(format string, args ...any) {
	r.result.NotMeasured = append(r.result.NotMeasured, fmt.Sprintf(format, args...))
}

// DefaultMeasure is how long one measurement takes: long enough for throughput that settles, short beside the trials.
const DefaultMeasure = 3 * time.Second
