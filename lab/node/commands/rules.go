package commands

import (
	"context"
	"errors"
)

func rulesCommand() command {
	return command{
		run:  runRules,
		vios: &form{},
	}
}

// runRules would compare the VIOS with rules files; a lab has none.
func runRules(_ context.Context, c *call) error {
	return errors.New("there are no rules files in this lab: nothing to compare")
}
