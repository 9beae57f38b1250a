package commands

import (
	"context"
	"strings"

	"seaworthy/lab/node/errorlog"
	"seaworthy/lab/node/flags"
)

func errloggerCommand() command {
	return command{
		run: runErrlogger,
		aix: &form{
			usage: `errlogger Message`,
		},
	}
}

const maxNote = 230

func runErrlogger(_ context.Context, c *call) error {
	text := strings.Join(c.Rest, " ")
	switch {
	case text == "":
		return flags.Usagef("a message is required")
	case len(text) > maxNote:
		return flags.Usagef("the message has %d bytes, more than %d", len(text), maxNote)
	}
	keep := func(r rune) rune { // it stays on its line
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}
	c.sim.Log(c.Node, errorlog.Note, "OPERATOR", "MESSAGE FROM ERRLOGGER COMMAND\n"+strings.Map(keep, text))
	return nil
}
