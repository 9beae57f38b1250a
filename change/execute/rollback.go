package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"seaworthy/progress"
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
	if k.journal, err = r.Journals.open(ctx, id); err != nil {
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
		if err := k.take(ctx, newID(), hosts); err != nil {
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
