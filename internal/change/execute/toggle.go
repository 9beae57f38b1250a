package execute

import (
	"context"
	"errors"
	"fmt"
	"time"

	"seaworthy/internal/change/plan"
)

// Toggle puts a plan on and takes it off again, each time as a run of its own
// with journal and verification, so that its two sides can be compared.
type Toggle struct {
	Runner *Runner
	Plan   *plan.Plan
	Runs   []Run // what became of every time it was put on

	// Within, if not 0, has the hosts take the plan off by themselves, should they hear
	// nothing for so long: this program was killed, or has lost them.
	Within time.Duration
	Under  *Toggle // that stays on meanwhile, of other attributes; nil: none

	on bool
}

// On applies the plan, unless it is on.
func (t *Toggle) On(ctx context.Context) error {
	if t.on {
		return nil
	}
	c := Confirmation{Within: t.Within, Leave: true}
	if t.Under != nil && t.Under.on {
		c.Under = t.Under.Runs[len(t.Under.Runs)-1].ID
	}
	run, err := t.Runner.ApplyWithin(ctx, t.Plan, c)
	if run != nil {
		t.Runs = append(t.Runs, *run)
		// A run that failed half-way and could not be undone is still on.
		t.on = run.Outcome != RolledBack
		t.clean(ctx)
	}
	if err != nil {
		return fmt.Errorf("apply plan %s: %w", t.Plan.ID, err)
	}
	return nil
}

// Extend gives the hosts Within again.
func (t *Toggle) Extend(ctx context.Context) error {
	if !t.on || t.Within == 0 {
		return nil
	}
	k := &attempt{Runner: t.Runner, plan: t.Plan, id: t.Runs[len(t.Runs)-1].ID, within: t.Within}
	return k.extend(ctx, t.Plan.Hosts)
}

// Off rolls the plan back, unless it is off.
func (t *Toggle) Off(ctx context.Context) error {
	if !t.on {
		return nil
	}
	last := &t.Runs[len(t.Runs)-1]
	run, err := t.Runner.Rollback(ctx, last.ID)
	if run != nil {
		*last = *run
		t.on = run.Outcome != RolledBack
		t.clean(ctx)
	}
	if err != nil {
		return fmt.Errorf("roll back run %s: %w", last.ID, err)
	}
	if t.on {
		return errors.New("roll back run " + last.ID + ": some values are not as they were")
	}
	return nil
}

// clean removes what a run that is over has left on the hosts. A host that does not
// answer keeps its record: seaworthy cleanup removes it later.
func (t *Toggle) clean(ctx context.Context) {
	if t.Within > 0 && !t.on {
		_, _ = t.Runner.Clean(context.WithoutCancel(ctx), t.Runs[len(t.Runs)-1].ID)
	}
}
