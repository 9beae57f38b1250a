package tune

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"seaworthy/internal/tune/analysis"
	"seaworthy/internal/tune/space"
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
	e.state.begin(Screen, 0)
	var runs []space.Run
	for e.fits(untilScreened, e.cost(1, 1)) > 0 {
		run, err := e.Proposals.next(ctx)
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
		last := e.trials[len(e.trials)-2:]
		i := slices.IndexFunc(last, func(t Trial) bool { return slices.Equal(t.Run, run) })
		if err := e.Proposals.done(&last[i], got[0]); err != nil {
			return nil, err
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

// race measures candidates block by block, and drops what is shown to be worse than
// the leader. It gives the leader; nil if none is ahead of the present state.
func (e *Engine) race(ctx context.Context, runs []space.Run) (space.Run, error) {
	switch len(runs) {
	case 0:
		return nil, nil
	case 1:
		return runs[0], nil
	}
	for _, r := range runs {
		e.result.Raced = append(e.result.Raced, Candidate{Settings: e.Space.Words(r)})
	}
	blocks, alive, err := e.contest(ctx, runs)
	if err != nil {
		return nil, err
	}
	var leader space.Run
	best := 0.0
	for i, run := range runs {
		c := &e.result.Raced[i]
		var got []float64
		for _, b := range blocks {
			if !math.IsNaN(b[i]) {
				got = append(got, b[i])
			}
		}
		m := stat.Mean(got, nil)
		c.Blocks, c.Dropped = len(got), !slices.Contains(alive, i)
		if len(got) > 0 {
			c.Ratio = new(math.Exp(m))
		}
		if !c.Dropped && m > best {
			leader, best = run, m
		}
	}
	return leader, nil
}

// contest measures runs beside the present state in blocks of those alive, until one is
// left or the time of the race is over. It gives the responses of each block, NaN where a
// run was not measured, and who is alive.
func (e *Engine) contest(ctx context.Context, runs []space.Run) (blocks [][]float64, alive []int, err error) {
	for i := range runs {
		alive = append(alive, i)
	}
	more := func() int { return e.fits(untilRaced, e.cost(1, len(alive))) }
	e.state.begin(Race, min(mostRace, max(leastRace, more())))
	for n := 1; len(alive) > 0 && n <= mostRace && (n <= leastRace || more() > 0); n++ {
		var now []space.Run
		for _, i := range alive {
			now = append(now, runs[i])
		}
		got, err := e.block(ctx, e.Space.Present(), now)
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
			alive = analysis.Race(blocks, alive)
		}
		if len(alive) < 2 {
			break
		}
	}
	return blocks, alive, nil
}
