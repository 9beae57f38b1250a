package design

import (
	"errors"
	"fmt"
	"slices"
)

// Kind of a design.
type Kind string

const (
	Full           Kind = "full factorial"
	Fraction       Kind = "two-level fraction"
	PlackettBurman Kind = "Plackett–Burman with foldover"
)

// Request holds what a design is made for.
type Request struct {
	Factors []Factor
	// Allowed says whether a run (one level a factor) may be measured; nil: all.
	// It must not keep or change the run.
	Allowed func(run []int) bool
	Budget  int // runs at most
}

// Design is the runs of a study, each to be measured once in every repetition.
type Design struct {
	Factors    []Factor
	Kind       Kind
	Resolution int      // of a fraction and of Plackett–Burman with foldover; 0: full
	Generators []string // of a fraction: "E = A×B×C×D"
	Runs       [][]int  // one level a factor; Order gives the order of measuring
	Plots      []int    // the whole plot of each run, from 0; all 0 without hard factors
	// Runs of the plain design that are not allowed: those that the nearest allowed one
	// replaces, and those dropped, since that is there already or none is near.
	Repaired, Dropped int
}

// BudgetError: no design fits the budget.
type BudgetError struct{ Factors, Budget, Least int }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("%d factors need %d runs at least, the budget is %d: allow more runs or leave out factors",
		e.Factors, e.Least, e.Budget)
}

// Most factors of a request.
const Most = 32

// New chooses the design of a request. The same request always gives the same
// design. It fails with a BudgetError, and on a request without an allowed run
// or with too many factors.
func New(r Request) (*Design, error) {
	if n := len(r.Factors); n == 0 || n > Most {
		return nil, fmt.Errorf("%d factors: 1 to %d expected", n, Most)
	}
	if r.Allowed == nil {
		r.Allowed = func([]int) bool { return true }
	}
	d := &Design{Factors: r.Factors}
	if runs := r.allAllowed(); runs != nil {
		d.Kind, d.Runs = Full, runs
	} else if signs := d.screen(r.Budget); signs != nil {
		d.assignColumns(signs)
		d.repair(r.Allowed)
	} else {
		return nil, &BudgetError{Factors: len(r.Factors), Budget: r.Budget, Least: Least(len(r.Factors))}
	}
	if len(d.Runs) == 0 {
		return nil, errors.New("no combination of the levels is allowed: check the constraints")
	}
	d.Plots = plots(d.Factors, d.Runs)
	return d, nil
}

// allAllowed gives every allowed run if the budget holds them, the first factor
// varying slowest; nil if it does not. An empty list that is not nil: none is allowed.
func (r Request) allAllowed() [][]int {
	const tooMany = 17 // factors to try all combinations of
	k := len(r.Factors)
	if k >= tooMany {
		return nil
	}
	runs := [][]int{}
	for i := range 1 << k {
		run := make([]int, k)
		for j := range run {
			run[j] = i >> (k - 1 - j) & 1
		}
		if r.Allowed(run) {
			runs = append(runs, run)
			if len(runs) > r.Budget {
				return nil
			}
		}
	}
	return runs
}

// screen chooses a two-level design: a row a run, a column a factor in the order
// of columnOrder. nil: none fits.
func (d *Design) screen(budget int) [][]int {
	k := len(d.Factors)
	for m := 1; m < k && 1<<m <= budget; m++ {
		if columns := regular(k, m, 5); columns != nil {
			return d.fraction(columns, m)
		}
	}
	for m := k - 1; m >= 1; m-- {
		if 1<<m <= budget {
			if columns := regular(k, m, 4); columns != nil {
				return d.fraction(columns, m)
			}
		}
	}
	if rows := plackettBurman(k); rows != nil && len(rows) <= budget {
		d.Kind, d.Resolution = PlackettBurman, 4
		return rows
	}
	return nil
}

// Least is the fewest runs that a design of k factors, 1 to Most, is made of.
func Least(k int) int {
	m := 1
	for m < k && (m < 3 || k > 1<<(m-1)) { // no fraction of resolution IV has fewer than 8 runs
		m++
	}
	runs := 1 << m
	if rows := plackettBurman(k); rows != nil {
		runs = min(runs, len(rows))
	}
	return runs
}

// assignColumns puts the columns of a design's rows to their factors.
func (d *Design) assignColumns(rows [][]int) {
	order := columnOrder(d.Factors)
	for _, row := range rows {
		run := make([]int, len(d.Factors))
		for column, factor := range order {
			run[factor] = row[column]
		}
		d.Runs = append(d.Runs, run)
	}
}

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
