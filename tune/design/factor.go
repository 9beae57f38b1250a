package design

import "slices"

// Factor is a setting that a study varies.
type Factor struct {
	Name   string
	Levels int  // 2 or more, in ascending order of what they set: 0 to Levels−1
	Outage int  // outage class of a change, 0 to 6
	Hard   bool // hard to change though its outage class is below 2
}

// WholePlot says whether the factor is changed between whole plots only.
func (f Factor) WholePlot() bool { return f.Hard || f.Outage >= 2 }

// Code places a level on the scale −1 (first) to +1 (last).
func (f Factor) Code(level int) float64 { return 2*float64(level)/float64(f.Levels-1) - 1 }

// weight of a change of a whole-plot factor: one of a class outweighs three of
// the class below. 0: the factor may change with every run.
func weight(f Factor) int {
	if !f.WholePlot() {
		return 0
	}
	return 1 << (2 * f.Outage)
}

// columnOrder gives the factor of each column: the costliest to change first,
// since the first columns of a fraction are the free ones, and make the fewest
// whole plots.
func columnOrder(factors []Factor) []int {
	order := make([]int, len(factors))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(weight(factors[b]) - weight(factors[a])) })
	return order
}
