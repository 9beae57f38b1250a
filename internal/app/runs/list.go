package runs

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/execute"
)

// Filter chooses runs.
type Filter struct {
	Outcomes []string // none: all
	All      bool     // also those of bench and tune that are over
}

// List is the runs that this machine knows.
type List struct {
	Runs      []execute.Run     // chosen and brought up to date, those of labs last; never nil
	IDs       map[string]string // full id → short id, of all runs
	Measuring int               // left out: over, and of bench or tune
	Unchecked int               // not brought up to date on all hosts
}

// Find lists the chosen runs.
func Find(ctx context.Context, access fleet.Access, f Filter) (*List, error) {
	journals, err := access.Journals()
	if err != nil {
		return nil, err
	}
	runs, err := journals.Runs(ctx)
	if err != nil {
		return nil, err
	}
	l := &List{Runs: []execute.Run{}, IDs: execute.ShortIDs(runs)}
	t := progress.Begin(ctx, "checking", "run", len(runs))
	defer t.End()
	for i := range runs {
		run := &runs[i]
		t.Step(run.ID)
		if run.Lookup.Purpose != "" && run.Over() && !f.All {
			l.Measuring++
			continue
		}
		_, p, err := journals.Load(ctx, run.ID)
		if err == nil {
			run, err = Refresh(ctx, access, run, p)
			if err != nil {
				l.Unchecked++
			}
		}
		if len(f.Outcomes) == 0 || slices.Contains(f.Outcomes, string(run.Outcome)) {
			l.Runs = append(l.Runs, *run)
		}
	}
	slices.SortStableFunc(l.Runs, func(x, y execute.Run) int { return cmp.Compare(rank(x), rank(y)) })
	return l, nil
}

// rank puts runs of labs last.
func rank(r execute.Run) int {
	if r.Lookup.Lab() != "" {
		return 1
	}
	return 0
}

// Prune forgets the runs that ended longer ago than age. The error names those
// that could not be removed; the others are.
func Prune(ctx context.Context, access fleet.Access, age time.Duration) (removed []string, kept int, err error) {
	journals, err := access.Journals()
	if err != nil {
		return nil, 0, err
	}
	runs, err := journals.Runs(ctx)
	if err != nil {
		return nil, 0, err
	}
	removed = []string{}
	var failed error
	for _, run := range runs {
		if !run.Over() || run.Ended.IsZero() || time.Since(run.Ended) < age {
			continue
		}
		err := journals.Remove(&run)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		removed = append(removed, run.ID)
	}
	return removed, len(runs) - len(removed), failed
}
