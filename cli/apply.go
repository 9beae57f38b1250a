package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"seaworthy/change/execute"
	"seaworthy/change/plan"
	"seaworthy/cli/command"
	"seaworthy/inventory"
	"seaworthy/remote"
	"seaworthy/report"
)

func (a *app) apply() *cobra.Command {
	var f applyFlags
	c := &cobra.Command{
		Use:   "apply PLAN",
		Short: "Apply a plan; verify each step, roll back on failure",
		Long: `Apply reads every host of the plan first and stops if one has changed since the
plan was made. Before each step the present values go to the journal, after it
they are read back. At the first failure, or on Ctrl-C, what was done is undone in
reverse (exit status 4).

A manual step, such as the switch ports before jumbo frames, stops apply before it
has changed anything (exit status 2), unless packets that pass show that it was done, or
--done says so. What is only said is proved with the first interfaces that have the
new MTU; if their packets do not arrive, all is undone.

With --confirm-within every host also watches over itself: it gets the steps, their
undo and a watchdog in a private folder, and takes everything back by itself if it
hears nothing for that long - because nobody confirmed, because this program was
killed, or because the change cut the connection. Steps run on the host in one piece,
so that the interface one is logged in through can be changed. All is then verified
over new connections, the time starts anew, and apply waits for

  seaworthy confirm RUN     from this or any other machine that reaches the hosts
  seaworthy rollback RUN    takes it back at once

--health-check decides instead: exit status 0 confirms, any other takes it back.
--auto-confirm is content with the verification. --no-wait returns while the hosts
wait. One run at a time can be pending on a host.`,
		Example: "  seaworthy apply plan.json --confirm-within 2m\n  seaworthy apply plan.json --confirm-within 2m --health-check 'curl -fsS http://app1/health'",
		Args:    command.Args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			p, err := a.readPlan(argv[0])
			if err != nil {
				return err
			}
			if len(p.Steps) == 0 {
				a.Notice("plan %s: nothing to change", p.ID)
				return nil
			}
			r, done, err := a.runner(c.Context(), p.Senders())
			if err != nil {
				return err
			}
			defer done()
			r.StepLimit, r.Done = f.limit, f.done
			whole := p
			if p, err = r.NextPhase(c.Context(), whole); err != nil {
				return err
			}
			if p != whole {
				a.Notice("plan %s is in force: this is what comes after the restarts", whole.ID)
			}
			a.showCommands(p)
			var run *execute.Run
			if f.within = f.window(p); f.within == 0 {
				run, err = r.Apply(c.Context(), p)
			} else {
				run, err = r.ApplyWithin(c.Context(), p, f.confirmation(a))
			}
			if run == nil && errors.Is(err, execute.ErrManual) {
				return command.Exit(command.ExitNo, err)
			}
			return a.ran(run, err)
		},
	}
	f.add(c)
	return c
}

// ran prints a run and gives its exit status.
func (a *app) ran(run *execute.Run, err error) error {
	if run == nil {
		return err
	}
	if perr := a.Answer(run, func(p *report.Printer) { report.Run(p, run) }); perr != nil {
		return errors.Join(err, perr)
	}
	switch run.Outcome {
	case execute.Applied, execute.Pending:
		return err
	case execute.RolledBack:
		return command.Exit(command.ExitRolledBack, err)
	}
	return command.Exit(command.ExitFailed, errors.Join(err, fmt.Errorf("run %s: not all hosts have their earlier values: %s (seaworthy rollback %s tries again)", run.ID, run.Outcome, run.ID)))
}

// runner connects the hosts of a plan.
func (a *app) runner(ctx context.Context, names []string) (*execute.Runner, func(), error) {
	journals, err := a.journals()
	if err != nil {
		return nil, nil, err
	}
	c, err := a.open(ctx, names)
	if err != nil {
		return nil, nil, err
	}
	r := c.runner(journals)
	r.Fresh = func(ctx context.Context, name string) (remote.Host, error) {
		one, err := a.open(ctx, []string{name})
		if err != nil {
			return nil, err
		}
		return one.hosts[0], nil
	}
	r.Survey = func(ctx context.Context, names []string) (*inventory.Fleet, error) {
		f := &fleet{fleet: &inventory.Fleet{}}
		err := a.live(ctx, names, f)
		return f.fleet, err
	}
	// What went wrong is told once, at the end.
	r.Progress = func(s plan.Step, state string, _ error) { a.Notice("%s: %s", s.ID, state) }
	return r, c.close, nil
}
