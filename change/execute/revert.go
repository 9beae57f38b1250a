package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/change/plan"
	"seaworthy/change/watchdog"
)

// revertAll has every host take back what it did, the host of the last step
// first, and reads it back. Hosts whose steps do not depend on each other go
// side by side.
func (k *confirmedRun) revertAll(ctx context.Context) Outcome {
	outcome := RolledBack
	for _, hosts := range reverseOrder(k.plan) {
		if err := forEachHost(hosts, func(h string) error { return k.revertHost(ctx, h) }); err != nil {
			outcome = Partial
		}
	}
	return outcome
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

// revertHost takes one host back and says so of each of its steps.
func (k *confirmedRun) revertHost(ctx context.Context, host string) error {
	steps, _ := k.plan.Of(host)
	slices.Reverse(steps)
	err := k.revertBy(ctx, host)
	begun := k.begun()
	if errors.Is(err, watchdog.ErrNoRun) {
		err = k.revertViaSession(ctx, steps, begun)
	}
	if err == nil && k.journal != nil {
		one := &confirmedRun{Runner: k.Runner, plan: &plan.Plan{Hosts: []string{host}, Steps: k.plan.Steps}, id: k.id}
		err = one.compareAll(ctx, earlier, func(s plan.Step) bool { return begun[s.ID] })
	}
	state := event{Event: evUndone}
	if err != nil {
		state = event{Event: evNotUndid, Error: err.Error()}
	}
	for _, s := range steps {
		if !begun[s.ID] {
			continue
		}
		state.Step = s.ID
		k.progress(ctx, s, state.Event, err)
		// A journal that cannot be written takes no values back from the host.
		_ = k.write(state)
	}
	return err
}

// revertBy has a host restore its earlier values by itself.
func (k *confirmedRun) revertBy(ctx context.Context, host string) error {
	s, err := k.watchdog(host).Revert(ctx, k.id)
	if err == nil && s.Phase != watchdog.Reverted {
		err = fmt.Errorf("%s: run %s is %s: %s", host, k.id, s.Phase, strings.Join(s.Log, "; "))
	}
	return err
}

// revertViaSession undoes steps of a host that has no record of the run, because
// nothing was begun there or because the record is old and was removed.
func (k *confirmedRun) revertViaSession(ctx context.Context, steps []plan.Step, begun map[string]bool) error {
	var errs []error
	for _, s := range steps {
		if begun[s.ID] {
			errs = append(errs, k.line(ctx, s, s.Back()))
		}
	}
	return errors.Join(errs...)
}

// begun are the steps that may have changed their hosts.
func (k *confirmedRun) begun() map[string]bool {
	begun := map[string]bool{}
	var run *Run
	var err error
	if k.journal != nil {
		run, err = k.Journals.now(k.journal)
	} else {
		run, _, err = k.Journals.Load(k.id)
	}
	for i, s := range k.plan.Steps {
		begun[s.ID] = err != nil || run.Steps[i].undoable()
	}
	return begun
}
