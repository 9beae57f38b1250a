package execute

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/watchdog"
)

// Confirm makes a run stay that is pending on its hosts: all of them, or none.
// It needs no journal: any machine that reaches the hosts can confirm. The
// run it returns is what the hosts say.
func (r *Runner) Confirm(ctx context.Context, id string) (*Run, error) {
	k, run, err := r.known(ctx, id)
	if err != nil {
		return nil, err
	}
	if run.Hosts, err = k.states(ctx, k.plan.Hosts); err != nil {
		return nil, err
	}
	run.Outcome = OutcomeOf(run.Hosts)
	var open []string
	within := 0 * time.Second
	for _, s := range run.Hosts {
		switch s.Phase {
		case watchdog.Armed:
			open = append(open, s.Host)
			within = max(within, time.Duration(s.Window)*time.Second)
		case watchdog.Confirmed: // before a confirmation broke off: it stays so
		default:
			return run, fmt.Errorf("run %s on %s: %s: %w", id, s.Host, s.Phase, watchdog.ErrOver)
		}
	}
	if err = k.extend(ctx, open); err != nil {
		k.ask(ctx, run)
		return run, err // all of it is pending still: it can be confirmed later
	}
	run.Moves = k.movesWithin(ctx, run, within/2)
	if err = k.confirm(ctx, open, within); err != nil {
		err = errors.Join(err, k.takeBackAll(context.WithoutCancel(ctx)))
		k.ask(context.WithoutCancel(ctx), run)
		return run, errors.Join(err, r.RecordOutcome(ctx, run))
	}
	// Not asked again: an apply that waits for this removes the run's records.
	for i := range run.Hosts {
		run.Hosts[i].Phase, run.Hosts[i].Left = watchdog.Confirmed, 0
	}
	run.Outcome = Applied
	events := []event{{Event: evEnd, Outcome: Applied}}
	if len(run.Moves) > 0 {
		events = append([]event{{Event: evMoved, Moves: run.Moves}}, events...)
	}
	return run, r.note(context.WithoutCancel(ctx), id, events...)
}

// movesWithin compares where the hosts are, in a part of the time that they wait.
func (r *Runner) movesWithin(ctx context.Context, run *Run, limit time.Duration) []Move {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return r.Moves(ctx, run)
}

// ask brings a run up to date with what its hosts say, where all of them answer.
func (k *attempt) ask(ctx context.Context, run *Run) {
	if now, err := k.states(ctx, k.plan.Hosts); err == nil {
		run.Hosts = now
	}
	run.Outcome = OutcomeOf(run.Hosts)
}

// takeBackAll has every host of a run take it back that was confirmed on some of them
// only. A host that does not answer does so by itself: its time is over.
func (k *attempt) takeBackAll(ctx context.Context) error {
	return shown(ctx, "taking back", k.plan.Hosts, func(h string) error {
		s, err := k.watchdog(h).Show(ctx, k.id)
		if err != nil {
			return fmt.Errorf("%w (not confirmed there, so the host takes it back by itself)", err)
		}
		if s.Phase == watchdog.Reverted {
			return nil
		}
		return k.revertBy(ctx, h)
	})
}

// RecordOutcome notes in a run's journal what its hosts say became of it, once all of
// them have come to an end.
func (r *Runner) RecordOutcome(ctx context.Context, run *Run) error {
	switch o := OutcomeOf(run.Hosts); o {
	case Applied, RolledBack:
		run.Outcome = o
		run.undone()
		return r.note(context.WithoutCancel(ctx), run.ID, event{Event: evEnd, Outcome: o})
	}
	return nil
}

// OutcomeOf is a run's outcome as its hosts report it.
func OutcomeOf(states []watchdog.State) Outcome {
	phases := map[watchdog.Phase]bool{}
	for _, s := range states {
		phases[s.Phase] = true
	}
	switch {
	case len(phases) > 1, phases[watchdog.Failed]:
		return Partial
	case phases[watchdog.Confirmed]:
		return Applied
	case phases[watchdog.Reverted]:
		return RolledBack
	case phases[watchdog.Armed]:
		return Pending
	}
	return Running
}

