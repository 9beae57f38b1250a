package analysis

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune/design"
)

// Trial is a measured run.
type Trial struct {
	Run      []int   // one level a factor
	Plot     int     // trials measured together, with the same hard settings; another in each repetition
	Response float64 // log ratio to its reference trial, larger is better
	// Reference numbers the reference trials from 1: trials with the same number
	// are paired with the same one. 0: one of its own.
	Reference int
}

// Effect of a factor or of an interaction.
type Effect struct {
	Term design.Term
	Name string
	// Estimate is the change of the response from the first level to the last; of
	// an interaction, half the difference of one factor's effect between the other's levels.
	Estimate  float64
	Low, High *float64 // 95 % interval; nil where nothing tells the error
	P         float64  // two-sided, for this effect alone
	Named     bool     // it is there: corrected for all that were looked at
	Aliases   []string // interactions that cannot be told from it
}

// Model holds what a study says about its factors.
type Model struct {
	// Effects: the main effects that the trials can tell, in the order of the factors, then the
	// interactions, largest first.
	Effects []Effect

	mean  float64
	terms []estimate // main effects and named interactions
}

// Fit estimates the effects. noise is what the A/A blocks showed, its zero value
// if there were none. It fails without trials.
func Fit(factors []design.Factor, trials []Trial, noise Noise) (*Model, error) {
	if len(trials) == 0 {
		return nil, errors.New("no trial to analyse")
	}
	d := newData(factors, trials, noise)
	mains, _ := design.Terms(len(factors))
	s := selection{data: d, mains: mains, classes: d.classes()}
	s.run()
	m := &Model{terms: d.fit(s.model())}
	for _, t := range mains {
		if e := find(m.terms, t); e != nil {
			m.Effects = append(m.Effects, s.effect(*e, nil))
		}
	}
	var pairs []Effect
	for _, class := range s.classes {
		// An interaction that is not named is estimated beside those that are.
		t := class[0]
		if e := find(d.fit(append(s.model(), t)), t); e != nil {
			pairs = append(pairs, s.effect(*e, class[1:]))
		}
	}
	slices.SortStableFunc(pairs, func(a, b Effect) int { return cmp.Compare(math.Abs(b.Estimate), math.Abs(a.Estimate)) })
	m.Effects = append(m.Effects, pairs...)
	for i, y := range d.y {
		m.mean += (y - m.sum(d.runs[i])) / float64(len(d.y))
	}
	return m, nil
}

// effect puts an estimate as people read it: from −1 to +1 is twice the coefficient.
func (s *selection) effect(e estimate, aliases []design.Term) Effect {
	out := Effect{Term: e.term, Name: e.term.Name(s.factors), Estimate: 2 * e.beta, P: e.p(), Named: s.has(e.term)}
	if !math.IsNaN(e.se) {
		half := 2 * e.se * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: e.df}.Quantile(1-(1-stats.Confidence)/2)
		low, high := out.Estimate-half, out.Estimate+half
		out.Low, out.High = &low, &high
	}
	for _, t := range aliases {
		out.Aliases = append(out.Aliases, t.Name(s.factors))
	}
	return out
}

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
