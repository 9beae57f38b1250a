package commands

import (
	"context"
	"fmt"
	"time"

	"seaworthy/lab/node/flags"
)

func sarCommand() command {
	return command{
		run: runSar,
		aix: &form{
			flags:    "uP:Abcdkmqrvwyo:f:",
			operands: 2,
			usage:    `sar [-u] Interval [Count]`,
			refused: map[string]string{
				"PAbcdkmqrvwyof": "nothing counts a node's calls, queues and pages, nor what it uses of each processor",
			},
		},
	}
}

// runSar answers -u: the processor time of the node, a line an interval and their mean.
func runSar(ctx context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return flags.Usagef("an interval is required: a lab keeps no history of its activity")
	}
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	t.count = max(t.count, 1)
	name := unameOf(c)
	fmt.Fprintf(c.Stdout, "\nAIX %s %s %s %s    %s\n\nSystem configuration: ent=%.2f mode=%s \n\n", c.Node, name[2], name[3], name[4],
		c.sim.Clock(c.Node).Format("01/02/06"), c.config.Entitled, c.config.Mode)
	row := func(cells ...any) { fmt.Fprintf(c.Stdout, "%-8s %7s %7s %7s %7s %7s %7s\n", cells...) }
	row(c.sim.Clock(c.Node).Format(time.TimeOnly), "%usr", "%sys", "%wio", "%idle", "physc", "%entc")
	var sum cpuUse
	known := 0
	for use, ok := range samples(ctx, c, t) {
		if ok {
			sum, known = cpuUse{sum.user + use.user, sum.system + use.system}, known+1
		}
		us, sy, pc, ec := percents(use, ok, c.config)
		row(c.sim.Clock(c.Node).Format(time.TimeOnly), us, sy, "-", "-", pc, ec)
	}
	if t.count > 1 && ctx.Err() == nil {
		of := float64(max(known, 1))
		us, sy, pc, ec := percents(cpuUse{sum.user / of, sum.system / of}, known > 0, c.config)
		fmt.Fprintln(c.Stdout)
		row("Average", us, sy, "-", "-", pc, ec)
	}
	return ctx.Err()
}
