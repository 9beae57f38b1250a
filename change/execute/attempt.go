package execute

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"seaworthy/change/plan"
	"seaworthy/change/watchdog"
	"seaworthy/remote"
)

// attempt is a plan being carried out or taken back.
type attempt struct {
	*Runner
	plan    *plan.Plan
	journal *journal // nil: nothing is written, the run may be another machine's
	id      string
	manual  map[string]string // manual steps, and how it is known that they are done
	within  time.Duration     // 0: steps are made over the session, else by the hosts, which watch over themselves
	leased  []string
	lease   string // run under which the hosts' locks are held for steps over the session; empty: they are not

	extending func() // ends what keeps the lease
}

func (k *attempt) watchdog(host string) watchdog.Client {
	c := watchdog.Client{Host: k.Hosts[host], Folder: k.Folder}
	if k.Fresh != nil {
		c.Dial = func(ctx context.Context) (remote.Host, error) { return k.Fresh(ctx, host) }
	}
	return c
}

// carryOut makes all steps and proves what is to be proved.
func (k *attempt) carryOut(ctx context.Context) error {
	if k.within > 0 {
		if err := k.arm(ctx); err != nil {
			return err
		}
		defer k.alive(context.WithoutCancel(ctx), k.id, k.within, k.plan.Hosts)()
	} else if k.Exclusive {
		if err := k.take(ctx, k.id, k.plan.Hosts); err != nil {
			return err
		}
	}
	if err := k.forward(ctx); err != nil {
		return err
	}
	if k.within > 0 {
		err := forEachHost(k.plan.Hosts, func(h string) error {
			return differs(ctx, h, k.readFresh, k.plan.Last(h), later)
		})
		if err != nil {
			return err
		}
	}
	return k.prove(ctx, k.plan.Proofs)
}

// step makes a step, and journals before and after. What it finds is in the
// journal before anything is changed.
func (k *attempt) step(ctx context.Context, s plan.Step) error {
	if err := k.journal.write(event{Event: evPrior, Step: s.ID, Prior: s.Changes}, event{Event: evDoing, Step: s.ID}); err != nil {
		return err
	}
	k.progress(ctx, s, evDoing, nil)
	do := k.bySession
	if k.within > 0 {
		do = k.byHost
	}
	if err := do(ctx, s); err != nil {
		k.progress(ctx, s, evFailed, err)
		return errors.Join(err, k.journal.write(event{Event: evFailed, Step: s.ID, Error: err.Error()}))
	}
	k.progress(ctx, s, evDone, nil)
	return k.journal.write(event{Event: evDone, Step: s.ID})
}

// takeBack undoes what may have been done, as far as it can, and says whether
// there was anything.
func (k *attempt) takeBack(ctx context.Context) (found bool, err error) {
	if k.within > 0 {
		return true, k.revertAll(context.WithoutCancel(ctx))
	}
	return k.undoAll(ctx)
}

// undone notes what became of an undo. A journal that cannot be written keeps no
// host from its earlier values, nor from the news that it has them.
func (k *attempt) undone(ctx context.Context, s plan.Step, err error) {
	e := event{Event: evUndone, Step: s.ID}
	if err != nil {
		e = event{Event: evNotUndid, Step: s.ID, Error: err.Error()}
	}
	k.progress(ctx, s, e.Event, err)
	_ = k.journal.write(e)
}

// begun are the steps that may have changed their hosts.
func (k *attempt) begun() map[string]bool {
	begun := map[string]bool{}
	for _, s := range k.journal.now().Steps {
		begun[s.Step] = s.undoable()
	}
	return begun
}

// ended notes the end of a run and gives the run as its journal has it.
func (k *attempt) ended(outcome Outcome, failure error) (*Run, error) {
	end := event{Event: evEnd, Outcome: outcome}
	if failure != nil {
		end.Error = failure.Error()
	}
	failure = errors.Join(failure, k.journal.write(end))
	return k.journal.now(), failure
}

// progress reports one step at a time.
func (r *Runner) progress(ctx context.Context, s plan.Step, state string, err error) {
	slog.DebugContext(ctx, "step", "step", s.ID, "host", s.Host, "state", state, "error", err)
	if r.Progress != nil {
		r.reporting.Lock()
		defer r.reporting.Unlock()
		r.Progress(s, state, err)
	}
}

// Rollback restores the running and next-boot values that a run found, in
// reverse order, and reads them back. A run that was killed is rolled back as
// far as its journal says it may have come. A second rollback has nothing to do.
// A run that this machine does not know, but the hosts do, is taken back by them.
func (r *Runner) Rollback(ctx context.Context, id string) (*Run, error) {
	run, p, err := r.Journals.Load(id)
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
	if k.journal, err = r.Journals.open(id); err != nil {
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
		defer k.leave(context.WithoutCancel(ctx))
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
