package commands

import (
	"context"
	"fmt"

	"seaworthy/lab/node/flags"
)

func lssrcCommand() command {
	return command{
		run: runLssrc,
		aix: &form{
			flags: "as:g:",
			usage: `lssrc -a
lssrc -s Subsystem`,
		},
	}
}

// runLssrc lists the subsystems of a node: inetd alone, since the servers of a lab are
// started by hand.
func runLssrc(_ context.Context, c *call) error {
	name, ok := c.Get("s")
	switch {
	case ok && name != "inetd":
		fmt.Fprintf(c.Stderr, "0513-085 The %s Subsystem is not on file.\n", name)
		return exit(1)
	case !ok && !c.Has("a"):
		return flags.Usagef("-a or -s is required")
	}
	fmt.Fprintln(c.Stdout, "Subsystem         Group            PID          Status ")
	fmt.Fprintf(c.Stdout, " %-16s %-16s %-12d %s\n", "inetd", "tcpip", c.sim.Inetd.PID(c.Node), "active")
	return nil
}
