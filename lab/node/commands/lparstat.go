package commands

import (
	"context"
	"fmt"

	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/lab/node"
	"seaworthy/lab/printing"
)

func lparstatCommand() command {
	return command{
		run: runLparstat,
		aix: &form{
			flags:    "ihHXltEdmpscwN",
			operands: 2,
			usage: `lparstat -i
lparstat [Interval [Count]]`,
			refused: map[string]string{
				"hH":         "a lab has no hypervisor that counts its calls",
				"XtEdmpscwN": "the machine counts neither a node's PURR and SPURR nor memory pools, and gives it no processors of its own",
			},
		},
	}
}

// runLparstat answers -i: the partition's configuration, lparstat with an interval the
// processor time of the node, without one that since the lab was started: a node's
// restart leaves its processor time and its first process alone. Nobody measures what
// a partition waits for, and with it how much of the rest is idle.
func runLparstat(ctx context.Context, c *call) error {
	if c.Has("i") {
		return c.answer("lparstat -i", c.config)
	}
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	kind := "Shared"
	if c.config.Mode == "Donating" {
		kind = "Dedicated"
	}
	table := &lparstat.Table{Columns: []string{"%user", "%sys", "%wait", "%idle", "physc", "%entc"}, Config: []lparstat.Field{
		lparstat.NewField("type", kind), lparstat.NewField("mode", c.config.Mode),
		lparstat.NewField("mem", fmt.Sprintf("%dMB", c.config.MemoryMB)), lparstat.NewField("ent", fmt.Sprintf("%.2f", c.config.Entitled)),
	}}
	c.Stdout.Write(printing.FormatLparstat(&lparstat.Output{Tables: []*lparstat.Table{table}}))
	used, known := c.sim.CPU(c.Node)
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
			user, system, entc := use.shares(c.config)
			values = []*float64{&user, &system, nil, nil, new(use.physc()), &entc}
		}
		fmt.Fprint(c.Stdout, printing.FormatSample(table, lparstat.Sample{Values: values}))
	}
	if len(c.Rest) == 0 {
		var use cpuUse
		used, known = c.sim.CPU(c.Node)
		if known && !c.sim.Started.IsZero() {
			use, known = useBetween(node.CPUTime{}, used, c.sim.Time().Sub(c.sim.Started).Seconds())
		}
		line(use, known && !c.sim.Started.IsZero())
		return ctx.Err()
	}
	for use, ok := range samples(ctx, c, t) {
		line(use, ok)
	}
	return ctx.Err()
}
