package tune

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"seaworthy/tune/space"
)

// candidates are the combinations that promise most, the best first: by the screen, or
// of those that came from outside.
func (e *Engine) candidates(ctx context.Context) ([]space.Run, error) {
	if e.Proposals != nil {
		return e.proposed(ctx)
	}
	return e.screen(ctx)
}

// mostCandidates is how many combinations race.
const mostCandidates = 4

// proposed tries what comes from outside, each beside the present state.
func (e *Engine) proposed(ctx context.Context) ([]space.Run, error) {
	e.begin(Screen, 0)
	var runs []space.Run
	for e.fits(untilScreened, e.cost(1, 1)) > 0 {
		run, err := e.Proposals.Next(ctx)
		if err != nil {
			return nil, err
		}
		if run == nil {
			break
		}
		if err := e.allowed(run); err != nil {
			e.barred[e.Space.Words(run)] = err.Error()
		}
		got, err := e.block(ctx, e.Space.Present(), []space.Run{run})
		if err != nil {
			return nil, err
		}
		for _, t := range e.trials[len(e.trials)-2:] {
			if !slices.Equal(t.Run, run) {
				continue
			}
			if err := e.Proposals.Done(&t, got[0]); err != nil {
				return nil, err
			}
			break
		}
		if !isPresent(run) && !math.IsNaN(got[0]) && !slices.ContainsFunc(runs, func(r space.Run) bool { return slices.Equal(r, run) }) {
			runs = append(runs, run)
		}
	}
	mean := func(r space.Run) float64 { return stat.Mean(e.ratios[e.Space.Words(r)], nil) }
	slices.SortStableFunc(runs, func(a, b space.Run) int { return cmp.Compare(mean(b), mean(a)) })
	runs = slices.DeleteFunc(runs, func(r space.Run) bool { return mean(r) <= 0 })
	return runs[:min(len(runs), mostCandidates)], nil
}
