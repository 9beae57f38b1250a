package cli

import (
	"context"
	"errors"

	"seaworthy/bench"
	"seaworthy/change/execute"
	"seaworthy/change/plan"
)

// state is one side of a comparison: a plan that is applied, or the hosts as
// they were found.
type state struct {
	name string
	plan *plan.Plan // nil: as found
}

// compare measures the states turn by turn: each is applied on what was found,
// and rolled back before the next. Afterwards all is as it was found.
func (a *app) compare(
	ctx context.Context, e bench.Experiment, hosts *connected, done []string, states []state,
	measure func(context.Context, bench.Experiment, ...bench.Variant) (*bench.Result, error),
) (*bench.Result, error) {
	journals, err := a.journals()
	if err != nil {
		return nil, err
	}
	journals.Lookup.Purpose = "bench"
	var now *execute.Toggle
	e.Restore = func(ctx context.Context) error {
		if now == nil {
			return nil
		}
		if err := now.Off(ctx); err != nil {
			return err
		}
		now = nil
		return nil
	}
	var variants []bench.Variant
	for _, s := range states {
		var t *execute.Toggle
		if s.plan != nil {
			t = &execute.Toggle{Plan: s.plan, Runner: hosts.runner(journals)}
			t.Runner.Done = done
		}
		v := bench.Variant{Name: s.name}
		if s.plan != nil {
			v.Plan, v.Values = string(s.plan.ID), s.plan.Values()
		}
		v.Apply = func(ctx context.Context) error {
			if t != nil && now == t {
				return nil
			}
			if err := e.Restore(ctx); err != nil || t == nil {
				return err
			}
			now = t // also what is applied in part has to go
			return t.On(ctx)
		}
		variants = append(variants, v)
	}
	r, err := measure(ctx, e, variants...)
	return r, errors.Join(err, e.Restore(context.WithoutCancel(ctx)))
}
