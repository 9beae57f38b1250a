package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/change/plan"
	"seaworthy/change/task"
	"seaworthy/change/watchdog"
)

// revertAll has every host take back what it did, the host of the last step
// first, and reads it back. Hosts whose steps do not depend on each other go
// side by side.
func (k *attempt) revertAll(ctx context.Context) error {
	var errs []error
	for _, hosts := range reverseOrder(k.plan) {
		errs = append(errs, forEachHost(hosts, func(h string) error { return k.revertHost(ctx, h) }))
	}
	return errors.Join(errs...)
}

// reverseOrder are the plan's hosts, that of the last step first; those that have
// all their steps in one stage are together.
func reverseOrder(p *plan.Plan) [][]string {
	stages := map[string]int{}        // of a host: 0 if its steps have several, or none
	seen := map[string]bool{"": true} // what was done manually stays
	for _, s := range p.Steps {
		if was, before := stages[s.Host]; before && was != s.Stage {
			stages[s.Host] = 0
		} else {
			stages[s.Host] = s.Stage
		}
	}
	var out [][]string
	for _, s := range slices.Backward(p.Steps) {
		if seen[s.Host] {
			continue
		}
		seen[s.Host] = true
		n := len(out)
		if stage := stages[s.Host]; n > 0 && stage != 0 && stages[out[n-1][0]] == stage {
			out[n-1] = append(out[n-1], s.Host)
			continue
		}
		out = append(out, []string{s.Host})
	}
	return out
}

// revertHost takes one host back and says so of each of its steps. One that has
// no record of the run, because nothing was begun there or because the record is
// old and was removed, is taken back over the session.
func (k *attempt) revertHost(ctx context.Context, host string) error {
	begun := k.begun()
	steps, _ := k.plan.Of(host)
	steps = slices.DeleteFunc(steps, func(s plan.Step) bool { return !begun[s.ID] })
	slices.Reverse(steps)
	err := k.revertBy(ctx, host)
	if errors.Is(err, watchdog.ErrNoRun) {
		err = nil
		for _, s := range steps {
			err = errors.Join(err, k.line(ctx, s, s.Back()))
		}
	}
	if err == nil {
		err = differs(ctx, host, k.readFresh, k.plan.First(host), func(s plan.Step, c task.Change) task.Values {
			if !begun[s.ID] {
				return task.Values{} // anything
			}
			return s.Undone(c)
		})
	}
	for _, s := range steps {
		k.undone(ctx, s, err)
	}
	return err
}

// revertBy has a host restore its earlier values by itself.
func (k *attempt) revertBy(ctx context.Context, host string) error {
	s, err := k.watchdog(host).Revert(ctx, k.id)
	if err == nil && s.Phase != watchdog.Reverted {
		err = fmt.Errorf("%s: run %s is %s: %s", host, k.id, s.Phase, strings.Join(s.Log, "; "))
	}
	return err
}
