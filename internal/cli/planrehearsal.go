package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/cli/command"
)

// checkRehearsal says what is wrong with the arguments of plan --rehearse.
func (x *planCommand) checkRehearsal(argv []string) error {
	switch {
	case x.rehearsal == "":
		return nil
	case x.out == "":
		return command.Usage("plan: --rehearse needs -o FILE, the plan that is rehearsed")
	case x.moment.At != "":
		return command.Usage("plan: --rehearse makes a copy of hosts as folders have them: not with --at")
	case x.Format != "table":
		return command.Usage("plan: --rehearse prints two results: -f %s is for one (seaworthy rehearse PLAN -f %[1]s)", x.Format)
	case len(argv) == 0:
		return command.Usage("plan: --rehearse makes a copy of saved hosts: name the folders that collect or import wrote")
	case runtime.GOOS != "linux":
		return errors.New("plan --rehearse: the lab is made of Linux network namespaces: run it on a Linux machine")
	}
	for _, dir := range argv {
		if !fleet.IsFolder(dir) {
			return command.Usage("plan: --rehearse makes a copy of saved hosts: %s is not a folder that collect or import wrote", dir)
		}
	}
	return nil
}

// rehearse has the lab's program try the plan in a copy of the hosts that it was made from. Its exit status is the
// rehearsal's.
func (x *planCommand) rehearse(ctx context.Context, dirs []string) error {
	path, err := findLab()
	if err != nil {
		return fmt.Errorf("plan --rehearse: %w", err)
	}
	args := []string{"rehearse", x.out, "-o", x.rehearsal}
	for _, dir := range dirs {
		args = append(args, "--from", dir)
	}
	if x.scripts != "" {
		args = append(args, "--scripts", x.scripts)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	// It takes its copy down before it ends.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 40 * time.Second
	cmd.Env = append(os.Environ(), command.CallerEnv+"="+command.Built().ID())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, x.Stdout, x.Stderr
	err = cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() > 0 {
		return command.Exit(ended.ExitCode(), nil) // it has said why
	}
	if err != nil {
		return fmt.Errorf("plan --rehearse: %s: %w", labProgram, err)
	}
	return nil
}
