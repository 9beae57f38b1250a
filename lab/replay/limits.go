package replay

import (
	"fmt"
	"strings"

	"seaworthy/bench"
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
		if sum := s.summary(name, l.figure); sum == nil {
			continue
		} else if text := fmt.Sprintf(l.text, 100*sum.Median); sum.Median >= l.full {
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

// shares gives what a trial used of what it could: of the sender's sockets, and
// of a line of so many bit/s; 0: there is none.
func shares(t *bench.Trial, sender string, rate uint64) map[string]float64 {
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
