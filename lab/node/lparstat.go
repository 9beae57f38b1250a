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

// intervals prints one sample per interval. Its columns are those the kernel
// accounts for per node; a heading names them, so nobody takes the rest for zero.
func (w *World) intervals(ctx context.Context, c *Call, n *topology.Node, nums []int) int {
	interval, count := time.Second, 1
	if len(nums) > 0 {
		interval = time.Duration(nums[0]) * time.Second
		count = 0 // until interrupted
	}
	if len(nums) > 1 {
		count = nums[1]
	}
	last, ok := time.Duration(0), false
	if w.CPU != nil {
		last, ok = w.CPU(c.Node)
	}
	t := &lparstat.Table{Config: configuration(n)}
	if !ok {
		c.Stdout.Write(lparstat.Format(&lparstat.Output{Tables: []*lparstat.Table{t}}))
		fmt.Fprintln(c.Stderr, "lparstat: physc is not known: the kernel accounts what it does for packets to no node, and the node has no process of its own to account to")
		return 1
	}
	t.Columns = []string{"physc", "%entc"}
	c.Stdout.Write(lparstat.Format(&lparstat.Output{Tables: []*lparstat.Table{t}}))
	fmt.Fprintln(c.Stderr, "lparstat: physc is the time of the node's processes; what the kernel does for packets outside of them (softirq) belongs to no node and is not in it")
	at := w.now()
	for i := 0; count == 0 || i < count; i++ {
		select {
		case <-ctx.Done():
			return 1
		case <-time.After(interval):
		}
		used, ok := w.CPU(c.Node)
		now := w.now()
		if !ok || !now.After(at) {
			fmt.Fprintln(c.Stderr, "lparstat: the processor time could not be read any more")
			return 1
		}
		cores := (used - last).Seconds() / now.Sub(at).Seconds()
		if used < last { // a process ended and took its time along
			fmt.Fprintln(c.Stderr, "lparstat: a process of the node ended in this interval, so its time is not known")
		} else {
			s := lparstat.Format(&lparstat.Output{Tables: []*lparstat.Table{{Columns: t.Columns, Samples: []*lparstat.Sample{{Values: []float64{cores, 100 * cores / n.Entitled}}}}}})
			lines := bytes.Split(bytes.TrimRight(s, "\n"), []byte("\n"))
			fmt.Fprintf(c.Stdout, "%s\n", lines[len(lines)-1])
		}
		last, at = used, now
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
