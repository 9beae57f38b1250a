package commands

import (
	"context"

	"seaworthy/lab/node/flags"
)

func errclearCommand() command {
	return command{
		run: runErrclear,
		aix: &form{
			ordinary: permissionDenied("errclear"),
			flags:    "d:T:N:j:k:J:K:l:",
			operands: 1,
			usage: `errclear [-d ErrorClass,...] [-T ErrorType,...] [-N ResourceName,...] [-j ErrorID,...] [-k ErrorID,...]
	[-J Label,...] [-K Label,...] [-l Sequence,...] Days`,
		},
	}
}

// runErrclear deletes entries that are at least a number of days old.
func runErrclear(_ context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return flags.Usagef("a number of days is required: 0 stands for all")
	}
	chosen, err := chooser(c.Options)
	if err != nil {
		return err
	}
	return clearErrors(c, c.Rest[0], chosen)
}
