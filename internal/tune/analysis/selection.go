package analysis

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune/design"
)

type selection struct {
	*data
	mains   []design.Term
	classes [][]design.Term // interactions; those of a class cannot be told apart
	named   []design.Term
}

// classes lists the interactions of two factors. Those with the same contrast are one
// class; constant ones are left out.
func (d *data) classes() [][]design.Term {
	_, pairs := design.Terms(len(d.factors))
	var classes [][]design.Term
	var contrasts [][]float64
	for _, t := range pairs {
		c := t.Column(d.runs)
		floats.AddConst(-stat.Mean(c, nil), c)
		l := floats.Norm(c, 2)
		if l < negligible*math.Sqrt(float64(len(c))) {
			continue
		}
		floats.Scale(1/l, c)
		i := slices.IndexFunc(contrasts, func(other []float64) bool { return math.Abs(floats.Dot(c, other)) > 1-negligible })
		if i < 0 {
			classes, contrasts = append(classes, []design.Term{t}), append(contrasts, c)
			continue
		}
		classes[i] = append(classes[i], t)
	}
	return classes
}

func (s *selection) has(t design.Term) bool {
	return slices.ContainsFunc(s.named, func(n design.Term) bool { return slices.Equal(n, t) })
}

// parents counts the named main effects of an interaction.
func (s *selection) parents(t design.Term) (n int) {
	for _, f := range t {
		if s.has(design.Term{f}) {
			n++
		}
	}
	return n
}

// model is every main effect and the named interactions.
func (s *selection) model() []design.Term {
	terms := slices.Clone(s.mains)
	for _, t := range s.named {
		if len(t) > 1 {
			terms = append(terms, t)
		}
	}
	return terms
}

// run names the surest candidate as long as its p-value holds against all that
// are left: main effects, and interactions with a named parent.
func (s *selection) run() {
	for {
		var best design.Term
		least, candidates := math.Inf(1), 0
		consider := func(e *estimate) {
			candidates++
			if e.p() < least {
				best, least = e.term, e.p()
			}
		}
		estimates := s.fit(s.model())
		for _, t := range s.mains {
			if e := find(estimates, t); e != nil && !s.has(t) {
				consider(e)
			}
		}
		for _, class := range s.classes {
			if s.has(class[0]) {
				continue
			}
			// The likeliest of a class speaks for it: both parents named, then one.
			slices.SortStableFunc(class, func(a, b design.Term) int { return s.parents(b) - s.parents(a) })
			if s.parents(class[0]) == 0 {
				continue
			}
			if e := find(s.fit(append(s.model(), class[0])), class[0]); e != nil {
				consider(e)
			}
		}
		if best == nil || least*float64(candidates) > 1-stats.Confidence {
			return
		}
		s.named = append(s.named, best)
	}
}
