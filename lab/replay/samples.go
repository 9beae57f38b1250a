package replay

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
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
		measure.Throughput: stat.GeometricMean, measure.Cores: stat.GeometricMean, measure.PerGbps: stat.GeometricMean,
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
// trial is below zero, so no interval is that is wide for lack of trials.
func (s *samples) summary(name, figure string) *stats.Summary {
	return stats.Summarise(s.of(name, figure))
}

// Figures of trials beyond those of bench.
const (
	roundTrip   = "rtt"          // ms: median of a request and its response, the programs of both ends included
	ownTrip     = "rtt_own"      // ms: roundTrip less the delay that the cables were given
	bdp         = "bdp"          // bytes: what the line carries within a round trip
	windowAfter = "window_after" // bytes: the window of the connection
)

// Figures of what a trial could have used: shares from 0 to 1.
const (
	LineShare   = "line_share"   // of the line rate: what the stream's frames took, headers included
	cpuShare    = "cpu_share"    // of the machine's processors
	toolShare   = "tool_share"   // of the time: a node's own tool had a processor
	windowShare = "window_share" // of the time with data to send: the receiver's window was full
	bufferShare = "buffer_share" // likewise: the own send buffer was full
	resentShare = "resent_share" // of the segments
)

// shares gives what a trial used of what it could: of the sender's sockets, and
// of a line of that many bit/s; 0: there is none.
func shares(t *measure.Trial, sender string, rate uint64) map[string]float64 {
	out := map[string]float64{}
	processors := 0
	for _, c := range t.CPU {
		if c.Counted {
			processors += c.CPUs
		}
	}
	if t.Cores != nil && processors > 0 {
		out[cpuShare] = *t.Cores / float64(processors)
	}
	if t.BPS == nil {
		return out
	}
	mss, header := 1448, 66
	for _, s := range t.Sockets[sender] {
		if s.Info.MSS != nil && *s.Info.MSS > 0 {
			mss = *s.Info.MSS
		}
		if s.Info.Timestamps != nil && !*s.Info.Timestamps {
			header = 54 // Ethernet, IP and TCP without options
		}
	}
	if rate > 0 {
		out[LineShare] = *t.BPS * float64(mss+header) / float64(mss) / float64(rate)
	}
	if w, ok := t.Windows(); ok {
		out[windowShare], out[bufferShare] = min(1, w.Peer), min(1, w.Buffer)
	}
	if t.Measure.Retransmits != nil && t.Bytes != nil && *t.Bytes > 0 {
		out[resentShare] = float64(*t.Measure.Retransmits) * float64(mss) / float64(*t.Bytes)
	}
	return out
}

// trial keeps all figures of a trial under its case.
func (s *samples) trial(name string, block int, t *measure.Trial, sender string, on line) {
	all := t.Figures()
	maps.Copy(all, shares(t, sender, on.rate))
	for _, x := range t.Sockets[sender] {
		if x.Final.Send != nil {
			// Half of the buffer: the kernel counts what it spends on a packet too.
			all[windowAfter] = float64(*x.Final.Send) / 2
			break
		}
	}
	if t.Latency != nil {
		ms := t.Latency.P50 / 1000
		all[roundTrip], all[ownTrip] = ms, ms-on.delay
		if on.rate > 0 {
			all[bdp] = float64(on.rate) / 8 * ms / 1000
		}
	}
	s.addAll(name, block, all)
}

// fullCPU is the share from which on processors are the limit.
const fullCPU = 0.90

// limits are the shares from which on something is said to hold a case back.
var limits = []struct {
	figure string
	full   float64
	text   string // with the share in %
}{
	{LineShare, 0.95, "the line was %.0f %% full"},
	{cpuShare, fullCPU, "the machine's processors were %.0f %% busy"},
	{toolShare, 0.90, "the sender had one processor, the most it can use, for %.0f %% of the time"},
	{windowShare, 0.30, "the receiver's window held the sender back for %.0f %% of the time"},
	{bufferShare, 0.30, "the send buffer held it back for %.0f %% of the time"},
	{resentShare, 0.001, "%.1f %% of the segments were sent again"},
}

// heldBack says what held a case back, each with its figure; if nothing did,
// how far from each limit it was.
func (s *samples) heldBack(name string) []string {
	var out, free []string
	for _, l := range limits {
		sum := s.summary(name, l.figure)
		if sum == nil {
			continue
		}
		text := fmt.Sprintf(l.text, 100*sum.Median)
		if sum.Median >= l.full {
			out = append(out, text)
		} else {
			free = append(free, text)
		}
	}
	if len(out) == 0 && len(free) > 0 {
		out = []string{"nothing measured was at its limit: " + strings.Join(free, ", ")}
	}
	return out
}

// full says whether a case's trials kept all processors busy.
func (s *samples) full(name string) bool {
	sum := s.summary(name, cpuShare)
	return sum != nil && sum.Median >= fullCPU
}
