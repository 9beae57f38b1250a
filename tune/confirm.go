package tune

import (
	"context"
	"math"

	"seaworthy/bench/stats"
	"seaworthy/tune/space"
)

// confirm holds the winner against the present state on fresh blocks alone, and looks
// at planned blocks whether it is decided.
func (e *Engine) confirm(ctx context.Context, best space.Run) error {
	most := min(mostConfirm, max(leastConfirm, e.fits(1, e.cost(1, 1))))
	e.begin(Confirm, most)
	looks, err := stats.PlanLooks(stats.EvenLooks(most, 4), e.Margin)
	if err != nil {
		return err
	}
	w := &Winner{Settings: e.Space.Values(best), Words: e.Space.Words(best), Run: best, Parts: e.parts, Most: most}
	e.result.Winner = w
	var ratios, before, after []float64
	for n := 1; n <= most; n++ {
		got, err := e.block(ctx, e.Space.Present(), []space.Run{best}, false)
		if err != nil {
			return err
		}
		if math.IsNaN(got[0]) {
			e.result.Reason = "the winner broke a guard rail in its confirmation: " + e.barred[w.Words]
			return nil
		}
		for _, t := range e.trials[len(e.trials)-2:] {
			if isPresent(t.Run) {
				before = append(before, *t.Value*e.Goal.Scale)
			} else {
				after = append(after, *t.Value*e.Goal.Scale)
			}
		}
		ratios = append(ratios, math.Exp(got[0]))
		if n < most && n >= leastConfirm && e.fits(1, e.cost(1, 1)) == 0 { // the budget is spent sooner than expected
			looks, most = looks.EndAt(n), n
		}
		look, err := looks.At(ratios, stats.HigherIsBetter, e.control)
		if err != nil {
			return err
		}
		if look == nil {
			continue
		}
		w.Look, w.Before, w.After = look, stats.Summarise(before).Median, stats.Summarise(after).Median
		if look.Decided {
			break
		}
	}
	e.result.Found = w.Look.Verdict == stats.Improved
	if !e.result.Found {
		e.result.Reason = "the leader of the race was not confirmed on fresh blocks"
	}
	return nil
}
