package design

import "slices"

// farthest is how many factors a replacement may differ in: a run farther away
// stands for nothing of what the replaced one would have shown.
const farthest = 3

// repair replaces runs that are not allowed by the nearest allowed one, by the
// number of factors that differ: one that is not in the design yet, and there
// the factors listed last are changed first.
func (d *Design) repair(allowed func([]int) bool) {
	var forbidden [][]int
	d.Runs = slices.DeleteFunc(d.Runs, func(run []int) bool {
		bad := !allowed(run)
		if bad {
			forbidden = append(forbidden, run)
		}
		return bad
	})
	for _, run := range forbidden {
		if is := d.nearest(run, allowed); is != nil {
			d.Runs = append(d.Runs, is)
			d.Repaired++
		} else {
			d.Dropped++
		}
	}
}

// nearest is nil if it is in the design already, or none is near.
func (d *Design) nearest(run []int, allowed func([]int) bool) []int {
	for distance := 1; distance <= min(farthest, len(run)); distance++ {
		near := false
		for _, other := range mirrored(run, len(run), distance) {
			if !allowed(other) {
				continue
			}
			near = true
			if !slices.ContainsFunc(d.Runs, func(r []int) bool { return slices.Equal(r, other) }) {
				return other
			}
		}
		if near {
			return nil
		}
	}
	return nil
}

// mirrored gives the runs that have exactly so many of the first factors at
// their other level, those of the last factors first.
func mirrored(run []int, first, many int) [][]int {
	if many == 0 {
		return [][]int{run}
	}
	var runs [][]int
	for i := first - 1; i >= many-1; i-- {
		other := slices.Clone(run)
		other[i] = 1 - run[i]
		runs = append(runs, mirrored(other, i, many-1)...)
	}
	return runs
}
