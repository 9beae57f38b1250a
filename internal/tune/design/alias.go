package design

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Term of a model: a main effect (one factor) or a two-factor interaction (two),
// as ascending indices of the factors.
type Term []int

// Name of a term: the names of its factors, with × between.
func (t Term) Name(factors []Factor) string {
	names := make([]string, len(t))
	for i, f := range t {
		names[i] = factors[f].Name
	}
	return strings.Join(names, "×")
}

// Column gives the term's contrast, −1 or +1, for each run.
func (t Term) Column(runs [][]int) []float64 {
	column := make([]float64, len(runs))
	for i, run := range runs {
		column[i] = 1
		for _, f := range t {
			column[i] *= float64(2*run[f] - 1)
		}
	}
	return column
}

// Terms lists the main effects and the two-factor interactions of k factors.
func Terms(k int) (mains, pairs []Term) {
	for i := range k {
		mains = append(mains, Term{i})
		for j := i + 1; j < k; j++ {
			pairs = append(pairs, Term{i, j})
		}
	}
	return mains, pairs
}

// From these correlations on terms count as mixed, and as not told apart by any run.
const mixed, whole = 0.05, 0.999

// AliasWords says in sentences what the design can tell apart and what not, from the runs as
// they are: main effects and two-factor interactions are mixed whose contrasts are correlated.
// A factor that never changes is mixed with none.
func (d *Design) AliasWords() []string {
	mains, pairs := Terms(len(d.Factors))
	terms := slices.Concat(mains, pairs)
	columns := make([][]float64, len(terms))
	for i, t := range terms {
		columns[i] = t.Column(d.Runs)
	}
	var said, groups []string
	free := true                     // every main effect
	told := make([]bool, len(terms)) // interactions that a sentence holds already
	partly, most := 0, 0.0
	for i, t := range terms {
		var with []string
		for j := i + 1; j < len(terms); j++ {
			r, other := stat.Correlation(columns[i], columns[j], nil), terms[j].Name(d.Factors)
			switch size := math.Abs(r); {
			case !(size > mixed): // also not a number, of a column that is constant
			case len(t) == 1 && size > whole:
				with = append(with, other+" (not distinguished)")
			case len(t) == 1:
				with = append(with, fmt.Sprintf("%s (correlation %.2f)", other, r))
			case size <= whole:
				partly, most = partly+1, max(most, size)
			case !told[i]:
				with, told[j] = append(with, other), true
			}
		}
		switch {
		case len(t) > 1 && len(with) > 0:
			groups = append(groups, t.Name(d.Factors)+" cannot be told from "+strings.Join(with, " or "))
		case len(t) == 1 && len(with) > 0:
			free = false
			said = append(said, "main effect of "+t.Name(d.Factors)+" is mixed with "+strings.Join(with, ", "))
		case len(t) == 1:
			said = append(said, "main effect of "+t.Name(d.Factors)+" is free of two-factor interactions")
		}
	}
	if free {
		said = []string{"every main effect is free of the others and of two-factor interactions"}
	}
	said = append(said, groups...)
	if partly > 0 {
		said = append(said, fmt.Sprintf("%d pairs of two-factor interactions are mixed in part (correlation up to %.2f)", partly, most))
	}
	if len(groups) == 0 && partly == 0 && len(d.Factors) > 2 {
		said = append(said, "every two-factor interaction can be told from the others")
	}
	return said
}
