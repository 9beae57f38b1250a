package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"seaworthy/internal/change/plan"
)

// Turns puts plans on the same hosts in turns, to compare what they do. Each
// time is a run of its own with journal and verification. What was put on comes
// off in reverse order, whatever happened meanwhile.
type Turns struct {
	Runner *Runner
	Within time.Duration // see Toggle; 0: hosts do not restore anything by themselves

	all []*Toggle // every time a plan was put on
	on  []*Toggle // those that are on, the first one first
}

// restoreWait bounds a restoration that the hosts would carry out by themselves.
const restoreWait = 2 * time.Minute

// Put makes p the only plan that is on; nil puts back what was found. A plan
// that is on alone already stays as it is.
func (t *Turns) Put(ctx context.Context, p *plan.Plan) error {
	if len(t.on) == 1 && t.on[0].Plan == p {
		return nil
	}
	err := t.Restore(ctx)
	if err != nil || p == nil {
		return err
	}
	_, err = t.Add(ctx, p)
	return err
}

// Add puts a plan on beside those that are on, which must set other attributes.
// If it fails, the plan is on as far as the hosts could not undo it, and comes
// off with the others. The Toggle has the run, if one was begun.
func (t *Turns) Add(ctx context.Context, p *plan.Plan) (*Toggle, error) {
	toggle := &Toggle{Runner: t.Runner, Plan: p, Within: t.Within}
	if len(t.on) > 0 {
		toggle.Under = t.on[len(t.on)-1]
	}
	t.all = append(t.all, toggle)
	err := toggle.On(ctx)
	if toggle.on {
		t.on = append(t.on, toggle)
	}
	return toggle, err
}

// Remove takes a plan off, and those that were put on after it. One that is not
// on has no effect.
func (t *Turns) Remove(ctx context.Context, toggle *Toggle) error {
	first := slices.Index(t.on, toggle)
	if first < 0 {
		return nil
	}
	return t.takeOff(ctx, first)
}

// Restore puts back what was found: all plans come off. It goes on when ctx is
// cancelled, and can be called again after an error.
func (t *Turns) Restore(ctx context.Context) error { return t.takeOff(ctx, 0) }

// takeOff takes the plans off that were put on after the first so many. Only
// where hosts restore by themselves there is an end to waiting for them.
func (t *Turns) takeOff(ctx context.Context, left int) error {
	ctx = context.WithoutCancel(ctx)
	if t.Within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, restoreWait)
		defer cancel()
	}
	var failed error
	for i := len(t.on) - 1; i >= left; i-- {
		failed = errors.Join(failed, t.on[i].Off(ctx))
	}
	t.on = slices.DeleteFunc(t.on, func(x *Toggle) bool { return !x.on })
	if failed != nil && t.Within > 0 {
		return fmt.Errorf("putting back what was found: %w (hosts that are up restore it by themselves within %s)", failed, t.Within)
	}
	return failed
}

// Runs are the runs of all turns, in the order in which they began.
func (t *Turns) Runs() []Run {
	var all []Run
	for _, toggle := range t.all {
		all = append(all, toggle.Runs...)
	}
	return all
}
