package commands

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"time"

	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
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
		return times{}, flags.TooMany(words)
	}
	for i, s := range words {
		var err error
		if nums[i], err = strconv.Atoi(s); err != nil || nums[i] < 1 {
			return times{}, flags.Usagef("%s is not an interval or count: a whole number above zero", s)
		}
	}
	return times{time.Duration(nums[0]) * time.Second, nums[1]}, nil
}

// samples measures a node's processor time, an interval at a time; false with
// one that is not known. It ends early when ctx does.
func samples(ctx context.Context, c *call, t times) iter.Seq2[cpuUse, bool] {
	return func(yield func(cpuUse, bool) bool) {
		for i := 0; t.count == 0 || i < t.count; i++ {
			before, known := c.sim.CPU(c.Node)
			at := c.sim.Time()
			if c.sim.Wait(ctx, t.every) != nil {
				return
			}
			var use cpuUse
			after, still := c.sim.CPU(c.Node)
			ok := known && still
			if ok {
				use, ok = useBetween(before, after, c.sim.Time().Sub(at).Seconds())
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

// useBetween returns the CPU used between two readings. Time that went back ended with a
// process: then it is not known.
func useBetween(before, after node.CPUTime, seconds float64) (cpuUse, bool) {
	if seconds <= 0 || after.User < before.User || after.System < before.System {
		return cpuUse{}, false
	}
	return cpuUse{(after.User - before.User).Seconds() / seconds, (after.System - before.System).Seconds() / seconds}, true
}

// shares are user, system and percent of entitlement. As on AIX, the first two
// are of the entitlement, or of what was consumed if that is more.
func (u cpuUse) shares(n *topology.Node) (user, system, entc float64) {
	of := max(n.Entitled, u.physc())
	return 100 * u.user / of, 100 * u.system / of, 100 * u.physc() / n.Entitled
}

// percents are user, system, physical processors and percent of entitlement; "-" where it is not known.
func percents(use cpuUse, ok bool, n *topology.Node) (us, sy, pc, ec string) {
	if !ok {
		return "-", "-", "-", "-"
	}
	user, system, entc := use.shares(n)
	return fmt.Sprintf("%.0f", user), fmt.Sprintf("%.0f", system), fmt.Sprintf("%.2f", use.physc()), fmt.Sprintf("%.1f", entc)
}
