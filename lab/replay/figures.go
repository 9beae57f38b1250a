package replay

import (
	"maps"

	"seaworthy/bench"
)

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

// trial keeps all figures of a trial under its case.
func (s *samples) trial(name string, block int, t *bench.Trial, sender string, on line) {
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
