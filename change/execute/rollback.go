package execute

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"seaworthy/change/plan"
	"seaworthy/remote"
)

// Rollback restores the running and next-boot values that a run found, in
// reverse order, and reads them back. A run that was killed is rolled back as
// far as its journal says it may have come. A second rollback has nothing to do.
// A run that this machine does not know, but the hosts do, is taken back by them.
func (r *Runner) Rollback(ctx context.Context, id string) (*Run, error) {
	run, p, err := r.Journals.Load(id)
	if errors.Is(err, ErrNoRun) && runID.MatchString(id) {
		return r.takeBack(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	if run.Within != "" {
		return r.rollbackKept(ctx, run, p)
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
	j, err := openJournal(filepath.Join(r.Journals.Dir, id), id)
	if err != nil {
		return nil, err
	}
	defer j.file.Close()
	var mu sync.Mutex
	var failed, unlogged []error
	undone := 0
	for _, group := range slices.Backward(p.Stages()) {
		group = begun(run, group)
		if len(group) == 0 {
			continue
		}
		if ctx.Err() != nil {
			failed = append(failed, fmt.Errorf("stopped before %s: %w", group[0].ID, context.Cause(ctx)))
			break
		}
		_ = forEachStep(group, func(s plan.Step) error {
			err, logged := r.undo(context.WithoutCancel(ctx), j, s)
			mu.Lock()
			defer mu.Unlock()
			if logged != nil {
				unlogged = append(unlogged, logged)
			}
			if err != nil {
				failed = append(failed, err)
			} else {
				undone++
			}
			return nil
		})
	}
	outcome := RolledBack
	if len(failed) > 0 {
		outcome = Partial
	}
	err = errors.Join(failed...)
	if undone > 0 || err != nil {
		end := event{Event: evEnd, Outcome: outcome}
		if err != nil {
			end.Error = err.Error()
		}
		err = errors.Join(err, errors.Join(unlogged...), j.write(end))
	}
	run, lerr := r.Journals.now(j)
	return run, errors.Join(err, lerr)
}

// said is what a command printed, short enough for an error message.
func said(r *remote.Result) string {
	s := strings.Join(strings.Fields(string(r.Stderr)+" "+string(r.Stdout)), " ")
	if len(s) > 300 {
		s = s[:300] + "…"
	}
	return s
}
