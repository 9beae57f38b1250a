package node

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

const viostatUsage = `	viostat [Interval [Count]]`

// viostat is the storage monitor of a VIOS. A lab has no disks, so its table
// of them is empty; physc is what lparstat measures.
func (w *Simulator) viostat(ctx context.Context, c *Call) int {
	o, err := Letters("adsSmtThvV", c.Argv[1:])
	var nums []int
	if err == nil {
		for _, a := range o.Rest {
			n, bad := strconv.Atoi(a)
			if bad != nil || n < 1 || len(nums) == 2 {
				err = errors.New("at most an interval and a count, in whole numbers above zero")
				break
			}
			nums = append(nums, n)
		}
	}
	if err != nil {
		return usage(c, err, viostatUsage)
	}
	_, n := w.node(c.Node)
	fmt.Fprintf(c.Stdout, "\nSystem configuration: drives=0 ent=%.2f paths=0 vdisks=0\n", n.Entitled)
	interval, count := time.Second, 1
	if len(nums) > 0 {
		interval, count = time.Duration(nums[0])*time.Second, 0 // until interrupted
	}
	if len(nums) > 1 {
		count = nums[1]
	}
	for i := 0; count == 0 || i < count; i++ {
		last, known := w.used(c.Node)
		at := w.now()
		if w.sleep(ctx, interval) != nil {
			return 1
		}
		physc := "-"
		if now, ok := w.used(c.Node); ok && known {
			if use, ok := now.over(last, w.now().Sub(at).Seconds()); ok {
				physc = fmt.Sprintf("%.2f", use.physc())
			}
		}
		fmt.Fprintf(c.Stdout, "\navg-cpu: physc\n         %5s\n\nDisks:         %% tm_act     Kbps      tps    Kb_read   Kb_wrtn\n", physc)
	}
	return 0
}

// used is the processor time of a node; false if it is not known.
func (w *Simulator) used(node string) (CPUTime, bool) {
	if w.CPU == nil {
		return CPUTime{}, false
	}
	return w.CPU(node)
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
