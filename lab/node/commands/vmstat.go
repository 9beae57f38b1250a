package commands

import (
	"context"
	"fmt"
	"time"
)

func vmstatCommand() command {
	return command{
		run: runVmstat,
		aix: &form{
			flags:    "IWtlvsifwhP:p:",
			operands: 2,
			usage:    `vmstat [-t] [-w] [Interval [Count]]`,
			refused: map[string]string{
				"IlvsifhPp": "its nodes have no memory, no pages and no interrupts of their own",
			},
		},
	}
}

// runVmstat has the processor columns of AIX's. Memory, pages and interrupts are
// the whole machine's, not a node's: nothing is printed of them.
func runVmstat(ctx context.Context, c *call) error {
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	if err := c.answer("vmstat", c.config); err != nil {
		return err
	}
	const row = "%2s %2s %6s %6s %3s %3s %3s %4s %4s %3s %4s %4s %3s %3s %3s %2s %2s %5s %5s"
	print := func(at string, cells ...any) {
		line := fmt.Sprintf(row, cells...)
		if c.Has("t") {
			line = fmt.Sprintf("%s %8s", line, at)
		}
		fmt.Fprintln(c.Stdout, line)
	}
	print("hr mi se", "r", "b", "avm", "fre", "re", "pi", "po", "fr", "sr", "cy", "in", "sy", "cs", "us", "sy", "id", "wa", "pc", "ec")
	for use, ok := range samples(ctx, c, t) {
		us, sy, pc, ec := percents(use, ok, c.config)
		at := c.sim.Clock(c.Node).Format(time.TimeOnly)
		print(at, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", us, sy, "-", "-", pc, ec)
	}
	return ctx.Err()
}