// known finds the hosts of a run: from the journal, or by asking those that are
// connected. Then its plan has no steps: they are on the hosts.
func (r *Runner) known(ctx context.Context, id string) (*attempt, *Run, error) {
	if !runID.MatchString(id) {
		return nil, nil, fmt.Errorf("%q: %w", id, ErrNoRun)
	}
	run, p, err := r.Journals.Load(ctx, id)
	k := &attempt{Runner: r, plan: p, id: id}
	if errors.Is(err, ErrNoRun) {
		run, k.plan = &Run{ID: id, Steps: []StepRun{}}, &plan.Plan{}
		names := slices.Sorted(maps.Keys(r.Hosts))
		var states []watchdog.State
		states, err = statesWhereKnown(ctx, k, names)
		for _, s := range states {
			if s.Phase != "" {
				run.Plan = plan.ID(s.Plan)
				k.plan.Hosts = append(k.plan.Hosts, s.Hosts...)
			}
		}
		if len(k.plan.Hosts) == 0 {
			return nil, nil, unknownRun(id, names, err)
		}
		slices.Sort(k.plan.Hosts)
		k.plan.ID, k.plan.Hosts, err = run.Plan, slices.Compact(k.plan.Hosts), nil
	}
	if err == nil {
		if err = r.connected(k.plan.Hosts); err != nil {
			err = fmt.Errorf("run %s: %w: name it", id, err)
		}
	}
	return k, run, err
}

// statesWhereKnown asks hosts for the run of an attempt. The state of a host that does not know
// it is empty; an error is that of a host that could not be asked.
func statesWhereKnown(ctx context.Context, k *attempt, hosts []string) ([]watchdog.State, error) {
	return gather(ctx, "", hosts, func(h string) (watchdog.State, error) {
		s, err := k.watchdog(h).Show(ctx, k.id)
		switch {
		case errors.Is(err, watchdog.ErrNoRun):
			return watchdog.State{}, nil
		case err != nil:
			return watchdog.State{}, err
		}
		return *s, nil
	})
}

// unknownRun says once that no host knows a run, and how to list those that are
// known; asking is the error of the hosts that could not be asked.
func unknownRun(id string, hosts []string, asking error) error {
	list := "seaworthy status lists the runs of this machine, seaworthy status --host HOST those that a host knows of"
	switch {
	case len(hosts) == 0:
		return fmt.Errorf("%s: %w here, and no host was asked: %s", id, ErrNoRun, list)
	case asking != nil:
		return fmt.Errorf("%s: %w here or on the hosts that could be asked: %s; %w", id, ErrNoRun, list, asking)
	}
	return fmt.Errorf("%s: %w here or on %s: %s", id, ErrNoRun, strings.Join(hosts, ", "), list)
}

// revertUnknown rolls a run back that only the hosts know of.
func (r *Runner) revertUnknown(ctx context.Context, id string) (*Run, error) {
	k, run, err := r.known(ctx, id)
	if err != nil {
		return nil, err
	}
	err = forEachHost(k.plan.Hosts, func(h string) error { return k.revertBy(ctx, h) })
	run.Outcome = Partial
	if states, serr := k.states(ctx, k.plan.Hosts); serr == nil {
		run.Hosts, run.Outcome = states, OutcomeOf(states)
	}
	return run, err
}

// Watched asks the connected hosts for the runs that they watch over, old ones
// too. A host that cannot be asked does not hide the others: its error is
// joined to the result.
func (r *Runner) Watched(ctx context.Context) ([]watchdog.State, error) {
	names := slices.Sorted(maps.Keys(r.Hosts))
	found, err := gather(ctx, "asking for runs", names, func(h string) ([]watchdog.State, error) { return r.watchdog(h).Runs(ctx) })
	return slices.Concat(found...), err
}

// Cleaned holds what is left on a host of runs that it watched over.
type Cleaned struct {
	Host    string           `json:"host"`
	Removed []string         `json:"removed"` // records of finished runs
	Left    []watchdog.State `json:"left"`    // runs that are not over
}

// Clean removes the records of finished runs, or of one, from the connected
// hosts. A record is what another machine could roll a run back with; this one
// has its journal. A host that cannot be asked does not stop the others.
func (r *Runner) Clean(ctx context.Context, id string) ([]Cleaned, error) {
	names := slices.Sorted(maps.Keys(r.Hosts))
	return gather(ctx, "removing old runs", names, func(h string) (Cleaned, error) {
		removed, left, err := r.watchdog(h).Clean(ctx, id)
		return Cleaned{Host: h, Removed: append([]string{}, removed...), Left: append([]watchdog.State{}, left...)}, err
	})
}
