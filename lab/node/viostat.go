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
func (w *World) viostat(ctx context.Context, c *Call) int {
	o, err := letters("adsSmtThvV", c.Argv[1:])
	var nums []int
	if err == nil {
		for _, a := range o.rest {
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
		if now, ok := w.used(c.Node); ok && known && now >= last && w.now().After(at) {
			physc = fmt.Sprintf("%.2f", (now-last).Seconds()/w.now().Sub(at).Seconds())
		}
		fmt.Fprintf(c.Stdout, "\navg-cpu: physc\n         %5s\n\nDisks:         %% tm_act     Kbps      tps    Kb_read   Kb_wrtn\n", physc)
	}
	return 0
}

// used is the processor time of a node's processes; false if nobody can tell.
func (w *World) used(node string) (time.Duration, bool) {
	if w.CPU == nil {
		return 0, false
	}
	return w.CPU(node)
}
