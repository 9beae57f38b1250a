package commands

import (
	"context"
	"fmt"
)

func hostnameCommand() command {
	return command{
		run: runHostname,
		aix: &form{
			ordinary: &refusal{says: "hostname: only root may set the name", exit: 1, when: "^[^-]"},
			flags:    "s",
			operands: 1,
			usage:    `hostname [Name]`,
		},
		vios: &form{},
	}
}

// runHostname prints the running name of a node, or sets it: not inet0's, which
// mkdev -l inet0 and a restart give it again.
func runHostname(_ context.Context, c *call) error {
	if len(c.Rest) == 1 {
		return c.sim.SetHostname(c.Node, c.Rest[0])
	}
	name, err := c.sim.Hostname(c.Node)
	if err == nil {
		fmt.Fprintln(c.Stdout, name)
	}
	return err
}
