package analysis

import (
	"cmp"
	"math"
	"slices"
)

// Candidate is a combination of levels and the response the model expects of it.
type Candidate struct {
	Run       []int
	Predicted float64 // log ratio to the reference
}

// Predict gives the response that a run promises. Named effects count in full,
// other main effects the less the less sure they are, and not at all below their
// standard error.
func (m *Model) Predict(run []int) float64 { return m.mean + m.sum(run) }

// sum leaves out the mean.
func (m *Model) sum(run []int) (sum float64) {
	for _, e := range m.terms {
		x := e.term.Column([][]int{run})[0]
		sum += e.beta * m.trust(e) * x
	}
	return sum
}

// trust is 1 for a named effect, else the share 1 − 1/t² of it that is likely to
// be there (James and Stein).
func (m *Model) trust(e estimate) float64 {
	for _, f := range m.Effects {
		if slices.Equal(f.Term, e.term) && (f.Named || math.IsNaN(e.se)) {
			return 1
		}
	}
	if e.beta == 0 {
		return 0
	}
	return max(0, 1-(e.se/e.beta)*(e.se/e.beta))
}

// Rank orders combinations by what they promise, the best first; those that
// promise the same stay in their order.
func (m *Model) Rank(runs [][]int) []Candidate {
	out := make([]Candidate, len(runs))
	for i, run := range runs {
		out[i] = Candidate{Run: run, Predicted: m.Predict(run)}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.Predicted, a.Predicted) })
	return out
}
