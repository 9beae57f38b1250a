package bench

import "seaworthy/bench/stats"

// Held is what kept the streams of a workload from sending, as the kernel of
// their sending end counted it.
type Held struct {
	Workload string
	Variant  string
	Peer     float64 // share of the time with data to send that the receiver's window was full
	Buffer   float64 // share in which the own send buffer was
	RoundMS  float64 // shortest round trip seen, ms
	Streams  int
}

// heldBack is the share from which on a window is said to hold a stream back.
const heldBack = 0.3

// HeldBack gives the workloads whose streams a window held back in most
// trials, as far as the sending system tells: AIX does not.
func HeldBack(r *Result) []Held {
	type key struct{ workload, variant string }
	var order []key
	peer, buffer, round, streams := map[key][]float64{}, map[key][]float64{}, map[key][]float64{}, map[key]int{}
	for i := range r.Trials {
		t := &r.Trials[i]
		if t.BPS == nil {
			continue
		}
		k := key{t.Workload, t.Variant}
		var busy, byPeer, byBuffer uint64
		shortest, senders := 0.0, 0
		for _, states := range t.Sockets {
			for _, s := range states {
				in := s.Info
				if in.BusyMicros == nil || in.PeerLimited == nil || in.BufferLimit == nil || in.MinRTTMicros == nil || *in.BusyMicros == 0 {
					continue // the receiving end, or a system that does not tell
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
		if peer[k] == nil {
			order = append(order, k)
		}
		peer[k] = append(peer[k], float64(byPeer)/float64(busy))
		buffer[k] = append(buffer[k], float64(byBuffer)/float64(busy))
		round[k] = append(round[k], shortest)
		streams[k] = max(streams[k], len(t.Connections))
	}
	var out []Held
	for _, k := range order {
		h := Held{Workload: k.workload, Variant: k.variant, Streams: max(1, streams[k]),
			Peer: stats.Summarise(peer[k]).Median, Buffer: stats.Summarise(buffer[k]).Median, RoundMS: stats.Summarise(round[k]).Median}
		if h.Peer >= heldBack || h.Buffer >= heldBack {
			out = append(out, h)
		}
	}
	return out
}

// Needs is the window in bytes with which a stream fills a line of that many
// bit/s: bandwidth times round trip, in equal parts where there are several
// streams.
func (h Held) Needs(line float64) float64 { return line / 8 * h.RoundMS / 1000 / float64(h.Streams) }
