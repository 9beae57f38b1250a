package execute

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"seaworthy/change/plan"
	"seaworthy/change/task"
	"seaworthy/remote"
)

// step carries a step out by act, and journals before and after. What it finds
// is in the journal before anything is changed.
func (r *Runner) step(ctx context.Context, s plan.Step, write func(...event) error, act func() error) error {
	if err := write(event{Event: evPrior, Step: s.ID, Prior: s.Changes}, event{Event: evDoing, Step: s.ID}); err != nil {
		return err
	}
	r.progress(ctx, s, evDoing, nil)
	if err := act(); err != nil {
		r.progress(ctx, s, evFailed, err)
		return errors.Join(err, write(event{Event: evFailed, Step: s.ID, Error: err.Error()}))
	}
	r.progress(ctx, s, evDone, nil)
	return write(event{Event: evDone, Step: s.ID})
}

// do carries a step out over the session.
func (r *Runner) do(ctx context.Context, j *journal, s plan.Step) error {
	return r.step(ctx, s, j.write, func() error {
		if err := r.line(ctx, s, s.Forward()); err != nil {
			return err
		}
		return r.verify(ctx, s)
	})
}

func (r *Runner) line(ctx context.Context, s plan.Step, line string) error {
	res, err := r.Hosts[s.Host].Run(ctx, remote.Command{Line: line, Limit: r.limit()})
	if err != nil {
		return fmt.Errorf("%s %s: %w", s.Host, s.Element, err)
	}
	if res.Exit != 0 {
		return fmt.Errorf("%s %s: %s: exit status %d: %s", s.Host, s.Element, line, res.Exit, said(res))
	}
	return nil
}

// verify reads back what the plan's checks name, then the whole host, since a
// changed next-boot value does not prove the running one.
func (r *Runner) verify(ctx context.Context, s plan.Step) error {
	for _, c := range s.Verify {
		res, err := r.Hosts[s.Host].Run(ctx, remote.Command{Line: c.Command})
		if err != nil {
			return fmt.Errorf("%s %s: %w", s.Host, s.Element, err)
		}
		if got := task.Printed(string(res.Stdout)); res.Exit != 0 || got != c.Want {
			return fmt.Errorf("%s %s: %s is %q after the change, wanted %q (%s: exit status %d %s)",
				s.Host, c.Element, c.Attr, got, c.Want, c.Command, res.Exit, said(res))
		}
	}
	return r.compare(ctx, s, func(c task.Change) task.Values { return c.After })
}

// compare reads the host and holds each attribute against what it should be.
func (r *Runner) compare(ctx context.Context, s plan.Step, want func(task.Change) task.Values) error {
	h, err := r.Read(ctx, s.Host)
	if err != nil {
		return fmt.Errorf("%s %s: reading back: %w", s.Host, s.Element, err)
	}
	for _, c := range s.Changes {
		if now := s.ValuesOf(c, h); !want(c).Match(now) {
			return fmt.Errorf("%s %s: %s is %s after the change, wanted %s", s.Host, s.Of(c).Element, c.Attr, now, want(c))
		}
	}
	return nil
}

// undone is what became of an undo: how many steps have their earlier values,
// and what went wrong with the hosts and, apart from that, with the journal.
type undone struct {
	steps            int
	failed, unlogged []error
}

// undoAll undoes, in reverse, every step of a run that may have changed its host.
func (r *Runner) undoAll(ctx context.Context, j *journal, p *plan.Plan, run *Run) (out undone) {
	var mu sync.Mutex
	for _, stage := range slices.Backward(p.Stages()) {
		stage = begun(run, stage)
		if len(stage) > 0 && ctx.Err() != nil {
			out.failed = append(out.failed, fmt.Errorf("stopped before %s: %w", stage[0].ID, context.Cause(ctx)))
			return out
		}
		_ = forEachStep(stage, func(s plan.Step) error { // its errors are in out
			err, logged := r.undo(context.WithoutCancel(ctx), j, s)
			mu.Lock()
			defer mu.Unlock()
			if logged != nil {
				out.unlogged = append(out.unlogged, logged)
			}
			if err != nil {
				out.failed = append(out.failed, err)
			} else {
				out.steps++
			}
			return nil
		})
	}
	return out
}

func (u undone) outcome() Outcome {
	if len(u.failed) > 0 {
		return Partial
	}
	return RolledBack
}

// undo says whether the host has its old values again and, apart from that,
// whether the journal could be written: a full disk must not keep a host from
// its old values, nor from the news that it has them.
func (r *Runner) undo(ctx context.Context, j *journal, s plan.Step) (err, logged error) {
	logged = j.write(event{Event: evUndoing, Step: s.ID})
	r.progress(ctx, s, evUndoing, nil)
	err = r.line(ctx, s, s.Back())
	if err == nil {
		err = r.compare(ctx, s, s.Undone)
	}
	if err != nil {
		r.progress(ctx, s, evNotUndid, err)
		return err, errors.Join(logged, j.write(event{Event: evNotUndid, Step: s.ID, Error: err.Error()}))
	}
	r.progress(ctx, s, evUndone, nil)
	return nil, errors.Join(logged, j.write(event{Event: evUndone, Step: s.ID}))
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

// said is what a command printed, short enough for an error message.
func said(r *remote.Result) string {
	s := strings.Join(strings.Fields(string(r.Stderr)+" "+string(r.Stdout)), " ")
	if len(s) > 300 {
		s = s[:300] + "…"
	}
	return s
}
