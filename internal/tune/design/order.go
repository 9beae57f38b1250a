package design

import (
	"math/rand/v2"
	"slices"
)

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

// plots numbers the whole plots: runs that agree in all whole-plot factors share one.
func plots(factors []Factor, runs [][]int) []int {
	of := make([]int, len(runs))
	var firsts []int // a run of each plot
	for i, run := range runs {
		of[i] = slices.IndexFunc(firsts, func(j int) bool { return changeCost(factors, run, runs[j]) == 0 })
		if of[i] < 0 {
			of[i] = len(firsts)
			firsts = append(firsts, i)
		}
	}
	return of
}

// changeCost is the weight of the whole-plot factors in which two runs differ.
func changeCost(factors []Factor, a, b []int) (cost int) {
	for i, f := range factors {
		if a[i] != b[i] {
			cost += weight(f)
		}
	}
	return cost
}

// Order gives the order in which to measure the runs once, as their indices: the
// whole plots so that costly changes are few, the runs within each at random by
// the seed. from is the run in force before the first; nil: unknown. Use another
// seed for each repetition.
func (d *Design) Order(seed uint64, from []int) []int {
	random := rand.New(rand.NewPCG(seed, 0))
	members := make([][]int, slices.Max(d.Plots)+1) // the runs of each whole plot
	for run, plot := range d.Plots {
		members[plot] = append(members[plot], run)
	}
	var best []int
	least := -1
	for _, start := range random.Perm(len(members)) {
		sequence, cost := d.tour(start, members)
		if from != nil {
			cost += changeCost(d.Factors, from, d.Runs[members[start][0]])
		}
		if least < 0 || cost < least {
			best, least = sequence, cost
		}
	}
	var order []int
	for _, plot := range best {
		runs := members[plot]
		random.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		order = append(order, runs...)
	}
	return order
}

// tour visits every whole plot from one on, always the nearest next. Where all
// combinations are there this is a Gray code, the costliest factor changing least.
func (d *Design) tour(start int, members [][]int) (sequence []int, cost int) {
	visited := make([]bool, len(members))
	for at := start; at >= 0; {
		visited[at] = true
		sequence = append(sequence, at)
		next, least := -1, 0
		for plot := range len(members) {
			if visited[plot] {
				continue
			}
			if c := changeCost(d.Factors, d.Runs[members[at][0]], d.Runs[members[plot][0]]); next < 0 || c < least {
				next, least = plot, c
			}
		}
		at, cost = next, cost+least
	}
	return sequence, cost
}
