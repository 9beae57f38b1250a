package commands

import (
	"context"
	"errors"
	"fmt"
)

func ioscliCommand() command {
	return command{
		run:  runIOSCLI,
		aix:  &form{},
		vios: &form{},
	}
}

// runIOSCLI runs a command in its VIOS form: ioscli lsdev -dev ent5 -attr.
func runIOSCLI(ctx context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return errors.New("usage: ioscli Command [Parameters]")
	}
	run, ok := Served(c.sim)[c.Rest[0]]
	if !ok || c.Rest[0] == "ioscli" {
		return fmt.Errorf("%s: not found", c.Rest[0])
	}
	inner := *c.Call
	inner.Argv, inner.VIOS = c.Rest, true
	return exit(run(ctx, &inner))
}
