package analysis

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"seaworthy/internal/measure/stats"
)

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

// Power is the share of studies that find an effect as large as the smallest
// that is promised.
const Power = 0.8

// OneByOne is how many trials, in pairs with and without one of k factors, tell the effects as
// exactly as a design of so many runs, each of whose references serves so many of them: an effect
// has the variance 2/pairs of a trial's there, and 8/runs of Shared noise in the design.
func OneByOne(k, runs, shared int) int {
	sd := Noise{SD: 1}.Shared(shared).SD
	return 2 * k * int(math.Round(float64(runs)/(4*sd*sd)))
}

// SmallestMainEffect is the smallest effect of a two-level factor that a design of
// so many runs finds with the Power, when so many effects are looked at and the
// main effects of so many factors are estimated. +Inf where nothing tells the noise.
func SmallestMainEffect(runs, factors, looked int, noise Noise) float64 {
	return smallest(runs-1-factors+noise.DF, looked, noise, 2/math.Sqrt(float64(runs)))
}

// smallest searches the effect, in standard errors, for which the t test of df
// degrees of freedom, at 5 % shared by all tests, has the power; se is for a noise of 1.
func smallest(df, tests int, noise Noise, se float64) float64 {
	if df < 1 || noise.DF < 1 {
		return math.Inf(1)
	}
	critical := -distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile((1 - stats.Confidence) / 2 / float64(max(tests, 1)))
	power := powerOf(critical, float64(df))
	low, high := 0.0, 1.0
	for power(high) < Power {
		low, high = high, 2*high
	}
	for range 50 {
		if mid := (low + high) / 2; power(mid) < Power {
			low = mid
		} else {
			high = mid
		}
	}
	return high * se * noise.SD
}

// powerOf gives the chance that t goes beyond the critical value on the effect's
// side, the effect being so many standard errors: the average over the spreads
// that the trials may show.
func powerOf(critical, df float64) func(effect float64) float64 {
	spreads := make([]float64, 400)
	chi := distuv.ChiSquared{K: df}
	for i := range spreads {
		spreads[i] = math.Sqrt(chi.Quantile((float64(i)+0.5)/float64(len(spreads))) / df)
	}
	return func(effect float64) (power float64) {
		for _, s := range spreads {
			power += distuv.UnitNormal.CDF(effect-critical*s) / float64(len(spreads))
		}
		return power
	}
}
