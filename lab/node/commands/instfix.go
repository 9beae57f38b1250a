package commands

import (
	"context"
	"fmt"
	"strings"

	"seaworthy/internal/parse/linewise"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/printing"
)

func instfixCommand() command {
	return command{
		run: runInstfix,
		aix: &form{
			flags:    "iqcvak:t:s:p",
			operands: anyNumber,
			usage:    `instfix -i [-q] [-k "Keyword..."]`,
		},
	}
}

// runInstfix says of fixes that it has no data: a lab's level is a name, nothing
// is installed by it.
func runInstfix(_ context.Context, c *call) error {
	if !c.Has("i") {
		return flags.Usagef("in this lab it only lists: -i")
	}
	keys := c.Value("k")
	list := &linewise.FixList{}
	for _, k := range strings.Fields(keys) {
		list.Fixes = append(list.Fixes, &linewise.Fix{Name: k, State: linewise.FixUnknown})
	}
	fmt.Fprintf(c.Stderr, "%s", printing.FormatInstfix(list))
	if len(list.Fixes) > 0 {
		return exit(1)
	}
	return nil
}
