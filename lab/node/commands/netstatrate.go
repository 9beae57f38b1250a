package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"seaworthy/lab/wire"
)

// headEvery is after how many lines AIX repeats the headings of an interval.
const headEvery = 21

// rate is netstat with an interval: a line of totals, then what came in
// each interval, for one interface and for all. The first interface is taken if
// none is named.
func (c netstatCall) rate(ctx context.Context) error {
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	names := c.interfaces().names()
	only := cmp.Or(c.Value("I"), names[0])
	if !slices.Contains(names, only) {
		return noSuchInterface(only)
	}
	row := func(s wire.Stats) string {
		return fmt.Sprintf("%8d %5d %8d %5d %5d", s.RxPackets, s.RxErrors, s.TxPackets, s.TxErrors, 0)
	}
	var before [2]wire.Stats
	for i := 0; t.count == 0 || i < t.count; i++ {
		if i > 0 && c.sim.Wait(ctx, t.every) != nil {
			return exit(1)
		}
		all, err := c.interfaces().all()
		if err != nil {
			return err
		}
		var now [2]wire.Stats // the interface, and all
		for _, x := range all {
			now[1].Add(x.stats)
			if x.name == only {
				now[0] = x.stats
			}
		}
		if i%headEvery == 0 {
			fmt.Fprintf(c.Stdout, "%19s %12s %20s %11s\n%8s %5s %8s %5s %5s %8s %5s %8s %5s %5s\n",
				fmt.Sprintf("input    (%s)", only), "output", "input   (Total)", "output",
				"packets", "errs", "packets", "errs", "colls", "packets", "errs", "packets", "errs", "colls")
		}
		fmt.Fprintf(c.Stdout, "%s %s\n", row(now[0].Since(before[0])), row(now[1].Since(before[1])))
		before = now
	}
	return nil
}

func noSuchInterface(name string) error { return fmt.Errorf("%s: no such interface", name) }
