package tune

import (
	"context"
	"math"

	"seaworthy/bench/stats"
	"seaworthy/tune/space"
)

// versus holds runs against a base in shared blocks, at most so many, looking at planned
// ones; a run that is decided is not measured again. It gives the last look at each,
// whose ratio is above 1 where the run is better; nil for one that cannot be tried.
func (e *Engine) versus(ctx context.Context, stage Stage, base space.Run, runs []space.Run, most int) ([]*stats.Look, error) {
	e.begin(stage, most)
	plan, err := stats.PlanLooks(stats.EvenLooks(most, 3), e.Margin)
	if err != nil {
		return nil, err
	}
	looks, ratios, open := make([]*stats.Look, len(runs)), make([][]float64, len(runs)), []int{}
	for i := range runs {
		open = append(open, i)
	}
	for n := 1; n <= most && len(open) > 0; n++ {
		var now []space.Run
		for _, i := range open {
			now = append(now, runs[i])
		}
		got, err := e.block(ctx, base, now)
		if err != nil {
			return nil, err
		}
		var left []int
		for k, i := range open {
			if math.IsNaN(got[k]) { // a guard rail, or no host takes it
				looks[i] = nil
				continue
			}
			ratios[i] = append(ratios[i], math.Exp(got[k]))
			look, err := plan.At(ratios[i], stats.HigherIsBetter, nil)
			if err != nil {
				return nil, err
			}
			if look != nil {
				looks[i] = look
			}
			if look == nil || !look.Decided {
				left = append(left, i)
			}
		}
		open = left
	}
	return looks, nil
}
