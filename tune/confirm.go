package tune

import (
	"context"
	"math"

	"seaworthy/bench"
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
	var ratios []float64
	var before, after []Trial
	for n := 1; n <= most; n++ {
		got, err := e.block(ctx, e.Space.Present(), []space.Run{best})
		if err != nil {
			return err
		}
		if math.IsNaN(got[0]) {
			e.result.Reason = "the winner broke a guard rail in its confirmation: " + e.barred[w.Words]
			return nil
		}
		for _, t := range e.trials[len(e.trials)-2:] {
			if isPresent(t.Run) {
				before = append(before, t)
			} else {
				after = append(after, t)
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
		w.Look, w.Before, w.After, w.Also = look, e.median(before), e.median(after), e.also(before, after)
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

// median of the goal's figure, in the result's unit.
func (e *Engine) median(trials []Trial) float64 {
	var values []float64
	for _, t := range trials {
		values = append(values, *t.Value*e.Goal.Scale)
	}
	return stats.Summarise(values).Median
}

// others are the figures that a goal is paid with, or that come with it.
var others = []string{bench.Throughput, bench.Transactions, bench.LatencyP50, bench.LatencyP99, bench.Cores, bench.PerTrans, bench.PerCore}

// also says what became of the other figures, those that every trial has.
func (e *Engine) also(before, after []Trial) []Also {
	out := []Also{}
	for _, name := range others {
		var was, is, ratios []float64
		for i := range before {
			was, is = append(was, before[i].Figures[name]), append(is, after[i].Figures[name])
			ratios = append(ratios, is[i]/was[i])
		}
		x, err := stats.Paired(ratios)
		if err != nil || name == e.Goal.Figure { // some trial has none
			continue
		}
		out = append(out, Also{Figure: name, Before: stats.Summarise(was).Median, After: stats.Summarise(is).Median,
			Ratio: x.Ratio, Low: x.Low, High: x.High})
	}
	return out
}
