package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
)

func (a *app) rollback() *cobra.Command {
	return a.command("rollback", nil, func(c *cobra.Command, argv []string) error {
		id, _, err := a.finished(c.Context(), argv[0])
		if err != nil {
			return err
		}
		r, done, err := a.runnerOf(c.Context(), id, argv[1:])
		if err != nil {
			return err
		}
		defer done()
		run, err := r.Rollback(c.Context(), id)
		if run == nil {
			return err
		}
		return a.Conclude(err, run, func(p *report.Document) { report.Run(p, run) })
	})
}

func (a *app) confirm() *cobra.Command {
	return a.command("confirm", nil, func(c *cobra.Command, argv []string) error {
		id, over, err := a.finished(c.Context(), argv[0])
		if err != nil {
			return err
		}
		if over != nil {
			return a.ran(over, nil)
		}
		r, done, err := a.runnerOf(c.Context(), id, argv[1:])
		if err != nil {
			return err
		}
		defer done()
		run, err := r.Confirm(c.Context(), id)
		return a.ran(run, err)
	})
}

// finished gives a run's full id, and the run if this machine knows that it has
// come to an end.
func (a *app) finished(ctx context.Context, id string) (full string, over *execute.Run, err error) {
	journals, err := a.journals()
	if err != nil {
		return "", nil, err
	}
	if full, err = journals.Resolve(id); err != nil {
		return "", nil, err
	}
	if run, _, err := journals.Load(ctx, full); err == nil && !run.Ended.IsZero() && run.Over() {
		return full, run, nil
	}
	return full, nil, nil
}

// runnerOf connects the hosts of a run: those of its plan, or, of a run that
// this machine does not know, those that are named or all of the inventory.
func (a *app) runnerOf(ctx context.Context, run string, names []string) (*execute.Runner, func(), error) {
	journals, err := a.journals()
	if err != nil {
		return nil, nil, err
	}
	known, p, err := journals.Load(ctx, run)
	switch {
	case err == nil:
		a, names = a.reaching(known), p.Hosts
	case !errors.Is(err, execute.ErrNoRun):
		return nil, nil, err
	case len(names) == 0 && a.inventory == "":
		return nil, nil, fmt.Errorf("%w (if it was started on another machine, name its hosts or give an inventory with -i)", err)
	}
	return a.runner(ctx, names)
}

// refresh brings a run up to date with what its hosts report: whether values
// for the next boot are in force, and what became of a pending confirmation.
// The run is as its journal has it where they do not answer.
func (a *app) refresh(ctx context.Context, run *execute.Run, p *plan.Plan) (*execute.Run, error) {
	open := run.Within != "" && (run.Outcome == execute.Pending || run.Outcome == execute.Running)
	if !open && len(run.Waits) == 0 {
		return run, nil
	}
	r, done, err := a.reaching(run).runner(ctx, p.Hosts)
	if err != nil {
		return run, err
	}
	defer done()
	var failed error
	if len(run.Waits) > 0 {
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
	if len(run.Hosts) == len(p.Hosts) {
		run.Outcome = execute.OutcomeOf(run.Hosts)
		err = errors.Join(err, r.RecordOutcome(ctx, run))
	}
	return run, errors.Join(failed, err)
}

// pending asks hosts for the runs that their watchdogs hold.
func (a *app) pending(ctx context.Context, hosts []string) error {
	r, done, err := a.runner(ctx, hosts)
	if err != nil {
		return err
	}
	defer done()
	states, err := r.Watched(ctx)
	if states == nil {
		states = []watchdog.State{}
	}
	return errors.Join(err, a.Answer(states, func(p *report.Document) {
		if len(states) == 0 && err == nil {
			p.Line("No runs on %s.", strings.Join(hosts, ", "))
		}
		report.PendingRuns(p, states)
	}))
}

func (a *app) cleanup() *cobra.Command {
	return a.command("cleanup", nil, func(c *cobra.Command, argv []string) error {
		if len(argv) == 0 && a.inventory == "" {
			return command.Usage("cleanup: name hosts, or give an inventory with -i")
		}
		r, done, err := a.runner(c.Context(), argv)
		if err != nil {
			return err
		}
		defer done()
		hosts, err := r.Clean(c.Context(), "")
		return a.Conclude(err, hosts, func(p *report.Document) { report.Cleaned(p, hosts) })
	})
}
