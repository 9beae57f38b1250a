package replay

import (
	"maps"
	"math"
	"slices"

	"seaworthy/bench"
	"seaworthy/bench/stats"
	"seaworthy/probe/meter"
)

// samples are measured values by case, figure and block, and the trials that
// they came from.
type samples struct {
	cases  []string // in the order they were first seen
	values map[string]map[string]map[int]float64
	limits map[string]*limits
	rest   float64 // cores busy with other work before the trials
}

func newSamples() *samples {
	return &samples{values: map[string]map[string]map[int]float64{}, limits: map[string]*limits{}}
}

// add keeps a value. Two of one block become their geometric mean: the cells of
// a group, or the directions of a pair.
func (s *samples) add(name, figure string, block int, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	byFigure := s.values[name]
	if byFigure == nil {
		s.cases = append(s.cases, name)
		byFigure = map[string]map[int]float64{}
		s.values[name] = byFigure
	}
	if byFigure[figure] == nil {
		byFigure[figure] = map[int]float64{}
	}
	byFigure[figure][block] = v
}

// trial keeps all figures of a trial under its case.
func (s *samples) trial(name string, block int, t *bench.Trial, p way) {
	for f, v := range t.Figures() {
		s.add(name, f, block, v)
	}
	if s.limits[name] == nil {
		s.limits[name] = &limits{rest: s.rest}
	}
	for f, v := range s.limits[name].take(t, p) {
		s.add(name, f, block, v)
	}
	for _, x := range t.Sockets[p.sender] {
		if x.Final.Send != nil {
			// Half of the buffer: the kernel counts what it spends on a packet too.
			s.add(name, windowAfter, block, float64(*x.Final.Send)/2)
			break
		}
	}
	if t.Latency == nil {
		return
	}
	ms := t.Latency.P50 / 1000
	s.add(name, roundTrip, block, ms)
	s.add(name, ownTrip, block, ms-p.delay)
	if p.lineRate > 0 {
		s.add(name, bdp, block, float64(p.lineRate)/8*ms/1000)
	}
}

// Figures of trials beyond those of bench.
const (
	roundTrip   = "rtt"          // ms: median of a request and its response, the programs of both ends included
	ownTrip     = "rtt_own"      // ms: roundTrip less the delay that the cables were given
	bdp         = "bdp"          // bytes: what the line carries within a round trip
	windowShown = "window"       // bytes: of a socket before it is connected, as netperf shows it
	windowAfter = "window_after" // bytes: of the connection
)

// tool keeps what held back a node's own tool: how busy the machine was, and
// for which share of the time the tool itself had a processor.
func (s *samples) tool(name string, u *meter.Usage, own float64) {
	if s.limits[name] == nil {
		s.limits[name] = &limits{rest: s.rest}
	}
	l := s.limits[name]
	l.own = append(l.own, own)
	if u.CPUs > 0 {
		l.cpu, l.cpus = append(l.cpu, u.Cores/float64(u.CPUs)), u.CPUs
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

// group adds a case that stands for several: by block, the geometric mean of
// those of them that have a value. A block that lacks one is left out, so that
// blocks compare.
func (s *samples) group(name, figure string, members []string) {
	if len(members) == 0 {
		return
	}
	for block := range s.values[members[0]][figure] {
		sum, whole := 0.0, true
		for _, m := range members {
			v, ok := s.values[m][figure][block]
			whole = whole && ok && v > 0
			sum += math.Log(v)
		}
		if whole {
			s.add(name, figure, block, math.Exp(sum/float64(len(members))))
		}
	}
	merged := &limits{rest: s.rest}
	for _, m := range members {
		if l := s.limits[m]; l != nil {
			merged.merge(l)
		}
	}
	s.limits[name] = merged
}

// summary describes a case's figure; nil if it was not measured. No figure of a
// trial is below zero, so no interval is that is wide for want of trials.
func (s *samples) summary(name, figure string) *stats.Summary {
	values := s.of(name, figure)
	sum := stats.Summarise(values)
	if sum != nil && sum.Low != nil && *sum.Low < 0 && slices.Min(values) >= 0 {
		zero := 0.0
		sum.Low = &zero
	}
	return sum
}
