package supervisor

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// keepTo lets the calling thread, and what it starts, run on as many of the
// machine's processors as the partition has virtual ones. Nodes with fewer
// begin at different processors, so that they do not crowd on one.
func keepTo(virtual, nth int) error {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return fmt.Errorf("read CPU affinity: %w", err)
	}
	chosen, limited := choose(&allowed, virtual, nth)
	if !limited {
		return nil
	}
	if err := unix.SchedSetaffinity(0, chosen); err != nil {
		return fmt.Errorf("limit to %d virtual processors: %w", virtual, err)
	}
	return nil
}

// choose takes virtual processors of the allowed ones, from the nth on and
// round; false if all of them are needed.
func choose(allowed *unix.CPUSet, virtual, nth int) (*unix.CPUSet, bool) {
	var all []int
	for cpu := 0; len(all) < allowed.Count(); cpu++ {
		if allowed.IsSet(cpu) {
			all = append(all, cpu)
		}
	}
	if virtual < 1 || virtual >= len(all) {
		return allowed, false
	}
	chosen := new(unix.CPUSet)
	for i := range virtual {
		chosen.Set(all[(nth+i)%len(all)])
	}
	return chosen, true
}
