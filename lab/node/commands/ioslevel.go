package commands

import (
	"context"
	"fmt"

	"seaworthy/internal/parse/linewise"
)

func ioslevelCommand() command {
	return command{
		run:  runIoslevel,
		vios: &form{},
	}
}

func runIoslevel(_ context.Context, c *call) error {
	if _, err := linewise.ParseIoslevel([]byte(c.config.IOSLevel + "\n")); err != nil {
		return fmt.Errorf("the level %q of the topology is none", c.config.IOSLevel)
	}
	fmt.Fprintln(c.Stdout, c.config.IOSLevel)
	return nil
}
