package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/change/execute"
	"seaworthy/change/plan"
	"seaworthy/cli/command"
	"seaworthy/remote/shellword"
)

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
