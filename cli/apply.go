package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"seaworthy/change"
	"seaworthy/report"
)

func (a *app) apply() *cobra.Command {
	return &cobra.Command{
		Use:   "apply PLAN",
		Short: "Carry a plan out, verify each step, undo all if one fails",
		Long: `Apply reads every host of the plan first and stops if one has changed since the
plan was made. Before each step the present values go to the journal, after it
they are read back. At the first failure, or on Ctrl-C, what was done is undone in
reverse (exit status 4).`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			p, err := readPlan(argv[0])
			if err != nil {
				return err
			}
			if len(p.Steps) == 0 {
				a.tell("plan %s: nothing to change", p.ID)
				return nil
			}
			r, done, err := a.runner(c.Context(), p.Hosts)
			if err != nil {
				return err
			}
			defer done()
			run, err := r.Apply(c.Context(), p)
			return a.ran(run, err)
		},
	}
}

// ran prints a run and gives its exit status.
func (a *app) ran(run *change.Run, err error) error {
	if run == nil {
		return err
	}
	if perr := a.answer(run, func() { report.Run(a.printer(), run) }); perr != nil {
		return errors.Join(err, perr)
	}
	switch run.Outcome {
	case change.Applied:
		return err
	case change.RolledBack:
		return &status{ExitRolledBack, err}
	}
	return &status{ExitFailed, errors.Join(err, fmt.Errorf("run %s: not all hosts have their earlier values: %s (seaworthy rollback %s tries again)", run.ID, run.Outcome, run.ID))}
}

// runner connects the hosts of a plan.
func (a *app) runner(ctx context.Context, names []string) (*change.Runner, func(), error) {
	journals, err := change.DefaultJournals()
	if err != nil {
		return nil, nil, err
	}
	c, err := a.open(ctx, names)
	if err != nil {
		return nil, nil, err
	}
	r := c.runner(journals)
	r.Progress = func(s change.Step, state string, err error) {
		if err != nil {
			a.tell("%s: %s: %v", s.ID, state, err)
			return
		}
		a.tell("%s: %s", s.ID, state)
	}
	return r, c.close, nil
}

func (a *app) rollback() *cobra.Command {
	return &cobra.Command{
		Use:   "rollback RUN",
		Short: "Restore exactly the values that a run found",
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			journals, err := change.DefaultJournals()
			if err != nil {
				return err
			}
			_, p, err := journals.Load(argv[0])
			if err != nil {
				return err
			}
			r, done, err := a.runner(c.Context(), p.Hosts)
			if err != nil {
				return err
			}
			defer done()
			run, err := r.Rollback(c.Context(), argv[0])
			if run == nil {
				return err
			}
			if perr := a.answer(run, func() { report.Run(a.printer(), run) }); perr != nil {
				return errors.Join(err, perr)
			}
			return err
		},
	}
}

func (a *app) status() *cobra.Command {
	return &cobra.Command{
		Use:   "status [RUN]",
		Short: "List the runs, or show one",
		Args:  args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			journals, err := change.DefaultJournals()
			if err != nil {
				return err
			}
			if len(argv) == 1 {
				run, _, err := journals.Load(argv[0])
				if err != nil {
					return err
				}
				return a.answer(run, func() { report.Run(a.printer(), run) })
			}
			runs, err := journals.Runs()
			if err != nil {
				return err
			}
			if runs == nil {
				runs = []change.Run{}
			}
			return a.answer(runs, func() { report.Runs(a.printer(), runs) })
		},
	}
}
