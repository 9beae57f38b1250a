package tune

import (
	"cmp"
	"seaworthy/bench"
	"seaworthy/probe/load"
)

// Breach is what ends a trial while its load runs.
type Breach struct{ Rail string }

func (b *Breach) Error() string { return b.Rail }

// watch judges a trial while its load runs, by every three seconds of it.
type watch struct {
	guard   *guard
	kind    load.Kind
	present bool               // nothing is judged: the guard learns from it
	worst   map[string]float64 // figures by name, with the prefix of their span

	seen    []bench.Glance
	counted *bench.Counted
}

// stretch is how long a rail has to be broken, in s.
const stretch = 3

// see takes a glance. A Breach ends the trial.
func (w *watch) see(g bench.Glance) error {
	figures, still := map[string]float64{}, false
	for i := len(w.seen) - 1; i >= 0; i-- {
		if was := w.seen[i]; g.Seconds-was.Seconds > 0.9*stretch {
			still = w.between(was, g, figures)
			break
		}
	}
	w.seen = append(w.seen, g)
	if c := g.Counted; c != nil {
		was := cmp.Or(w.counted, &bench.Counted{})
		figures[noResources] = (starved(c.Counters) - starved(was.Counters)) / (c.Seconds - was.Seconds)
		w.counted = c
	}
	now := map[string]float64{}
	for name, v := range figures {
		now[worst.prefix+name] = v
		w.worst[worst.prefix+name] = max(w.worst[worst.prefix+name], v)
	}
	if w.present {
		return nil
	}
	if still && w.guard.flows(w.kind) {
		return &Breach{"nothing came through" + worst.words}
	}
	if rail := w.guard.broken(now, worst); rail != "" {
		return &Breach{rail}
	}
	return nil
}

// between takes the figures of a stretch, and says whether nothing came through.
func (w *watch) between(was, is bench.Glance, figures map[string]float64) (still bool) {
	for host, used := range is.CPU {
		if earlier, known := was.CPU[host]; known {
			figures[coresOf+host] = (used - earlier) / (is.Seconds - was.Seconds)
		}
	}
	moved, known := gained(was.Bytes, is.Bytes)
	if resent, counted := gained(was.Retransmits, is.Retransmits); counted && known && moved > 0 {
		figures[lostShare] = resent * segment / moved
	}
	if w.kind == load.RequestResponse {
		moved, known = gained(was.Transactions, is.Transactions)
	}
	return known && moved == 0
}

func gained(was, is *uint64) (n float64, known bool) {
	if was == nil || is == nil || *is < *was {
		return 0, false
	}
	return float64(*is - *was), true
}
