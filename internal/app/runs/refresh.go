package runs

import (
	"context"
	"errors"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
)

// Refresh brings a run up to date with what its hosts report: whether values
// for the next boot are in force, and what became of a pending confirmation.
// The run is as its journal has it where they do not answer.
func Refresh(ctx context.Context, access fleet.Access, run *execute.Run, p *plan.Plan) (*execute.Run, error) {
	open := run.Within != "" && (run.Outcome == execute.Pending || run.Outcome == execute.Running)
	waits := run.Outcome == execute.Applied && len(run.Waits) > 0
	if !open && !waits {
		return run, nil
	}
	r, closeAll, err := Open(ctx, access.Of(run), p.Hosts)
	if err != nil {
		return run, err
	}
	defer closeAll()
	var failed error
	if waits {
		now, err := r.VerifyAfterReboot(ctx, run.ID)
		failed = err
		if now != nil {
			run = now
		}
	}
	if !open {
		return run, failed
	}
	states, err := r.Watched(ctx)
	for _, s := range states {
		if s.Run == run.ID {
			run.Hosts = append(run.Hosts, s)
		}
	}
	run.Moves = r.Moves(ctx, run)
	if len(run.Hosts) == len(p.Hosts) {
		run.Outcome = execute.OutcomeOf(run.Hosts)
		run.Gone = run.Gone && run.Outcome == execute.Running
		err = errors.Join(err, r.RecordOutcome(ctx, run))
	}
	return run, errors.Join(failed, err)
}

// Load returns a run by its id or the beginning of it, brought up to date. The
// run is good even if unchecked is not nil: some hosts did not answer.
func Load(ctx context.Context, access fleet.Access, id string) (run *execute.Run, unchecked, err error) {
	journals, err := access.Journals()
	if err != nil {
		return nil, nil, err
	}
	id, err = journals.Resolve(id)
	if err != nil {
		return nil, nil, err
	}
	run, p, err := journals.Load(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	run, unchecked = Refresh(ctx, access, run, p)
	return run, unchecked, nil
}
