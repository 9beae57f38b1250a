package commands

import (
	"context"
	"fmt"
)

func helpCommand() command {
	return command{
		run:  runHelp,
		vios: &form{},
	}
}

// runHelp lists the commands of ioscli.
func runHelp(_ context.Context, c *call) error {
	for _, name := range namesOf(func(_ string, c command) bool { return c.vios != nil && c.vios.unsupported == "" }) {
		if name != "ioscli" {
			fmt.Fprintln(c.Stdout, name)
		}
	}
	return nil
}
