package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/ui/report"
)

func (a *app) apply() *cobra.Command {
	f := applyFlags{limit: execute.DefaultStepLimit}
	c := a.command("apply", f.flags(), func(c *cobra.Command, argv []string) error {
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
	})
	return a.Prints(c, &execute.Run{})
}

// ready tests what apply takes for granted about the hosts that a plan changes.
func (a *app) ready(ctx context.Context, r *execute.Runner, p *plan.Plan, within bool) error {
	feature := knowledge.Applying
	if within {
		feature = knowledge.ConfirmWithin
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
	return a.Conclude(err, run, func(p *report.Document) { report.Run(p, run) })
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
	r.Survey = func(ctx context.Context, names []string) (*model.Fleet, error) {
		f := &fleet{fleet: &model.Fleet{}}
		err := a.live(ctx, names, f)
		return f.fleet, err
	}
	return r, c.close, nil
}

// applyFlags say how a run comes to stay.
type applyFlags struct {
	within time.Duration
	health string
	auto   bool
	noWait bool
	done   []string
	limit  time.Duration
	yes    bool

	signers string
}

func (f *applyFlags) flags() command.Flags {
	return command.Flags{"confirm-within": &f.within, "health-check": &f.health, "auto-confirm": &f.auto, "step-limit": &f.limit,
		"done": &f.done, "yes": &f.yes, "require-signed-by": &f.signers, "no-wait": &f.noWait}
}

// shortest leaves the time that reading a host back takes.
const shortest = 5 * time.Second

func (f *applyFlags) check(c *cobra.Command) error {
	if f.limit < time.Second {
		return command.Usage("--step-limit %s: expected at least 1s", f.limit)
	}
	switch {
	case command.Given(f.health != "", f.auto, f.noWait) > 1:
		return command.Usage("--health-check, --auto-confirm and --no-wait exclude each other")
	case c.Flags().Changed("confirm-within") && f.within < shortest:
		return command.Usage("--confirm-within %s: at least %s, so that the hosts can be read back", f.within, shortest)
	}
	return nil
}

// window is the time for a confirmation: what was asked for, or, if something
// is to confirm and no time was given, enough for a person to look; a link that
// has to come up again takes longer. 0: nothing is to be confirmed.
func (f *applyFlags) window(p *plan.Plan) time.Duration {
	switch {
	case f.within > 0 || f.health == "" && !f.auto && !f.noWait:
		return f.within
	case slices.ContainsFunc(p.Steps, func(s plan.Step) bool { return s.Window == plan.Bounce }):
		return 10 * time.Minute
	}
	return 2 * time.Minute
}

func (f *applyFlags) confirmation(a *app) execute.Confirmation {
	c := execute.Confirmation{Within: f.within, Auto: f.auto, Leave: f.noWait}
	if f.health != "" {
		c.Health = func(ctx context.Context, run string) error { return a.healthCheck(ctx, run, f.health) }
	}
	c.Asked = func(run string, within time.Duration) {
		a.Notice("run %s is done and verified; the hosts restore the earlier values in %s", run, within)
		a.Notice("to keep it:  seaworthy confirm %s", run) // which finds the hosts as this run did
	}
	return c
}

// lookupFlags are -i and -F as they were given, for a command to copy.
func (a *app) lookupFlags() string {
	text := ""
	for _, f := range []struct{ flag, value string }{{"-i", a.inventory}, {"-F", a.sshConfig}} {
		if f.value != "" {
			text += " " + f.flag + " " + shellword.Quote(f.value)
		}
	}
	return text
}

// healthCheck runs the user's own command on this machine. It learns the run's
// id from SEAWORTHY_RUN.
func (a *app) healthCheck(ctx context.Context, run, line string) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Env = append(os.Environ(), "SEAWORTHY_RUN="+run)
	cmd.Stdout, cmd.Stderr = a.Errors(), a.Errors()
	// Its children end with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("%s: %w", strings.TrimSpace(line), err)
	}
	return nil
}
