package node

import (
	"context"
	"fmt"

	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// headEvery is after how many lines AIX repeats the headings of an interval.
const headEvery = 21

// netstatRate is netstat with an interval: a line of totals, then what came in
// each interval, for one interface and for all. The first interface is taken if
// none is named.
func (w *Simulator) netstatRate(ctx context.Context, c *Call, only string, nums []string) error {
	t, err := timesOf(nums)
	if err != nil {
		return err
	}
	_, n := w.node(c.Node)
	all := append(w.attached(n), "lo0")
	if only == "" {
		only = all[0]
	}
	var before [2]wire.Stats
	for i := 0; t.count == 0 || i < t.count; i++ {
		if i > 0 && w.sleep(ctx, t.every) != nil {
			return exit(1)
		}
		one, sum, err := w.interfaceSum(n, only)
		if err != nil {
			return err
		}
		if i%headEvery == 0 {
			fmt.Fprintf(c.Stdout, "%19s %12s %20s %11s\n%8s %5s %8s %5s %5s %8s %5s %8s %5s %5s\n",
				fmt.Sprintf("input    (%s)", only), "output", "input   (Total)", "output",
				"packets", "errs", "packets", "errs", "colls", "packets", "errs", "packets", "errs", "colls")
		}
		row := func(s wire.Stats) string {
			return fmt.Sprintf("%8d %5d %8d %5d %5d", s.RxPackets, s.RxErrors, s.TxPackets, s.TxErrors, 0)
		}
		fmt.Fprintf(c.Stdout, "%s %s\n", row(one.Since(before[0])), row(sum.Since(before[1])))
		before = [2]wire.Stats{one, sum}
	}
	return nil
}

// interfaceSum reads an interface and the sum of all of a node.
func (w *Simulator) interfaceSum(n *topology.Node, only string) (one, sum wire.Stats, err error) {
	found := false
	for _, name := range append(w.attached(n), "lo0") {
		st, err := w.stats(end(n.Name, name))
		if err != nil {
			return one, sum, err
		}
		sum.Add(st)
		if name == only {
			one, found = st, true
		}
	}
	if !found {
		return one, sum, fmt.Errorf("%s: no such interface", only)
	}
	return one, sum, nil
}
