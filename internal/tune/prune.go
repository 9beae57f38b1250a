package tune

import (
	"context"
	"math"
	"slices"

	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune/space"
)

// versus holds runs against a base in shared blocks, at most so many, looking at planned
// ones; a run that is decided is not measured again. It gives the last look at each,
// whose ratio is above 1 where the run is better; nil for one that cannot be tried.
func (e *Engine) versus(ctx context.Context, stage Stage, base space.Run, runs []space.Run, most int) ([]*stats.Look, error) {
	e.state.begin(stage, most)
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

// mostVariants is how many runs are held against the leader at once.
const mostVariants = 8

// refine looks around the leader, and around what that finds, which may bring other
// settings into effect: large gains need few blocks of the confirmation.
func (e *Engine) refine(ctx context.Context, best space.Run) (space.Run, error) {
	for until := untilRefined; ; until = untilAgain {
		next, err := e.step(ctx, best, until)
		if err != nil || slices.Equal(next, best) {
			return next, err
		}
		best = next
	}
}

// step tries each factor that the leader leaves as found, where it may help beside the
// others; other levels of those that it changes, and values around its numbers. Only what
// is shown to be better is taken, there or by all trials so far.
func (e *Engine) step(ctx context.Context, best space.Run, until float64) (space.Run, error) {
	runs := e.around(best)
	runs = runs[:min(len(runs), mostVariants)]
	most := min(mostRefine, e.fits(until, e.cost(0, 1+len(runs))))
	if len(runs) == 0 || most < leastRefine {
		return best, nil
	}
	looks, err := e.versus(ctx, Refine, best, runs, most)
	if err != nil {
		return nil, err
	}
	if err := e.pool(); err != nil {
		return nil, err
	}
	out, gains := slices.Clone(best), map[int]float64{}
	for i, look := range looks {
		for f, level := range runs[i] {
			if look == nil || level == best[f] || look.Ratio <= max(1, gains[f]) {
				continue
			}
			if look.Verdict == stats.Improved || !look.Decided && level == 1 && contributes(e.model, f, runs[i]) {
				out[f], gains[f] = level, look.Ratio
			}
		}
	}
	if e.barred[e.Space.Words(out)] != "" || e.allowed(out) != nil {
		return best, nil
	}
	for f := range gains {
		e.shown[f] = true
	}
	return out, nil
}

// around are the runs that differ from the leader in one factor, the likeliest first.
func (e *Engine) around(best space.Run) (runs []space.Run) {
	add := func(f, level int) {
		r := slices.Clone(best)
		r[f] = level
		if level == 0 || level == best[f] || e.allowed(r) != nil || e.barred[e.Space.Words(r)] != "" {
			return
		}
		if !slices.ContainsFunc(runs, func(o space.Run) bool { return slices.Equal(o, r) }) {
			runs = append(runs, r)
		}
	}
	for _, x := range e.result.Effects { // the largest first
		f := slices.IndexFunc(e.Space.Factors, func(o space.Factor) bool { return o.Name == x.Factors[0] })
		if f >= 0 && best[f] == 0 && x.High != nil && *x.High > 1 {
			add(f, 1)
		}
	}
	for f, level := range best {
		if level == 0 {
			continue
		}
		for other := range e.Space.Factors[f].Levels {
			add(f, other)
		}
		for _, v := range e.Space.Nearby(f, level) {
			var n int
			e.Space, n = e.Space.With(f, v)
			add(f, n)
		}
	}
	return runs
}

// prune takes back, one at a time, what the leader changes, and drops what does not
// contribute: a setting that was shown to help, by all trials so far, stays unless that is
// refuted, any other one has to be shown here. It gives nil if nothing is left.
func (e *Engine) prune(ctx context.Context, best space.Run) (space.Run, error) {
	var factors []int
	var without []space.Run
	for f, level := range best {
		if level > 0 {
			r := slices.Clone(best)
			r[f] = 0
			factors, without = append(factors, f), append(without, r)
		}
	}
	if len(factors) < 2 { // what one setting contributes, the confirmation says
		return best, nil
	}
	most := min(mostPrune, max(leastPrune, e.fits(untilPruned, e.cost(0, 1+len(factors)))))
	looks, err := e.versus(ctx, Prune, best, without, most)
	if err != nil {
		return nil, err
	}
	if err := e.pool(); err != nil {
		return nil, err
	}
	left := slices.Clone(best)
	for i, f := range factors {
		look := looks[i]
		p := Part{Factor: e.Space.Factors[f].Name, Level: e.Space.Factors[f].Levels[best[f]].Label}
		// Without a look the others need it.
		p.Kept = look == nil || look.Verdict == stats.Worse ||
			!look.Decided && look.Ratio < 1 && (e.shown[f] || contributes(e.model, f, best))
		if look != nil {
			p.Ratio, p.Low, p.High = new(1/look.Ratio), new(1 / *look.High), new(1 / *look.Low)
		}
		if !p.Kept {
			left[f] = 0
		}
		e.parts = append(e.parts, p)
	}
	if isPresent(left) {
		if i := e.alone(factors, best); i >= 0 {
			left[factors[i]], e.parts[i].Kept = best[factors[i]], true
			return left, nil
		}
		e.result.Reason = "no setting of the leader was shown to contribute"
		return nil, nil
	}
	return left, nil
}

// alone is which setting of a run, of those that make each other needless, is best without
// the others; −1: none is shown to help.
func (e *Engine) alone(factors []int, run space.Run) int {
	leader, most := -1, 0.0
	for i, f := range factors {
		r := e.Space.Present()
		r[f] = run[f]
		if !contributes(e.model, f, r) || e.barred[e.Space.Words(r)] != "" || e.allowed(r) != nil {
			continue
		}
		if gain := e.model.Predict(twoLevels(r)); leader < 0 || gain > most {
			leader, most = i, gain
		}
	}
	return leader
}
