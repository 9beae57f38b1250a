package design

import (
	"fmt"
	"slices"
)

// Repair is a run of the plain design that is not allowed.
type Repair struct {
	Was []int
	Is  []int // the nearest allowed run; nil: dropped, since that is there already or none is near
}

// farthest is how many factors a replacement may differ in: a run farther away
// stands for nothing of what the replaced one would have shown.
const farthest = 3

// repair replaces runs that are not allowed by the nearest allowed one, by the
// number of factors that differ: one that is not in the design yet, and there
// the factors listed last are changed first.
func (d *Design) repair(allowed func([]int) bool) {
	if allowed == nil {
		return
	}
	var forbidden [][]int
	d.Runs = slices.DeleteFunc(d.Runs, func(run []int) bool {
		bad := !allowed(slices.Clone(run))
		if bad {
			forbidden = append(forbidden, run)
		}
		return bad
	})
	for _, run := range forbidden {
		is := d.nearest(run, allowed)
		if is != nil {
			d.Runs = append(d.Runs, is)
		}
		d.Repairs = append(d.Repairs, Repair{Was: run, Is: is})
	}
}

func (d *Design) nearest(run []int, allowed func([]int) bool) []int {
	for distance := 1; distance <= min(farthest, len(run)); distance++ {
		near := false
		for _, other := range d.mirrored(run, len(run), distance) {
			if !allowed(slices.Clone(other)) {
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
// their other extreme level, those of the last factors first.
func (d *Design) mirrored(run []int, first, many int) [][]int {
	if many == 0 {
		return [][]int{run}
	}
	var runs [][]int
	for i := first - 1; i >= many-1; i-- {
		other := slices.Clone(run)
		other[i] = d.Factors[i].Levels - 1 - run[i]
		runs = append(runs, d.mirrored(other, i, many-1)...)
	}
	return runs
}

// Loss says what the constraints cost the design, in sentences; nil: nothing.
func (d *Design) Loss() []string {
	if len(d.Repairs) == 0 {
		return nil
	}
	dropped := 0
	for _, r := range d.Repairs {
		if r.Is == nil {
			dropped++
		}
	}
	said := []string{fmt.Sprintf("%d of %d runs are not allowed: %d replaced by the nearest allowed run, %d dropped",
		len(d.Repairs), len(d.Runs)+dropped, len(d.Repairs)-dropped, dropped)}
	for i, f := range d.Factors {
		if !slices.ContainsFunc(d.Runs, func(r []int) bool { return r[i] != d.Runs[0][i] }) {
			said = append(said, f.Name+" is the same in every run left: its effect cannot be measured")
		}
	}
	return said
}
