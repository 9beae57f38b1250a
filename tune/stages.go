package tune

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// Run carries the study out. On an error the result holds what there is.
func (e *Engine) Run(ctx context.Context) (*Result, error) {
	e.random = rand.New(rand.NewPCG(e.Seed, 0)) //nolint:gosec // an order that can be repeated
	e.ratios, e.barred, e.shown = map[string][]float64{}, map[string]string{}, map[int]bool{}
	e.guard = guard{cores: coresAllowed(e.Fleet), worst: map[string]float64{}, least: map[string]float64{}}
	e.result = e.newResult()
	err := e.stages(ctx)
	e.finish()
	return e.result, err
}

// Draft lays the study out without carrying anything out: the result's design.
func (e *Engine) Draft() (*Result, error) {
	r := e.newResult()
	if len(e.Space.Factors) == 0 {
		return r, nil
	}
	e.spent = e.cost(2*leastCalibration, 0)
	defer func() { e.spent = 0 }()
	var err error
	r.Design, err = e.lay()
	return r, err
}

func (e *Engine) newResult() *Result {
	return &Result{Schema: Schema, Goal: e.Goal.Name, Unit: e.Goal.Unit, Started: time.Now().UTC(), Seed: e.Seed, Space: e.Space,
		Margin: e.Margin, Budget: e.Budget, Effects: []Effect{}, Pairs: []Effect{}, Raced: []Candidate{}, Cells: []Cell{}}
}

func (e *Engine) stages(ctx context.Context) error {
	if err := e.calibrate(ctx); err != nil {
		return err
	}
	e.result.Unwatched = e.guard.blind(e.Goal.Kind, e.Hosts)
	if e.Proposals == nil {
		var err error
		if e.result.Design, err = e.lay(); err != nil {
			return err
		}
		e.smallest(e.result.Design.Replicates * len(e.result.Design.Runs))
	}
	if e.Agree != nil {
		if err := e.Agree(e.result); err != nil {
			return err
		}
	}
	candidates, err := e.candidates(ctx)
	if err != nil {
		return err
	}
	best, err := e.race(ctx, candidates)
	if err == nil && best != nil {
		best, err = e.refine(ctx, best)
	}
	if err == nil && best != nil {
		best, err = e.prune(ctx, best)
	}
	if err != nil {
		return err
	}
	if best == nil {
		e.result.Reason = cmp.Or(e.result.Reason, "no setting was shown to help")
		return nil
	}
	return e.confirm(ctx, best)
}

// finish sums up what there is.
func (e *Engine) finish() {
	r := e.result
	r.Trials, r.Seconds, r.Space = len(e.trials), e.spent, e.Space
	for settings, why := range e.barred {
		r.Barred = append(r.Barred, Barred{settings, why})
	}
	r.Barred = slices.DeleteFunc(r.Barred, func(b Barred) bool { return e.refusedInPart(b.Settings) })
	slices.SortFunc(r.Barred, func(a, b Barred) int { return cmp.Compare(a.Settings, b.Settings) })
	r.Cells = e.cells()
}

// refusedInPart says whether hosts refused these settings, and some of them alone too.
func (e *Engine) refusedInPart(settings string) bool {
	i := slices.IndexFunc(e.trials, func(t Trial) bool { return t.Settings == settings && t.Refused != "" })
	return i >= 0 && slices.ContainsFunc(e.trials, func(t Trial) bool {
		return t.Refused != "" && t.Settings != settings && t.Run.Within(e.trials[i].Run)
	})
}
