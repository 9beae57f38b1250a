package commands

import (
	"context"
	"fmt"
)

func viostatCommand() command {
	return command{
		run: runViostat,
		vios: &form{
			flags:    "adsSmTthvV",
			operands: 2,
			usage:    `viostat [Interval [Count]]`,
		},
	}
}

// runViostat is the storage monitor of a VIOS. A lab has no disks, so its table
// of them is empty; physc is what lparstat measures.
func runViostat(ctx context.Context, c *call) error {
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Stdout, "\nSystem configuration: drives=0 ent=%.2f paths=0 vdisks=0\n", c.config.Entitled)
	for use, ok := range samples(ctx, c, t) {
		_, _, pc, _ := percents(use, ok, c.config)
		fmt.Fprintf(c.Stdout, "\navg-cpu: physc\n         %5s\n\nDisks:         %% tm_act     Kbps      tps    Kb_read   Kb_wrtn\n", pc)
	}
	return ctx.Err()
}
