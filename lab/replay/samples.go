package replay

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"seaworthy/bench"
	"seaworthy/bench/stats"
)

// samples are measured values by case, figure and block.
type samples struct {
	cases  []string // in the order they were first seen
	values map[string]map[string]map[int]float64
}

func newSamples() *samples { return &samples{values: map[string]map[string]map[int]float64{}} }

// add keeps a value.
func (s *samples) add(name, figure string, block int, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if s.values[name] == nil {
		s.cases = append(s.cases, name)
		s.values[name] = map[string]map[int]float64{}
	}
	if s.values[name][figure] == nil {
		s.values[name][figure] = map[int]float64{}
	}
	s.values[name][figure][block] = v
}

func (s *samples) addAll(name string, block int, figures map[string]float64) {
	for f, v := range figures {
		s.add(name, f, block, v)
	}
}

// of are a case's values of a figure, by block in order.
func (s *samples) of(name, figure string) []float64 {
	byBlock := s.values[name][figure]
	var out []float64
	for _, b := range slices.Sorted(maps.Keys(byBlock)) {
		out = append(out, byBlock[b])
	}
	return out
}

// ratios are those of two cases in the blocks that have both.
func (s *samples) ratios(of, to, figure string) []float64 {
	a, b := s.values[of][figure], s.values[to][figure]
	var out []float64
	for _, block := range slices.Sorted(maps.Keys(a)) {
		if base, ok := b[block]; ok && base > 0 && a[block] > 0 {
			out = append(out, a[block]/base)
		}
	}
	return out
}

// group adds a case that stands for several: by block, their geometric mean, or
// of shares, which may be 0, the mean. A block that lacks one of them is left
// out, so that blocks compare.
func (s *samples) group(name string, members []string) {
	means := map[string]func(x, weights []float64) float64{
		bench.Throughput: stat.GeometricMean, bench.Cores: stat.GeometricMean, bench.PerGbps: stat.GeometricMean,
	}
	for _, l := range limits {
		means[l.figure] = stat.Mean
	}
	for figure, mean := range means {
		byBlock := map[int][]float64{}
		for _, m := range members {
			for block, v := range s.values[m][figure] {
				byBlock[block] = append(byBlock[block], v)
			}
		}
		for block, values := range byBlock {
			if len(values) == len(members) {
				s.add(name, figure, block, mean(values, nil))
			}
		}
	}
}

// summary describes a case's figure; nil if it was not measured. No figure of a
// trial is below zero, so no interval is that is wide for want of trials.
func (s *samples) summary(name, figure string) *stats.Summary {
	return stats.Summarise(s.of(name, figure))
}
