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

// WindowLimited gives the workloads whose streams a window limited in most
// trials, as far as the sending system reports it: AIX does not.
func WindowLimited(r *Result) []WindowLimit {
	type key struct{ workload, variant string }
	type trials struct {
		peer, buffer, round []float64
		streams             int
	}
	var order []key
	seen := map[key]*trials{}
	for i := range r.Trials {
		t := &r.Trials[i]
		if t.BPS == nil {
			continue
		}
		var busy, byPeer, byBuffer uint64
		shortest, senders := 0.0, 0
		for _, states := range t.Sockets {
			for _, s := range states {
				in := s.Info
				if in.BusyMicros == nil || in.PeerLimited == nil || in.BufferLimit == nil || in.MinRTTMicros == nil || *in.BusyMicros == 0 {
					continue // the receiving end, or a system that does not report it
				}
				busy, byPeer, byBuffer = busy+*in.BusyMicros, byPeer+*in.PeerLimited, byBuffer+*in.BufferLimit
				if ms := float64(*in.MinRTTMicros) / 1000; senders == 0 || ms < shortest {
					shortest = ms
				}
				senders++
			}
		}
		if senders == 0 {
			continue
		}
		k := key{t.Workload, t.Variant}
		if seen[k] == nil {
			seen[k] = &trials{}
			order = append(order, k)
		}
		x := seen[k]
		x.peer = append(x.peer, float64(byPeer)/float64(busy))
		x.buffer = append(x.buffer, float64(byBuffer)/float64(busy))
		x.round = append(x.round, shortest)
		x.streams = max(x.streams, len(t.Connections))
	}
	median := func(values []float64) float64 { return stats.Summarise(values).Median }
	var out []WindowLimit
	for _, k := range order {
		x := seen[k]
		l := WindowLimit{Workload: k.workload, Variant: k.variant, Streams: max(1, x.streams),
			Peer: median(x.peer), Buffer: median(x.buffer), RoundMS: median(x.round)}
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
