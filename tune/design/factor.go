package design

import "slices"

// Factor is a setting that a study varies between two levels, 0 and 1.
type Factor struct {
	Name   string
	Outage int // outage class of a change, 0 to 6
}

// weight of a change of a whole-plot factor: one of a class outweighs three of
// the class below. 0: the factor may change with every run.
func weight(f Factor) int {
	if f.Outage < 2 {
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
	slices.SortStableFunc(order, func(a, b int) int { return weight(factors[b]) - weight(factors[a]) })
	return order
}
