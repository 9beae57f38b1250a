package node

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"time"

	"seaworthy/lab/topology"
)

// times are an interval and how often it comes; 0: until interrupted.
type times struct {
	every time.Duration
	count int
}

// timesOf reads an interval in seconds and a count; without both it is one second, once.
func timesOf(words []string) (times, error) {
	if len(words) == 0 {
		return times{time.Second, 1}, nil
	}
	var nums [2]int
	if len(words) > len(nums) {
		return times{}, tooMany(words)
	}
	for i, s := range words {
		var err error
		if nums[i], err = strconv.Atoi(s); err != nil || nums[i] < 1 {
			return times{}, wrong("%s is not an interval or count: a whole number above zero", s)
		}
	}
	return times{time.Duration(nums[0]) * time.Second, nums[1]}, nil
}

// samples measures a node's processor time, an interval at a time; false with
// one that is not known. It ends early when ctx does.
func (w *Simulator) samples(ctx context.Context, node string, t times) iter.Seq2[cpuUse, bool] {
	return func(yield func(cpuUse, bool) bool) {
		for i := 0; t.count == 0 || i < t.count; i++ {
			before, known := w.CPU(node)
			at := w.now()
			if w.sleep(ctx, t.every) != nil {
				return
			}
			var use cpuUse
			after, still := w.CPU(node)
			ok := known && still
			if ok {
				use, ok = after.over(before, w.now().Sub(at).Seconds())
			}
			if !yield(use, ok) {
				return
			}
		}
	}
}

// cpuUse is a node's CPU over an interval, in cores.
type cpuUse struct{ user, system float64 }

func (u cpuUse) physc() float64 { return u.user + u.system }

// over gives the CPU between two readings. Time that went back went with a
// process that ended: then it is not known.
func (t CPUTime) over(before CPUTime, seconds float64) (cpuUse, bool) {
	if seconds <= 0 || t.User < before.User || t.System < before.System {
		return cpuUse{}, false
	}
	return cpuUse{(t.User - before.User).Seconds() / seconds, (t.System - before.System).Seconds() / seconds}, true
}

// shares are user, system and percent of entitlement. As on AIX, the first two
// are of the entitlement, or of what was consumed if that is more.
func (u cpuUse) shares(n *topology.Node) (user, system, entc float64) {
	of := max(n.Entitled, u.physc())
	return 100 * u.user / of, 100 * u.system / of, 100 * u.physc() / n.Entitled
}

// percents are user, system, physical processors and percent of entitlement; "-" where nobody knows.
func percents(use cpuUse, ok bool, n *topology.Node) (us, sy, pc, ec string) {
	if !ok {
		return "-", "-", "-", "-"
	}
	user, system, entc := use.shares(n)
	return fmt.Sprintf("%.0f", user), fmt.Sprintf("%.0f", system), fmt.Sprintf("%.2f", use.physc()), fmt.Sprintf("%.1f", entc)
}

// vmstat has the processor columns of AIX's. Memory, pages and interrupts are
// the whole machine's, not a node's: nothing is printed of them.
func (w *Simulator) vmstat(ctx context.Context, c *call) error {
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	if err := c.answer("vmstat", c.n); err != nil {
		return err
	}
	const row = "%2s %2s %6s %6s %3s %3s %3s %4s %4s %3s %4s %4s %3s %3s %3s %2s %2s %5s %5s"
	print := func(at string, cells ...any) {
		line := fmt.Sprintf(row, cells...)
		if c.Has("t") {
			line = fmt.Sprintf("%s %8s", line, at)
		}
		fmt.Fprintln(c.Stdout, line)
	}
	print("hr mi se", "r", "b", "avm", "fre", "re", "pi", "po", "fr", "sr", "cy", "in", "sy", "cs", "us", "sy", "id", "wa", "pc", "ec")
	for use, ok := range w.samples(ctx, c.Node, t) {
		us, sy, pc, ec := percents(use, ok, c.n)
		print(w.clock(c.Node).Format(time.TimeOnly), "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", us, sy, "-", "-", pc, ec)
	}
	return ctx.Err()
}

// sar -u is the processor time of the node, a line an interval and their mean.
func (w *Simulator) sar(ctx context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return wrong("an interval is required: a lab keeps no history of its activity")
	}
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	t.count = max(t.count, 1)
	name := unameOf(c)
	fmt.Fprintf(c.Stdout, "\nAIX %s %s %s %s    %s\n\nSystem configuration: ent=%.2f mode=%s \n\n", c.Node, name[2], name[3], name[4],
		w.clock(c.Node).Format("01/02/06"), c.n.Entitled, c.n.Mode)
	row := func(cells ...any) { fmt.Fprintf(c.Stdout, "%-8s %7s %7s %7s %7s %7s %7s\n", cells...) }
	row(w.clock(c.Node).Format(time.TimeOnly), "%usr", "%sys", "%wio", "%idle", "physc", "%entc")
	var sum cpuUse
	known := 0
	for use, ok := range w.samples(ctx, c.Node, t) {
		if ok {
			sum, known = cpuUse{sum.user + use.user, sum.system + use.system}, known+1
		}
		us, sy, pc, ec := percents(use, ok, c.n)
		row(w.clock(c.Node).Format(time.TimeOnly), us, sy, "-", "-", pc, ec)
	}
	if t.count > 1 && ctx.Err() == nil {
		of := float64(max(known, 1))
		us, sy, pc, ec := percents(cpuUse{sum.user / of, sum.system / of}, known > 0, c.n)
		fmt.Fprintln(c.Stdout)
		row("Average", us, sy, "-", "-", pc, ec)
	}
	return ctx.Err()
}

// viostat is the storage monitor of a VIOS. A lab has no disks, so its table
// of them is empty; physc is what lparstat measures.
func (w *Simulator) viostat(ctx context.Context, c *call) error {
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Stdout, "\nSystem configuration: drives=0 ent=%.2f paths=0 vdisks=0\n", c.n.Entitled)
	for use, ok := range w.samples(ctx, c.Node, t) {
		_, _, pc, _ := percents(use, ok, c.n)
		fmt.Fprintf(c.Stdout, "\navg-cpu: physc\n         %5s\n\nDisks:         %% tm_act     Kbps      tps    Kb_read   Kb_wrtn\n", pc)
	}
	return ctx.Err()
}
