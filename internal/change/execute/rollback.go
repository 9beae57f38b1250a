package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
)

// Rollback restores the running and next-boot values that a run found, in
// reverse order, and reads them back. A run that was killed is rolled back as
// far as its journal says it may have come. A second rollback has nothing to do.
// A run that this machine does not know, but the hosts do, is taken back by them.
func (r *Runner) Rollback(ctx context.Context, id string) (*Run, error) {
	run, p, err := r.Journals.Load(ctx, id)
	if errors.Is(err, ErrNoRun) && len(r.Hosts) > 0 && runID.MatchString(id) {
		return r.revertUnknown(ctx, id)
	}
	if err != nil || run.Outcome == RolledBack {
		return run, err
	}
	if len(run.Waits) > 0 {
		r.verifyBeforeUndo(ctx, id)
	}
	k := &attempt{Runner: r, plan: p, id: id}
	if run.Within != "" {
		if k.within, err = time.ParseDuration(run.Within); err == nil {
			err = r.connected(p.Hosts)
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", id, err)
		}
	} else {
		// Of a run that waits for a confirmation the hosts have the lock.
		release, err := r.Journals.lock(ctx, p.Hosts)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", id, err)
		}
		defer release()
	}
	// Only now: another rollback may have come first.
	if k.journal, err = r.Journals.reopen(ctx, id); err != nil {
		return nil, err
	}
	defer k.journal.file.Close()
	begun := k.begun()
	for _, s := range p.Steps {
		if begun[s.ID] && r.Hosts[s.Host] == nil {
			return nil, fmt.Errorf("run %s: host %s is not connected", id, s.Host)
		}
	}
	if k.Exclusive && run.Within == "" {
		// A run that was killed may hold the locks still.
		hosts := slices.DeleteFunc(slices.Clone(p.Hosts), func(h string) bool { return r.Hosts[h] == nil })
		_ = forEachHost(hosts, func(h string) error { return k.watchdog(h).Leave(ctx, id) })
		defer k.release()
		if err := k.lockHosts(ctx, newID(), hosts); err != nil {
			return nil, err
		}
	}
	found, err := k.takeBack(ctx)
	switch {
	case err != nil:
		return k.ended(Partial, err)
	case !found && k.journal.now().Outcome != Running: // of a run that was killed before its first step, the end is missing
		return k.journal.now(), nil
	}
	return k.ended(RolledBack, nil)
}

// takeBack undoes what may have been done, as far as it can, and says whether
// there was anything.
func (k *attempt) takeBack(ctx context.Context) (found bool, err error) {
	k.shown = progress.Begin(ctx, "undoing", "step", 0)
	defer k.shown.End()
	if k.within > 0 {
		return true, k.revertAll(context.WithoutCancel(ctx))
	}
	return k.undoAll(ctx)
}

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
			err = errors.Join(err, k.work(ctx, s, s.Back()))
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
