package commands

import "context"

func prtconfCommand() command {
	return command{
		run: runPrtconf,
		aix: &form{},
	}
}

func lsconfCommand() command {
	return command{
		run: runPrtconf,
		aix: &form{},
	}
}

// runPrtconf prints what a lab knows of a node's system, and leaves out what only
// hardware has.
func runPrtconf(_ context.Context, c *call) error {
	return c.answer("prtconf", map[string]any{"System": c.sys, "Node": c.config, "Database": c.db})
}
