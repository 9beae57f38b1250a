package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"seaworthy/dialect/aix/lparstat"
	"seaworthy/lab/topology"
)

const lparstatUsage = `	lparstat -i
	lparstat [Interval [Count]]`

// lparstat -i is the partition's configuration, lparstat with an interval the
// processor time of the node.
func (w *Simulator) lparstat(ctx context.Context, c *Call) int {
	o, err := Letters("ihHXltEdmpscwN", c.Argv[1:])
	if err == nil && len(o.Rest) > 2 {
		err = errors.New("too many parameters")
	}
	var nums []int
	if err == nil {
		for _, a := range o.Rest {
			n, bad := strconv.Atoi(a)
			if bad != nil || n < 1 {
				err = fmt.Errorf("%s is not a positive number", a)
				break
			}
			nums = append(nums, n)
		}
	}
	if err != nil {
		return usage(c, err, lparstatUsage)
	}
	sys, n := w.node(c.Node)
	switch {
	case o.Has("i"):
		c.Stdout.Write(lparstat.Format(partition(sys, n)))
		return 0
	case o.Has("h") || o.Has("H"):
		fmt.Fprintln(c.Stderr, "lparstat: a lab has no hypervisor that counts its calls")
		return 1
	case slices.ContainsFunc(o.List, func(x Option) bool { return x.Name != "l" }): // -l: longer columns
		fmt.Fprintf(c.Stderr, "lparstat: -%s is not in this lab: the machine counts neither a node's PURR and SPURR "+
			"nor memory pools, and gives it no processors of its own\n", o.List[0].Name)
		return 1
	}
	return w.intervals(ctx, c, n, nums)
}

// partition is what the topology says; AIX prints - for what is not set.
func partition(_ *topology.System, n *topology.Node) *lparstat.Output {
	kind, mode := "Shared", n.Mode
	if n.Mode == "Donating" {
		kind = "Dedicated"
	}
	out := &lparstat.Output{}
	add := func(name, value string) { out.Fields = append(out.Fields, lparstat.NewField(name, value)) }
	add("Node Name", n.Name)
	add("Partition Name", n.Name)
	add("Partition Number", strconv.Itoa(n.Number))
	add("Type", kind)
	add("Mode", mode)
	add("Entitled Capacity", fmt.Sprintf("%.2f", n.Entitled))
	add("Partition Group-ID", "-")
	add("Shared Pool ID", "-")
	add("Online Virtual CPUs", strconv.Itoa(n.VCPUs))
	add("Maximum Virtual CPUs", "-")
	add("Minimum Virtual CPUs", "-")
	add("Online Memory", fmt.Sprintf("%d MB", n.MemoryMB))
	add("Maximum Memory", "-")
	add("Minimum Memory", "-")
	weight := "-"
	if n.Mode == "Uncapped" {
		weight = strconv.Itoa(n.Weight)
	}
	add("Variable Capacity Weight", weight)
	add("Minimum Capacity", "-")
	add("Maximum Capacity", "-")
	add("Desired Virtual CPUs", strconv.Itoa(n.VCPUs))
	add("Desired Memory", fmt.Sprintf("%d MB", n.MemoryMB))
	add("Desired Capacity", fmt.Sprintf("%.2f", n.Entitled))
	return out
}

// columns of the interval form. Nobody measures what a partition waits for, and
// with it how much of the rest is idle.
var columns = []string{"%user", "%sys", "%wait", "%idle", "physc", "%entc"}

// intervals prints one sample per interval.
func (w *Simulator) intervals(ctx context.Context, c *Call, n *topology.Node, nums []int) int {
	interval, count := time.Second, 1
	if len(nums) > 0 {
		interval = time.Duration(nums[0]) * time.Second
		count = 0 // until interrupted
	}
	if len(nums) > 1 {
		count = nums[1]
	}
	last, known := w.used(c.Node)
	at := w.now()
	t := &lparstat.Table{Config: configuration(n), Columns: columns}
	c.Stdout.Write(lparstat.Format(&lparstat.Output{Tables: []*lparstat.Table{t}}))
	switch {
	case !known:
		fmt.Fprintln(c.Stderr, "lparstat: physc is not known here: nobody accounts the CPU of this node")
	case last.Processes:
		fmt.Fprintln(c.Stderr, "lparstat: physc is the time of the node's processes; what the kernel does for packets "+
			"outside of them (softirq) belongs to no node and is not in it")
	}
	for i := 0; count == 0 || i < count; i++ {
		if w.sleep(ctx, interval) != nil {
			return 1
		}
		values := make([]*float64, len(columns))
		used, ok := w.used(c.Node)
		now := w.now()
		if ok && known {
			if use, ok := used.over(last, now.Sub(at).Seconds()); ok {
				fill(values, use, n)
			}
		}
		last, known, at = used, ok, now
		fmt.Fprint(c.Stdout, t.Line(lparstat.Sample{Values: values}))
	}
	return 0
}

// fill sets what is known of a sample. As on AIX, the shares are of the
// entitlement, or of what was consumed if that is more.
func fill(values []*float64, use cpuUse, n *topology.Node) {
	of := max(n.Entitled, use.physc())
	user, system, physc, entc := 100*use.user/of, 100*use.system/of, use.physc(), 100*use.physc()/n.Entitled
	values[0], values[1], values[4], values[5] = &user, &system, &physc, &entc
}

func configuration(n *topology.Node) []lparstat.Field {
	kind := "Shared"
	if n.Mode == "Donating" {
		kind = "Dedicated"
	}
	return []lparstat.Field{lparstat.NewField("type", kind), lparstat.NewField("mode", n.Mode),
		lparstat.NewField("mem", fmt.Sprintf("%dMB", n.MemoryMB)), lparstat.NewField("ent", fmt.Sprintf("%.2f", n.Entitled))}
}
