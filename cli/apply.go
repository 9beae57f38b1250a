package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"seaworthy/catalog"
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
		Long: `Apply first reads every host of the plan and stops if one has changed since the plan
was made. Before each step the present values are written to the journal; after it they
are read back. At the first failure, or on Ctrl-C, completed steps are undone in reverse
order (exit status 4).

On a terminal apply shows the commands and asks first; --yes does not ask.

A manual step, such as the switch ports before jumbo frames, stops apply before anything
is changed (exit status 2), unless test packets pass or --done names it. With --done the
first interfaces that get the new MTU are tested; if packets do not arrive, everything is
undone.

With --confirm-within each host also watches itself: it gets the steps, their undo and a
watchdog in a private folder, and rolls back on its own unless the change is confirmed in
time - because nobody confirmed, because this program was killed, or because the change
cut the connection. The steps run on the host in one go, so the interface you are logged
in through can be changed. Everything is then verified over new connections, the time
starts again, and apply waits for

  seaworthy confirm RUN     from this or any other machine that reaches the hosts
  seaworthy rollback RUN    to roll back at once

--health-check decides instead: exit status 0 confirms, any other rolls back.
--auto-confirm confirms after verification. --no-wait returns while the hosts wait. Only
one run at a time can be pending on a host, or be under way there.

With --require-signed-by the plan must have been signed (plan --sign) by one of the signers
in this file, which has the format of ssh-keygen's allowed signers.`,
		Example: "  seaworthy apply plan.json --confirm-within 2m\n" +
			"  seaworthy apply plan.json --confirm-within 2m --health-check 'curl -fsS http://app1/health'",
		Args: command.Args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			p, err := a.readPlan(c.Context(), argv[0], f.signers)
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
			if err := a.ready(c.Context(), r, p, f.window(p) > 0); err != nil {
				return err
			}
			r.StepLimit, r.Done = f.limit, f.done
			whole := p
			if p, err = r.NextPhase(c.Context(), whole); err != nil {
				return err
			}
			if p != whole {
				a.Notice("plan %s is in effect: applying what follows the restarts", whole.ID)
			}
			if err := a.agreed(c.Context(), p, f.yes); err != nil {
				return err
			}
			var run *execute.Run
			if f.within = f.window(p); f.within == 0 {
				run, err = r.Apply(c.Context(), p)
			} else {
				run, err = r.ApplyWithin(c.Context(), p, f.confirmation(a))
			}
			if run != nil && f.within > 0 && (run.Outcome == execute.Applied || run.Outcome == execute.RolledBack) {
				// What the journal has, too. cleanup removes what a lost connection leaves.
				_, _ = r.Clean(context.WithoutCancel(c.Context()), run.ID)
			}
			if run == nil && errors.Is(err, execute.ErrManual) {
				return command.Exit(command.ExitNo, err)
			}
			return a.ran(run, err)
		},
	}
	f.add(c)
	return a.Prints(c, &execute.Run{})
}

// ready tests what apply takes for granted about the hosts that a plan changes.
func (a *app) ready(ctx context.Context, r *execute.Runner, p *plan.Plan, within bool) error {
	feature := catalog.Applying
	if within {
		feature = catalog.ConfirmWithin
	}
	var hosts []remote.Host
	for _, name := range p.Hosts {
		if h := r.Hosts[name]; h != nil {
			hosts = append(hosts, h)
		}
	}
	_, err := a.require(ctx, hosts, feature)
	return err
}

// ran prints a run and gives its exit status.
func (a *app) ran(run *execute.Run, err error) error {
	if run == nil {
		return err
	}
	switch run.Outcome {
	case execute.Applied, execute.Pending:
	case execute.RolledBack:
		err = command.Exit(command.ExitRolledBack, err)
	default:
		err = command.Exit(command.ExitFailed, errors.Join(err,
			fmt.Errorf("run %s: not all hosts have their earlier values: %s (to retry: seaworthy rollback %s)", run.ID, run.Outcome, run.ID)))
	}
	return a.Conclude(err, run, func(p *report.Printer) { report.Run(p, run) })
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
	if len(names) == 0 {
		c.leaveHMCs()
	}
	r := c.runner(journals)
	r.Exclusive = true
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
	return r, c.close, nil
}
