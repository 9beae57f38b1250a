package node

import (
	"context"
	"fmt"

	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/lab/printing"
)

// lparstat -i is the partition's configuration, lparstat with an interval the
// processor time of the node, without one that since the lab was started: a node's
// restart leaves its processor time and its first process alone. Nobody measures what
// a partition waits for, and with it how much of the rest is idle.
func (w *Simulator) lparstat(ctx context.Context, c *call) error {
	if c.Has("i") {
		return c.answer("lparstat -i", c.n)
	}
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	kind := "Shared"
	if c.n.Mode == "Donating" {
		kind = "Dedicated"
	}
	table := &lparstat.Table{Columns: []string{"%user", "%sys", "%wait", "%idle", "physc", "%entc"}, Config: []lparstat.Field{
		lparstat.NewField("type", kind), lparstat.NewField("mode", c.n.Mode),
		lparstat.NewField("mem", fmt.Sprintf("%dMB", c.n.MemoryMB)), lparstat.NewField("ent", fmt.Sprintf("%.2f", c.n.Entitled)),
	}}
	c.Stdout.Write(printing.FormatLparstat(&lparstat.Output{Tables: []*lparstat.Table{table}}))
	used, known := w.CPU(c.Node)
	switch {
	case !known:
		fmt.Fprintln(c.Stderr, "lparstat: physc is not known here: nobody accounts the CPU of this node")
	case used.Processes:
		fmt.Fprintln(c.Stderr, "lparstat: physc is the time of the node's processes; what the kernel does for packets "+
			"outside of them (softirq) belongs to no node and is not in it")
	}
	line := func(use cpuUse, ok bool) {
		values := make([]*float64, len(table.Columns))
		if ok {
			user, system, entc := use.shares(c.n)
			values = []*float64{&user, &system, nil, nil, new(use.physc()), &entc}
		}
		fmt.Fprint(c.Stdout, printing.FormatSample(table, lparstat.Sample{Values: values}))
	}
	if len(c.Rest) == 0 {
		var use cpuUse
		if used, known = w.CPU(c.Node); known && !w.Started.IsZero() {
			use, known = used.over(CPUTime{}, w.now().Sub(w.Started).Seconds())
		}
		line(use, known && !w.Started.IsZero())
		return ctx.Err()
	}
	for use, ok := range w.samples(ctx, c.Node, t) {
		line(use, ok)
	}
	return ctx.Err()
}
