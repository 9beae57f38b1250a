package bench

import "seaworthy/bench/stats"

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
func WindowLimited(r *Result) []WindowLimit {
	type key struct{ workload, variant string }
	var order []key
	seen := map[key][]WindowLimit{}
	for i := range r.Trials {
		if l, ok := r.Trials[i].Windows(); ok {
			k := key{l.Workload, l.Variant}
			if seen[k] == nil {
				order = append(order, k)
			}
			seen[k] = append(seen[k], l)
		}
	}
	var out []WindowLimit
	for _, k := range order {
		median := func(of func(WindowLimit) float64) float64 {
			var values []float64
			for _, l := range seen[k] {
				values = append(values, of(l))
			}
			return stats.Summarise(values).Median
		}
		l := seen[k][0]
		l.Peer = median(func(l WindowLimit) float64 { return l.Peer })
		l.Buffer = median(func(l WindowLimit) float64 { return l.Buffer })
		l.RoundMS = median(func(l WindowLimit) float64 { return l.RoundMS })
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
