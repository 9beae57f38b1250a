package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/change"
	"seaworthy/change/keeper"
	"seaworthy/cli/command"
	"seaworthy/report"
)

func (a *app) rollback() *cobra.Command {
	return &cobra.Command{
		Use:   "rollback RUN [HOST]...",
		Short: "Restore exactly the values that a run found",
		Long: `Rollback restores the running and the next-boot values that a run found, last step
first. A run that was begun with --confirm-within on another machine is taken back by
its hosts: name them, or give an inventory with -i.`,
		Args: command.Args(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			r, done, err := a.runnerOf(c.Context(), argv[0], argv[1:])
			if err != nil {
				return err
			}
			defer done()
			run, err := r.Rollback(c.Context(), argv[0])
			if run == nil {
				return err
			}
			if perr := a.Answer(run, func(p *report.Printer) { report.Run(p, run) }); perr != nil {
				return errors.Join(err, perr)
			}
			return err
		},
	}
}

func (a *app) confirm() *cobra.Command {
	return &cobra.Command{
		Use:   "confirm RUN [HOST]...",
		Short: "Keep a change that its hosts would take back",
		Long: `Confirm keeps a run that apply --confirm-within left pending: on all its hosts, or
on none. It works from any machine that reaches them; on another one than that which
applied it, name the hosts or give an inventory with -i.

Exit status 4 if it came too late: the hosts have their earlier values again.`,
		Args: command.Args(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			r, done, err := a.runnerOf(c.Context(), argv[0], argv[1:])
			if err != nil {
				return err
			}
			defer done()
			run, err := r.Confirm(c.Context(), argv[0])
			return a.ran(run, err)
		},
	}
}

// runnerOf connects the hosts of a run: those of its plan, or, of a run that
// this machine does not know, those that are named or all of the inventory.
func (a *app) runnerOf(ctx context.Context, run string, names []string) (*change.Runner, func(), error) {
	journals, err := change.DefaultJournals()
	if err != nil {
		return nil, nil, err
	}
	_, p, err := journals.Load(run)
	switch {
	case err == nil:
		names = p.Hosts
	case !errors.Is(err, change.ErrNoRun):
		return nil, nil, err
	case len(names) == 0 && a.inventory == "":
		return nil, nil, fmt.Errorf("%w (if it was begun on another machine, name its hosts, or give an inventory with -i)", err)
	}
	return a.runner(ctx, names)
}

func (a *app) status() *cobra.Command {
	var hosts []string
	c := &cobra.Command{
		Use:   "status [RUN]",
		Short: "List the runs, or show one",
		Long: `Status lists the runs that were begun on this machine. Runs that wait for a
confirmation are asked for on their hosts, with the time that is left. --host asks
hosts for the runs they know of, whichever machine began them.

Hosts where values wait for a restart are read: after it the values are verified, and
until then what still runs is shown.`,
		Args: command.Args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			if len(hosts) > 0 {
				return a.watched(c.Context(), hosts)
			}
			journals, err := change.DefaultJournals()
			if err != nil {
				return err
			}
			if len(argv) == 1 {
				run, p, err := journals.Load(argv[0])
				if err != nil {
					return err
				}
				if open(run) {
					a.askHosts(c.Context(), run, p)
				}
				run = a.lookAgain(c.Context(), run)
				return a.Answer(run, func(p *report.Printer) { report.Run(p, run) })
			}
			runs, err := journals.Runs()
			if err != nil {
				return err
			}
			if runs == nil {
				runs = []change.Run{}
			}
			for i := range runs {
				runs[i] = *a.lookAgain(c.Context(), &runs[i])
				if !open(&runs[i]) {
					continue
				}
				if _, p, err := journals.Load(runs[i].ID); err == nil {
					a.askHosts(c.Context(), &runs[i], p)
				}
			}
			return a.Answer(runs, func(p *report.Printer) { report.Runs(p, runs) })
		},
	}
	c.Flags().StringSliceVar(&hosts, "host", nil, "ask these `hosts` for the runs they watch over")
	return c
}

// open says whether the hosts know more of a run than its journal does.
func open(r *change.Run) bool {
	return r.Within != "" && (r.Outcome == change.Pending || r.Outcome == change.Running)
}

// lookAgain reads the hosts whose values waited for a restart.
func (a *app) lookAgain(ctx context.Context, run *change.Run) *change.Run {
	if len(run.Waits) == 0 {
		return run
	}
	r, done, err := a.runner(ctx, run.Waits)
	if err != nil {
		a.Notice("run %s waits for a restart of %s: %v", run.ID, strings.Join(run.Waits, ", "), err)
		return run
	}
	defer done()
	now, err := r.LookAgain(ctx, run.ID)
	if err != nil {
		a.Notice("%v", err)
	}
	if now == nil {
		return run
	}
	return now
}

// askHosts asks a run's hosts: if all answer, their word is the outcome. That
// some do not answer is said, no more: the journal is there to be shown.
func (a *app) askHosts(ctx context.Context, run *change.Run, p *change.Plan) {
	r, done, err := a.runner(ctx, p.Hosts)
	if err != nil {
		a.Notice("run %s: %v", run.ID, err)
		return
	}
	defer done()
	states, err := r.Watched(ctx)
	if err != nil {
		a.Notice("run %s: %v", run.ID, err)
	}
	for _, s := range states {
		if s.Run == run.ID {
			run.Hosts = append(run.Hosts, s)
		}
	}
	if len(run.Hosts) == len(p.Hosts) {
		run.Outcome = change.OutcomeOf(run.Hosts)
		if err := r.Settle(run); err != nil {
			a.Notice("run %s: %v", run.ID, err)
		}
	}
}

func (a *app) watched(ctx context.Context, hosts []string) error {
	r, done, err := a.runner(ctx, hosts)
	if err != nil {
		return err
	}
	defer done()
	states, err := r.Watched(ctx)
	if states == nil {
		states = []keeper.State{}
	}
	return errors.Join(err, a.Answer(states, func(p *report.Printer) {
		if len(states) == 0 && err == nil {
			p.Line("No runs on %s.", strings.Join(hosts, ", "))
		}
		report.PendingRuns(p, states)
	}))
}
