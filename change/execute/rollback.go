package execute

import (
	"context"
	"errors"
	"fmt"
)

// Rollback restores the running and next-boot values that a run found, in
// reverse order, and reads them back. A run that was killed is rolled back as
// far as its journal says it may have come. A second rollback has nothing to do.
// A run that this machine does not know, but the hosts do, is taken back by them.
func (r *Runner) Rollback(ctx context.Context, id string) (*Run, error) {
	run, p, err := r.Journals.Load(id)
	if errors.Is(err, ErrNoRun) && runID.MatchString(id) {
		return r.revertUnknown(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	if run.Within != "" {
		return r.rollbackConfirmed(ctx, run, p)
	}
	for i, s := range p.Steps {
		if run.Steps[i].undoable() && r.Hosts[s.Host] == nil {
			return nil, fmt.Errorf("run %s: host %s is not connected", id, s.Host)
		}
	}
	release, err := r.Journals.lock(ctx, p.Hosts)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	defer release()
	// Only now: another rollback may have come first.
	if run, p, err = r.Journals.Load(id); err != nil {
		return nil, err
	}
	j, err := r.Journals.open(id)
	if err != nil {
		return nil, err
	}
	defer j.file.Close()
	back := r.undoAll(ctx, j, p, run)
	err = errors.Join(back.failed...)
	if back.steps == 0 && err == nil {
		return r.Journals.now(j)
	}
	run, err = r.ended(j, back.outcome(), err)
	return run, errors.Join(err, errors.Join(back.unlogged...))
}
