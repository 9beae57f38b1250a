// Package stats turns repeated measurements into figures with intervals, and
// pairs of measurements into an effect with a verdict.
//
// All intervals are 95 % ones. Trials are few and their spread is roughly in
// proportion to their size, so the methods work on ratios (logarithms) where
// they can and are named in the result:
//
//   - a median of six or more values: the order statistics whose binomial
//     coverage is at least 95 %, free of any assumption on the distribution;
//   - of two to five values, where no order statistic reaches 95 %: Student's t
//     on the logarithms (on the values themselves if one is not positive);
//   - an effect: Student's t on the logarithms of the ratios B/A of the blocks;
//   - an effect that is looked at while blocks are still being measured: the same
//     with O'Brien–Fleming bounds over the planned looks.
//
// One value has no interval.
package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence of every interval.
const Confidence = 0.95

// Methods of an interval.
const (
	OrderStatistic = "order-statistic"
	TLog           = "t-log"
	T              = "t"
)

// Summary describes repeated values of one figure.
type Summary struct {
	N      int      `json:"n"`
	Median float64  `json:"median"`
	Low    *float64 `json:"low,omitempty"` // 95 % interval of the median; nil with one value
	High   *float64 `json:"high,omitempty"`
	Method string   `json:"method,omitempty"`
}

// Summarise describes values; nil if there are none or one is not finite.
func Summarise(values []float64) *Summary {
	if len(values) == 0 || slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil
	}
	x := slices.Clone(values)
	slices.Sort(x)
	s := &Summary{N: len(x), Median: median(x)}
	switch {
	case len(x) == 1:
	case len(x) >= 6:
		k := orderIndex(len(x))
		s.set(x[k], x[len(x)-1-k], OrderStatistic)
	case x[0] > 0:
		low, high := tInterval(logs(x))
		s.set(math.Exp(low), math.Exp(high), TLog)
	default:
		low, high := tInterval(x)
		if x[0] >= 0 {
			low = max(low, 0) // a count or a rate cannot be less
		}
		s.set(low, high, T)
	}
	return s
}

func (s *Summary) set(low, high float64, method string) {
	s.Low, s.High, s.Method = &low, &high, method
}

// Bound keeps the interval within what is possible: at most so much, or the
// median if that was measured above it. 0: nothing bounds it.
func (s *Summary) Bound(most float64) {
	if s.High != nil && most > 0 && *s.High > most {
		*s.High = max(most, s.Median)
	}
}

func median(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return sorted[n/2-1]/2 + sorted[n/2]/2
}

// orderIndex is the largest k for which the k-th value from below and from
// above (from 0) enclose the median with the confidence wanted: each side is
// missed with the probability that at most k of n fall beyond it.
func orderIndex(n int) int {
	b := distuv.Binomial{N: float64(n), P: 0.5}
	k := 0
	for b.CDF(float64(k+1)) <= (1-Confidence)/2 {
		k++
	}
	return k
}

// tInterval is Student's interval of the mean of at least two values.
func tInterval(x []float64) (low, high float64) {
	mean, sd := stat.MeanStdDev(x, nil)
	half := tQuantile(float64(len(x)-1)) * sd / math.Sqrt(float64(len(x)))
	return mean - half, mean + half
}

// tQuantile is how many standard errors lie between a mean and the end of its interval.
func tQuantile(df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(1 - (1-Confidence)/2)
}

func logs(x []float64) []float64 {
	l := make([]float64, len(x))
	for i, v := range x {
		l[i] = math.Log(v)
	}
	return l
}
