package analysis

import "math"

// Noise is the spread of log ratios of equal settings, one trial to another (0.02
// is 2 %), and the degrees of freedom that tell it: the A/A blocks, less one if
// their mean was taken off. DF 0: unknown.
type Noise struct {
	SD float64
	DF int
}

// Shared is the noise that a design of own references would need to be as exact
// as one in which each reference serves so many trials.
func (n Noise) Shared(trials int) Noise {
	m := float64(max(trials, 1))
	return Noise{SD: n.SD / math.Sqrt(2*((m-1)/m+1/(m*(1+m)))), DF: n.DF}
}

func (n Noise) pooled(m Noise) Noise {
	df := n.DF + m.DF
	if df == 0 {
		return n
	}
	return Noise{DF: df, SD: math.Sqrt((n.SD*n.SD*float64(n.DF) + m.SD*m.SD*float64(m.DF)) / float64(df))}
}
