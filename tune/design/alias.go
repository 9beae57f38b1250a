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

// Alias is a pair of terms that the runs tell apart badly or not at all.
type Alias struct {
	Of, With    Term
	Correlation float64 // of their contrasts, −1 to +1; ±1: not at all
}

// Whole says that no run tells the two apart.
func (a Alias) Whole() bool { return math.Abs(a.Correlation) > 0.999 }

const mixed = 0.05 // correlation from which on terms count as mixed

// Aliases lists the pairs of main effects and two-factor interactions whose
// contrasts are correlated, from the runs as they are. A factor that never
// changes is in none of them.
func (d *Design) Aliases() []Alias {
	mains, pairs := Terms(len(d.Factors))
	terms := slices.Concat(mains, pairs)
	columns := make([][]float64, len(terms))
	for i, t := range terms {
		columns[i] = t.Column(d.Runs)
	}
	var aliases []Alias
	for i := range terms {
		for j := i + 1; j < len(terms); j++ {
			// Not a number of a column that is constant.
			if r := stat.Correlation(columns[i], columns[j], nil); math.Abs(r) > mixed {
				aliases = append(aliases, Alias{Of: terms[i], With: terms[j], Correlation: r})
			}
		}
	}
	return aliases
}

// AliasWords says in sentences what the design can tell apart and what not.
func (d *Design) AliasWords() []string {
	var said []string
	with := map[string][]string{} // of a main effect
	told := map[string]bool{}     // interactions that a sentence holds already
	groups, partly, most := []string(nil), 0, 0.0
	aliases := d.Aliases()
	for _, a := range aliases {
		of, other := a.Of.Name(d.Factors), a.With.Name(d.Factors)
		switch {
		case len(a.Of) == 1 && a.Whole():
			with[of] = append(with[of], other+" (not distinguished)")
		case len(a.Of) == 1:
			with[of] = append(with[of], fmt.Sprintf("%s (correlation %.2f)", other, a.Correlation))
		case !a.Whole():
			partly++
			most = max(most, math.Abs(a.Correlation))
		case !told[of]:
			told[of] = true
			var same []string
			for _, b := range aliases {
				if b.Whole() && slices.Equal(a.Of, b.Of) {
					same = append(same, b.With.Name(d.Factors))
					told[b.With.Name(d.Factors)] = true
				}
			}
			groups = append(groups, of+" cannot be told from "+strings.Join(same, " or "))
		}
	}
	for _, f := range d.Factors {
		if len(with[f.Name]) > 0 {
			said = append(said, "main effect of "+f.Name+" is mixed with "+strings.Join(with[f.Name], ", "))
		} else if len(with) > 0 {
			said = append(said, "main effect of "+f.Name+" is free of two-factor interactions")
		}
	}
	if len(with) == 0 {
		said = append(said, "every main effect is free of the others and of two-factor interactions")
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
