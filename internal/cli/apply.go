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

	"seaworthy/internal/app/plans"
	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/app/runs"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
)

type applyCommand struct {
	*commandLine
	applyFlags
}

func newApply(a *commandLine) *cobra.Command {
	x := &applyCommand{a, applyFlags{limit: execute.DefaultStepLimit, rehearsalAge: 24 * time.Hour}}
	c := a.command("apply", x.flags(), func(c *cobra.Command, argv []string) error {
		err := x.check(c)
		if err != nil {
			return err
		}
		return x.run(c.Context(), argv[0])
	})
	return a.Prints(c, &execute.Run{})
}

func (x *applyCommand) run(ctx context.Context, file string) error {
	p, err := x.readPlan(ctx, file, x.signers)
	if err != nil {
		return err
	}
	var tried *rehearsed.Result
	if x.rehearsal != "" {
		tried, err = plans.RequireRehearsal(ctx, x.rehearsal, p, x.rehearsalAge)
		if err != nil {
			return err
		}
	}
	if len(p.Steps) == 0 {
		x.Notice("plan %s: nothing to change", p.ID)
		return nil
	}
	r, closeAll, err := runs.Open(ctx, x.access(), p.Senders())
	if err != nil {
		return err
	}
	defer closeAll()
	err = runs.Ready(ctx, x.access(), r, p, x.window(p) > 0)
	if err != nil {
		return err
	}
	if tried != nil {
		err := plans.Unchanged(ctx, tried, p, r.Read)
		if err != nil {
			return err
		}
	}
	r.StepLimit, r.Done = x.limit, x.done
	r.OneByOne, r.First, r.Accept = x.oneByOne, x.first, x.accept
	phase, err := r.NextPhase(ctx, p)
	if err != nil {
		return err
	}
	if phase != p {
		x.Notice("plan %s is in effect: applying what follows the reboots", p.ID)
	}
	err = x.agreed(ctx, phase)
	if err != nil {
		return err
	}
	x.within = x.window(phase)
	run, err := runs.Apply(ctx, r, phase, x.confirmation())
	if run == nil && errors.Is(err, execute.ErrManual) {
		return command.Exit(command.ExitNo, err)
	}
	return x.printRun(run, err)
}

// agreed shows on a terminal what is about to run, and asks.
func (x *applyCommand) agreed(ctx context.Context, p *plan.Plan) error {
	_, shown := command.Terminal(x.Stderr)
	if !shown {
		return nil
	}
	for i, s := range p.Steps {
		for _, line := range s.Do {
			x.Notice("%d. on %s: %s", i+1, s.Host, line)
		}
	}
	x.Notice("Plan %s: %s.", p.ID, report.Total(p))
	return x.ask(ctx, x.yes, "Apply it?", "not applied")
}

// accept decides whether the others follow the host of --first: by the health check if there
// is one, else, on a terminal, by asking.
func (x *applyCommand) accept(ctx context.Context, run string) error {
	if x.health != "" {
		return x.healthCheck(ctx, run, x.health)
	}
	x.Notice("run %s: %s is done and verified", run, x.first)
	return x.ask(ctx, x.yes, "Go on with the other hosts?", "they were not changed")
}

// printRun prints a run and gives its exit status.
func (a *commandLine) printRun(run *execute.Run, err error) error {
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

// applyFlags say how a run comes to stay.
type applyFlags struct {
	within time.Duration
	health string
	auto   bool
	noWait bool
	done   []string
	limit  time.Duration
	yes    bool

	oneByOne bool
	first    string

	signers string

	rehearsal    string
	rehearsalAge time.Duration
}

func (f *applyFlags) flags() command.Flags {
	return command.Flags{"confirm-within": &f.within, "health-check": &f.health, "auto-confirm": &f.auto, "step-limit": &f.limit,
		"done": &f.done, "yes": &f.yes, "require-signed-by": &f.signers, "no-wait": &f.noWait,
		"one-by-one": &f.oneByOne, "first": &f.first,
		"require-rehearsal": &f.rehearsal, "rehearsal-age": &f.rehearsalAge}
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

func (x *applyCommand) confirmation() execute.Confirmation {
	c := execute.Confirmation{Within: x.within, Auto: x.auto, Leave: x.noWait}
	if x.health != "" {
		c.Health = func(ctx context.Context, run string) error { return x.healthCheck(ctx, run, x.health) }
	}
	c.Asked = func(run string, within time.Duration) {
		x.Notice("run %s is done and verified; the hosts restore the earlier values in %s", run, within)
		x.Notice("to keep it:  seaworthy confirm %s", run) // which finds the hosts as this run did
	}
	return c
}

// healthCheck runs the user's own command on this machine. It learns the run's
// id from SEAWORTHY_RUN.
func (a *commandLine) healthCheck(ctx context.Context, run, line string) error {
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
