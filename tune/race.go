package tune

import (
	"cmp"
	"context"
	"math"
	"slices"

	"seaworthy/tune/analysis"
	"seaworthy/tune/space"
)

// mostCandidates is how many combinations race.
const mostCandidates = 4

// mostRanked bounds the factors of which every combination is ranked.
const mostRanked = 12

// candidates are the combinations that promise most, the best first: by the screen, or
// of those that came from outside.
func (e *Engine) candidates(ctx context.Context) ([]space.Run, error) {
	if e.Proposals != nil {
		return e.proposed(ctx)
	}
	return e.screen(ctx)
}

// promising are the best combinations of the factors that are shown to matter, and the
// best one with those that may.
func (e *Engine) promising() []space.Run {
	sure, likely := map[int]bool{}, map[int]bool{}
	for _, x := range e.model.Effects {
		for _, f := range x.Term {
			sure[f] = sure[f] || x.Named
			likely[f] = likely[f] || x.Named || len(x.Term) == 1 && x.P < 0.2
		}
	}
	out := e.ranked(sure)
	out = out[:min(len(out), mostCandidates-1)]
	if all := e.ranked(likely); len(all) > 0 && !slices.ContainsFunc(out, func(r space.Run) bool { return slices.Equal(r, all[0]) }) {
		out = append(out, all[0])
	}
	return out
}

// ranked are the combinations of some factors that promise more than the present state.
func (e *Engine) ranked(factors map[int]bool) []space.Run {
	runs := [][]int{e.Space.Present()}
	varied := 0
	for f := range e.Space.Factors {
		if !factors[f] || varied == mostRanked {
			continue
		}
		varied++
		for _, r := range runs {
			on := slices.Clone(r)
			on[f] = 1
			runs = append(runs, on)
		}
	}
	now := e.model.Predict(e.Space.Present())
	var out []space.Run
	for _, c := range e.model.Rank(runs) {
		if c.Predicted > now && e.barred[e.Space.Words(c.Run)] == "" && e.allowed(c.Run) == nil {
			out = append(out, c.Run)
		}
	}
	return out
}

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
		got, err := e.block(ctx, e.Space.Present(), []space.Run{run}, false)
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
	mean := func(r space.Run) float64 { return average(e.ratios[e.Space.Words(r)]) }
	slices.SortStableFunc(runs, func(a, b space.Run) int { return cmp.Compare(mean(b), mean(a)) })
	runs = slices.DeleteFunc(runs, func(r space.Run) bool { return mean(r) <= 0 })
	return runs[:min(len(runs), mostCandidates)], nil
}

// race measures candidates block by block, and drops what is shown to be worse than
// the leader. It gives the leader; nil if none is ahead of the present state.
func (e *Engine) race(ctx context.Context, runs []space.Run) (space.Run, error) {
	if len(runs) < 2 {
		return first(runs), nil
	}
	for _, r := range runs {
		e.result.Raced = append(e.result.Raced, Candidate{Settings: e.Space.Words(r)})
	}
	blocks, alive, err := e.contest(ctx, runs)
	if err != nil {
		return nil, err
	}
	leader, best := -1, 0.0
	for i := range runs {
		c := &e.result.Raced[i]
		var got []float64
		for _, b := range blocks {
			if !math.IsNaN(b[i]) {
				got = append(got, b[i])
			}
		}
		if c.Blocks, c.Dropped = len(got), !slices.Contains(alive, i); len(got) > 0 {
			c.Ratio = new(math.Exp(average(got)))
		}
		if m := average(got); !c.Dropped && m > best {
			leader, best = i, m
		}
	}
	if leader < 0 {
		return nil, nil
	}
	return runs[leader], nil
}

func first(runs []space.Run) space.Run {
	if len(runs) == 0 {
		return nil
	}
	return runs[0]
}

// contest measures runs beside the present state in blocks of those alive, until one is
// left or the time of the race is over. It gives the responses of each block, NaN where a
// run was not measured, and who is alive.
func (e *Engine) contest(ctx context.Context, runs []space.Run) (blocks [][]float64, alive []int, err error) {
	for i := range runs {
		alive = append(alive, i)
	}
	more := func() int { return e.fits(untilRaced, e.cost(1, len(alive))) }
	e.begin(Race, min(mostRace, max(leastRace, more())))
	for n := 1; len(alive) > 0 && n <= mostRace && (n <= leastRace || more() > 0); n++ {
		var now []space.Run
		for _, i := range alive {
			now = append(now, runs[i])
		}
		got, err := e.block(ctx, e.Space.Present(), now, false)
		if err != nil {
			return nil, nil, err
		}
		row := make([]float64, len(runs))
		for i := range row {
			row[i] = math.NaN()
		}
		for k, i := range alive {
			row[i] = got[k]
		}
		blocks = append(blocks, row)
		alive = slices.DeleteFunc(alive, func(i int) bool { return e.barred[e.Space.Words(runs[i])] != "" })
		if len(alive) > 1 {
			s, err := analysis.Race(blocks, alive)
			if err != nil {
				return nil, nil, err
			}
			alive = s.Stay
		}
		if len(alive) < 2 {
			break
		}
	}
	return blocks, alive, nil
}

// average of responses; NaN of none.
func average(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
