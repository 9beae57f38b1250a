package commands

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/printing"
)

func entstatCommand() command {
	return command{
		run: runEntstat,
		aix: &form{
			ordinary: &refusal{says: "entstat: 0909-002 Unable to open device {}, errno = 13", exit: 1},
			flags:    "drt",
			operands: 1,
			usage:    `entstat [-drt] Device_Name`,
		},
		vios: &form{
			flags:    "-all -reset",
			operands: 1,
			usage:    `entstat [-all] [-reset] Device_Name`,
		},
	}
}

// runEntstat prints an adapter's counters as the kernel has them. -d (ioscli:
// -all) adds the driver's own part, and for an SEA the adapters in it.
func runEntstat(_ context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return flags.Usagef("one device is required")
	}
	if c.Has("r") || c.Has("reset") {
		if a := node.AdapterOf(c.config, c.Rest[0]); a != nil {
			if err := c.sim.Counters().Reset(c.config, a); err != nil {
				return err
			}
		}
	}
	return printStatistics(c, c.Rest, c.Has("d") || c.Has("all"))
}

func printStatistics(c *call, names []string, detail bool) error {
	var list []*printing.Adapter
	for _, name := range names {
		s, err := statisticsOf(c, name, detail)
		if errors.Is(err, errNoAdapter) {
			const noDevice = 19 // ENODEV on AIX
			fmt.Fprintf(c.Stderr, "\nentstat: 0909-003 no device %s to connect to, errno = %d\n", name, noDevice)
			return exit(1)
		}
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	return c.Print(printing.FormatEntstat(list...))
}
