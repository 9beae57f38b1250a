package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/lab/topology"
)

const (
	vmstatUsage = `	vmstat [-t] [-w] [Interval [Count]]`
	sarUsage    = `	sar [-u] Interval [Count]`
)

// times reads an interval in seconds and a count; 0 stands for what is not
// given.
func times(words []string) (interval time.Duration, count int, err error) {
	var nums [2]int
	for i, s := range words {
		if i == len(nums) {
			return 0, 0, errors.New("too many parameters")
		}
		if nums[i], err = strconv.Atoi(s); err != nil || nums[i] < 1 {
			return 0, 0, fmt.Errorf("%s is not a number above zero", s)
		}
	}
	return time.Duration(nums[0]) * time.Second, nums[1], nil
}

// sample measures a node's processor time over an interval; ok is false if
// it is not known, err if the caller has given up.
func (w *Simulator) sample(ctx context.Context, node string, interval time.Duration) (use cpuUse, ok bool, err error) {
	before, known := w.used(node)
	at := w.now()
	if err := w.sleep(ctx, interval); err != nil {
		return use, false, err
	}
	after, still := w.used(node)
	if known && still {
		use, ok = after.over(before, w.now().Sub(at).Seconds())
	}
	return use, ok, nil
}

// percents are user, system, physical processors and percent of entitlement,
// in lparstat's way; "-" where nobody knows.
func percents(use cpuUse, ok bool, n *topology.Node, digits int) (user, system, physc, entc string) {
	if !ok {
		return "-", "-", "-", "-"
	}
	values := make([]*float64, len(columns))
	fill(values, use, n)
	f := func(v *float64, digits int) string { return strconv.FormatFloat(*v, 'f', digits, 64) }
	return f(values[0], digits), f(values[1], digits), f(values[4], 2), f(values[5], 1)
}

// vmstat has the processor columns of AIX's. Memory, pages and interrupts are
// the whole machine's, not a node's: nothing is printed of them.
func (w *Simulator) vmstat(ctx context.Context, c *Call) int {
	o, err := Letters("IWtlvsifwhP:p:", c.Argv[1:])
	if err == nil && slices.ContainsFunc(o.List, func(x Option) bool { return x.Name != "t" && x.Name != "w" }) {
		err = errors.New("only -t and -w are supported in the lab: its nodes have no memory, no pages and no interrupts of their own")
	}
	var interval time.Duration
	var count int
	if err == nil {
		interval, count, err = times(o.Rest)
	}
	if err != nil {
		return usage(c, err, vmstatUsage)
	}
	if interval == 0 {
		interval, count = time.Second, 1
	}
	_, n := w.node(c.Node)
	fmt.Fprintf(c.Stdout, "\nSystem configuration: mem=%dMB ent=%.2f\n\n", n.MemoryMB, n.Entitled)
	fmt.Fprintf(c.Stdout, "%-5s %-13s %-25s %-13s %s\n", "kthr", "memory", "page", "faults", "cpu")
	fmt.Fprintf(c.Stdout, "%s %s %s %s %s\n", strings.Repeat("-", 5), strings.Repeat("-", 13),
		strings.Repeat("-", 25), strings.Repeat("-", 13), strings.Repeat("-", 25))
	const row = "%2s %2s %6s %6s %3s %3s %3s %4s %4s %3s %4s %4s %3s %3s %3s %2s %2s %5s %5s\n"
	print := func(at string, cells ...any) {
		line := fmt.Sprintf(row, cells...)
		if o.Has("t") {
			line = fmt.Sprintf("%s %8s\n", strings.TrimRight(line, "\n"), at)
		}
		fmt.Fprint(c.Stdout, line)
	}
	print("hr mi se", "r", "b", "avm", "fre", "re", "pi", "po", "fr", "sr", "cy", "in", "sy", "cs", "us", "sy", "id", "wa", "pc", "ec")
	for i := 0; count == 0 || i < count; i++ {
		use, ok, err := w.sample(ctx, c.Node, interval)
		if err != nil {
			return 1
		}
		us, sy, pc, ec := percents(use, ok, n, 0)
		print(w.clock(n.Name).Format(time.TimeOnly), "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", us, sy, "-", "-", pc, ec)
	}
	return 0
}

// sar -u is the processor time of the node, a line an interval and their mean.
func (w *Simulator) sar(ctx context.Context, c *Call) int {
	o, err := Letters("uP:Abcdkmqrvwyo:f:", c.Argv[1:])
	if err == nil && slices.ContainsFunc(o.List, func(x Option) bool { return x.Name != "u" }) {
		err = errors.New("only -u is supported in the lab: nothing counts a node's calls, queues and pages, nor what it uses of each processor")
	}
	if err == nil && len(o.Rest) == 0 {
		err = errors.New("an interval is required: a lab keeps no history of its activity")
	}
	var interval time.Duration
	count := 1
	if err == nil {
		interval, count, err = times(o.Rest)
	}
	if err != nil {
		return usage(c, err, sarUsage)
	}
	sys, n := w.node(c.Node)
	names := unameOf(sys, n)
	fmt.Fprintf(c.Stdout, "\nAIX %s %s %s %s    %s\n\nSystem configuration: ent=%.2f mode=%s \n\n",
		n.Name, names.Release, names.Version, names.Machine,
		w.clock(n.Name).Format("01/02/06"), n.Entitled, n.Mode)
	row := func(at, user, system, physc, entc string) {
		fmt.Fprintf(c.Stdout, "%-8s %7s %7s %7s %7s %7s %7s\n", at, user, system, "-", "-", physc, entc)
	}
	fmt.Fprintf(c.Stdout, "%-8s %7s %7s %7s %7s %7s %7s\n",
		w.clock(n.Name).Format(time.TimeOnly), "%usr", "%sys", "%wio", "%idle", "physc", "%entc")
	var sum cpuUse
	known := 0
	for i := 0; i < max(count, 1); i++ {
		use, ok, err := w.sample(ctx, c.Node, interval)
		if err != nil {
			return 1
		}
		if ok {
			sum, known = cpuUse{sum.user + use.user, sum.system + use.system}, known+1
		}
		user, system, physc, entc := percents(use, ok, n, 0)
		row(w.clock(n.Name).Format(time.TimeOnly), user, system, physc, entc)
	}
	if count > 1 {
		mean := cpuUse{sum.user / float64(max(known, 1)), sum.system / float64(max(known, 1))}
		user, system, physc, entc := percents(mean, known > 0, n, 0)
		fmt.Fprintln(c.Stdout)
		row("Average", user, system, physc, entc)
	}
	return 0
}
