package node

import (
	"context"
	"fmt"
	"iter"

	"seaworthy/dialect/aix/lparstat"
	"seaworthy/lab/topology"
)

// lparstat -i is the partition's configuration, lparstat with an interval the
// processor time of the node.
func (w *Simulator) lparstat(ctx context.Context, c *call) error {
	if c.Has("i") {
		return c.answer("lparstat -i", c.n)
	}
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	samples := w.samples(ctx, c.Node, t)
	if len(c.Rest) == 0 {
		samples = w.sinceBoot(c.Node)
	}
	return w.intervals(ctx, c, c.n, samples)
}

// sinceBoot is one sample of the time since the lab was started: a node's restart leaves its processor time and its
// first process alone.
func (w *Simulator) sinceBoot(node string) iter.Seq2[cpuUse, bool] {
	return func(yield func(cpuUse, bool) bool) {
		var use cpuUse
		used, ok := w.CPU(node)
		if ok = ok && !w.Started.IsZero(); ok {
			use, ok = used.over(CPUTime{}, w.now().Sub(w.Started).Seconds())
		}
		yield(use, ok)
	}
}

func partitionType(n *topology.Node) string {
	if n.Mode == "Donating" {
		return "Dedicated"
	}
	return "Shared"
}

// columns of the interval form. Nobody measures what a partition waits for, and
// with it how much of the rest is idle.
var columns = []string{"%user", "%sys", "%wait", "%idle", "physc", "%entc"}

// intervals prints one sample per interval.
func (w *Simulator) intervals(ctx context.Context, c *call, n *topology.Node, samples iter.Seq2[cpuUse, bool]) error {
	t := &lparstat.Table{Columns: columns, Config: []lparstat.Field{
		lparstat.NewField("type", partitionType(n)), lparstat.NewField("mode", n.Mode),
		lparstat.NewField("mem", fmt.Sprintf("%dMB", n.MemoryMB)), lparstat.NewField("ent", fmt.Sprintf("%.2f", n.Entitled)),
	}}
	c.Stdout.Write(lparstat.Format(&lparstat.Output{Tables: []*lparstat.Table{t}}))
	switch used, known := w.CPU(c.Node); {
	case !known:
		fmt.Fprintln(c.Stderr, "lparstat: physc is not known here: nobody accounts the CPU of this node")
	case used.Processes:
		fmt.Fprintln(c.Stderr, "lparstat: physc is the time of the node's processes; what the kernel does for packets "+
			"outside of them (softirq) belongs to no node and is not in it")
	}
	for use, ok := range samples {
		values := make([]*float64, len(columns))
		if ok {
			user, system, entc := use.shares(n)
			physc := use.physc()
			values = []*float64{&user, &system, nil, nil, &physc, &entc}
		}
		fmt.Fprint(c.Stdout, t.Line(lparstat.Sample{Values: values}))
	}
	return ctx.Err()
}
