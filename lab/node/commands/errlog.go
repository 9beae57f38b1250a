package commands

import (
	"context"

	"seaworthy/lab/node/errorlog"
)

func errlogCommand() command {
	return command{
		run: runErrlog,
		vios: &form{
			flags: "-ls -seq -rm:",
			usage: `errlog [-ls | -rm Days]`,
		},
	}
}

// runErrlog lists the log as errpt does, or clears it with -rm.
func runErrlog(_ context.Context, c *call) error {
	if days, remove := c.Get("rm"); remove {
		return clearErrors(c, days, func(errorlog.Entry) bool { return true })
	}
	return printErrors(c, c.sim.ErrorLogs.Entries(c.Node), c.Has("ls"))
}
