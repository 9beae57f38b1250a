package commands

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/lab/effect"
	"seaworthy/lab/node/errorlog"
)

func shutdownCommand() command {
	return command{
		run: runShutdown,
		aix: &form{
			ordinary: permissionDenied("shutdown"),
			flags:    "Frthikmdc",
			operands: anyNumber,
			usage:    `shutdown [-Fr] [+Minutes | now]`,
		},
		vios: &form{
			flags:    "-force -restart",
			operands: anyNumber,
			usage:    `shutdown [-force] [-restart]`,
		},
	}
}

func rebootCommand() command {
	return command{
		run: runShutdown,
		aix: &form{
			ordinary: permissionDenied("reboot"),
		},
	}
}

// runShutdown answers shutdown -r and reboot: the next-boot values take over.
func runShutdown(ctx context.Context, c *call) error {
	if c.Argv[0] != "reboot" && !c.Has("r") && !c.Has("restart") {
		return errors.New("a node of a lab can restart, not stop: lab down stops all")
	}
	return restart(ctx, c)
}

// restart is an orderly shutdown and the boot after it: the node's links are
// down between them, so that its SEAs' partners take over.
func restart(ctx context.Context, c *call) error {
	c.sim.Log(c.Node, errorlog.Off, "errdemon", "")
	c.sim.Log(c.Node, errorlog.Reboot, "SYSPROC", "")
	down := effect.Fault{Kind: effect.Crash, At: [2]string{c.Node}}
	warnings, err := c.sim.Break(ctx, down, 1)
	if err == nil {
		err = c.sim.Boot(ctx, c.Node)
	}
	// The node comes up with its earlier values if the kernel refuses the new ones.
	more, up := c.sim.Break(context.WithoutCancel(ctx), down, 0)
	c.printWarnings(append(warnings, more...))
	if err = errors.Join(err, up); err != nil {
		return fmt.Errorf("boot: %w", err)
	}
	// Last, since it ends the caller too, who may log in again at once.
	return c.sim.Halt(ctx, c.Node)
}
