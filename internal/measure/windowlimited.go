package measure

import "seaworthy/internal/measure/stats"

// WindowLimit says how much a full window or send buffer slowed the streams of
// a workload, as the kernel of their sending end counted it.
type WindowLimit struct {
	Workload string
	Variant  string
	Peer     float64 // share of the time with data to send that the receiver's window was full
	Buffer   float64 // share in which the own send buffer was
	RoundMS  float64 // shortest round trip seen, ms
	Streams  int
}

// windowLimited is the share from which on a window is said to limit a stream.
const windowLimited = 0.3

// Windows says the same of one trial; false if the sending system does not
// report it, as AIX does not, or no stream sent.
func (t *Trial) Windows() (l WindowLimit, ok bool) {
	if t.BPS == nil {
		return l, false
	}
	l = WindowLimit{Workload: t.Workload, Variant: t.Variant, Streams: max(1, len(t.Connections))}
	busy := 0.0
	for _, states := range t.Sockets {
		for _, s := range states {
			in := s.Info
			if in.BusyMicros == nil || in.PeerLimited == nil || in.BufferLimit == nil || in.MinRTTMicros == nil || *in.BusyMicros == 0 {
				continue // the receiving end, or a system that does not report it
			}
			if ms := float64(*in.MinRTTMicros) / 1000; busy == 0 || ms < l.RoundMS {
				l.RoundMS = ms
			}
			busy += float64(*in.BusyMicros)
			l.Peer += float64(*in.PeerLimited)
			l.Buffer += float64(*in.BufferLimit)
		}
	}
	l.Peer, l.Buffer = l.Peer/busy, l.Buffer/busy
	return l, busy > 0
}

// WindowLimited gives the workloads whose streams a window limited in most
// trials, as far as the sending system reports it.
func WindowLimited(r *Result) (out []WindowLimit) {
	seen := map[[2]string]bool{}
	for _, first := range r.Trials {
		of := [2]string{first.Workload, first.Variant}
		if seen[of] {
			continue
		}
		seen[of] = true
		var l WindowLimit
		var peer, buffer, round []float64
		for _, t := range Pick(r.Trials, first.Workload, first.Variant) {
			if x, ok := t.Windows(); ok {
				l = x
				peer = append(peer, x.Peer)
				buffer = append(buffer, x.Buffer)
				round = append(round, x.RoundMS)
			}
		}
		if len(peer) == 0 {
			continue
		}
		median := func(values []float64) float64 { return stats.Summarise(values).Median }
		l.Peer, l.Buffer, l.RoundMS = median(peer), median(buffer), median(round)
		if l.Peer >= windowLimited || l.Buffer >= windowLimited {
			out = append(out, l)
		}
	}
	return out
}

// Needs is the window in bytes with which a stream fills a line of that many
// bit/s: bandwidth times round trip, in equal parts where there are several
// streams.
func (l WindowLimit) Needs(line float64) float64 {
	return line / 8 * l.RoundMS / 1000 / float64(l.Streams)
}
