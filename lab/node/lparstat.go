package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"seaworthy/dialect/aix/lparstat"
	"seaworthy/lab/topology"
)

const lparstatUsage = `	lparstat -i
	lparstat [Interval [Count]]`

// lparstat -i is the partition's configuration, lparstat with an interval the
// processor time of the node's processes.
func (w *World) lparstat(ctx context.Context, c *Call) int {
	o, err := letters("ihHX", c.Argv[1:])
	if err == nil && len(o.rest) > 2 {
		err = errors.New("too many parameters")
	}
	var nums []int
	if err == nil {
		for _, a := range o.rest {
			n, bad := strconv.Atoi(a)
			if bad != nil || n < 1 {
				err = fmt.Errorf("%s is no positive number", a)
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
	case o.has("i"):
		c.Stdout.Write(lparstat.Format(partition(sys, n)))
		return 0
	case o.has("h") || o.has("H"):
		fmt.Fprintln(c.Stderr, "lparstat: a lab has no hypervisor that counts its calls")
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
	add := func(name, value string) {
		v := lparstat.NewValue(value)
		if strings.HasSuffix(name, "Name") {
			v = lparstat.Value{Text: value} // a name is no number, whatever it looks like
		}
		out.Fields = append(out.Fields, &lparstat.Field{Name: name, Value: v})
	}
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
	add("Variable Capacity Weight", "-")
	add("Minimum Capacity", "-")
	add("Maximum Capacity", "-")
	add("Desired Virtual CPUs", strconv.Itoa(n.VCPUs))
	add("Desired Memory", fmt.Sprintf("%d MB", n.MemoryMB))
	add("Desired Capacity", fmt.Sprintf("%.2f", n.Entitled))
	return out
}

// columns of the interval form. The kernel accounts processor time to a node's
// processes, and that is physc and %entc; the rest prints as unknown.
var columns = []string{"%user", "%sys", "%wait", "%idle", "physc", "%entc"}

// intervals prints one sample per interval.
func (w *World) intervals(ctx context.Context, c *Call, n *topology.Node, nums []int) int {
	interval, count := time.Second, 1
	if len(nums) > 0 {
		interval = time.Duration(nums[0]) * time.Second
		count = 0 // until interrupted
	}
	if len(nums) > 1 {
		count = nums[1]
	}
	used := func() (time.Duration, bool) { return w.used(c.Node) }
	last, known := used()
	t := &lparstat.Table{Config: configuration(n), Columns: columns}
	c.Stdout.Write(lparstat.Format(&lparstat.Output{Tables: []*lparstat.Table{t}}))
	if known {
		fmt.Fprintln(c.Stderr, "lparstat: physc is the time of the node's processes; what the kernel does for packets outside of them (softirq) belongs to no node and is not in it")
	} else {
		fmt.Fprintln(c.Stderr, "lparstat: physc is not known: the kernel accounts its work on packets (softirq) to no node, and this node has no process of its own")
	}
	at := w.now()
	for i := 0; count == 0 || i < count; i++ {
		if w.sleep(ctx, interval) != nil {
			return 1
		}
		sample := &lparstat.Sample{Values: make([]*float64, len(columns))}
		now, before := w.now(), last
		var ok bool
		// Time that went back went with a process that ended.
		if last, ok = used(); ok && known && now.After(at) && last >= before {
			physc := (last - before).Seconds() / now.Sub(at).Seconds()
			entc := 100 * physc / n.Entitled
			sample.Values[4], sample.Values[5] = &physc, &entc
		}
		known, at = ok, now
		s := lparstat.Format(&lparstat.Output{Tables: []*lparstat.Table{{Columns: columns, Samples: []*lparstat.Sample{sample}}}})
		lines := bytes.Split(bytes.TrimRight(s, "\n"), []byte("\n"))
		fmt.Fprintf(c.Stdout, "%s\n", lines[len(lines)-1])
	}
	return 0
}

func configuration(n *topology.Node) []*lparstat.Field {
	kind := "Shared"
	if n.Mode == "Donating" {
		kind = "Dedicated"
	}
	f := func(name, value string) *lparstat.Field {
		return &lparstat.Field{Name: name, Value: lparstat.NewValue(value)}
	}
	return []*lparstat.Field{f("type", kind), f("mode", n.Mode), f("mem", fmt.Sprintf("%dMB", n.MemoryMB)), f("ent", fmt.Sprintf("%.2f", n.Entitled))}
}
