package commands

import (
	"context"
	"slices"

	"seaworthy/lab/node/errorlog"
)

func errptCommand() command {
	return command{
		run: runErrpt,
		aix: &form{
			flags: "aAd:T:N:j:k:J:K:l:s:e:g",
			usage: `errpt [-a | -A] [-d ErrorClass,...] [-T ErrorType,...] [-N ResourceName,...] [-j ErrorID,...] [-k ErrorID,...]
	[-J Label,...] [-K Label,...] [-l Sequence,...] [-s StartDate] [-e EndDate]`,
		},
	}
}

// runErrpt lists the error log, newest first; the errlog of ioscli does the same.
func runErrpt(_ context.Context, c *call) error {
	chosen, err := chooser(c.Options)
	if err != nil {
		return err
	}
	list := slices.DeleteFunc(c.sim.ErrorLogs.Entries(c.Node), func(e errorlog.Entry) bool { return !chosen(e) })
	return printErrors(c, list, c.Has("a") || c.Has("A"))
}
