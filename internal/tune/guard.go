package tune

import (
	"cmp"
	"fmt"
	"math"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
)

// Figures of a trial that guard rails watch, apart from those of bench.
const (
	noResources = "no_resource_errors_per_s"
	lostShare   = "retransmitted_share" // of the bytes sent, at 1448 bytes a segment
	coresOf     = "cores "              // and the host
)

// rail bounds a figure of every trial by what the present state shows.
type rail struct {
	figure string
	name   string
	times  float64   // of the worst trial of the present state
	least  float64   // below this nothing is wrong
	only   load.Kind // that has the figure; "": all
}

var rails = []rail{
	{lostShare, "share of retransmitted data", 3, 0.01, load.Stream},
	{noResources, "No Resource Errors a second", 3, 10, ""},
	{measure.LatencyP99, "p99 latency in µs", 2, 0, load.RequestResponse},
}

// nearLimit is the share of the cores that a partition may use from which it is at its
// limit.
const nearLimit = 0.98

type guard struct {
	cores map[string]float64 // host → the most that it may use; absent: not known
	worst map[string]float64 // figure → largest of the present state
	least map[string]float64 // figure → smallest of the present state
}

// coresAllowed returns what the hosts' partitions may use.
func coresAllowed(fleet *model.Fleet) map[string]float64 {
	out := map[string]float64{}
	if fleet == nil {
		return out
	}
	for _, h := range fleet.Hosts {
		if most := h.Partition.MostCores(); most != nil {
			out[h.Name] = *most
		}
	}
	return out
}

// blind are the rails that cannot be watched, and the hosts whose cores cannot.
func (g *guard) blind(kind load.Kind, hosts []string) (out []string) {
	for _, r := range rails {
		if _, measured := g.worst[r.figure]; !measured && (r.only == "" || r.only == kind) {
			out = append(out, r.name)
		}
	}
	for _, h := range hosts {
		if _, measured := g.worst[coresOf+h]; !measured || g.cores[h] == 0 {
			out = append(out, "cores of "+h)
		}
	}
	return out
}

// learn takes a trial of the present state.
func (g *guard) learn(figures map[string]float64) {
	for name, v := range figures {
		g.worst[name] = max(g.worst[name], v)
		if was, known := g.least[name]; !known || v < was {
			g.least[name] = v
		}
	}
}

// flows says whether what comes through as found is enough in a stretch that nothing at all
// tells something.
func (g *guard) flows(kind load.Kind) bool {
	figure, enough := measure.Throughput, 1000.0 // bit/s
	if kind == load.RequestResponse {
		figure, enough = measure.Transactions, 10.0/stretch
	}
	return g.least[figure] > enough
}

// broken says which rail a trial of other settings broke, "": none, by its figures of one
// span: of the whole trial, or of its worst seconds.
func (g *guard) broken(figures map[string]float64, of span) string {
	for _, r := range rails {
		was, known := g.worst[of.prefix+r.figure]
		is, measured := figures[of.prefix+r.figure]
		if limit := math.Max(r.least, r.times*was); known && measured && is > limit {
			return fmt.Sprintf("%s%s: %.4g, at most %.4g allowed (as found: %.4g)", r.name, of.words, is, limit, was)
		}
	}
	for host, most := range g.cores {
		is, was := figures[of.prefix+coresOf+host], g.worst[of.prefix+coresOf+host]
		if is >= nearLimit*most && was < nearLimit*most {
			return fmt.Sprintf("%s used %.2f of the %.2f cores that it may use%s (as found: %.2f)", host, is, most, of.words, was)
		}
	}
	return ""
}

// span is the part of a trial that figures are of.
type span struct{ prefix, words string }

var (
	whole = span{}
	worst = span{"worst ", " over three seconds"}
)

// watched are a trial's figures for the guard rails.
func watched(t *measure.Trial) map[string]float64 {
	out := t.Figures()
	for host, c := range t.CPU {
		if n := c.Alone(); n != nil {
			out[coresOf+host] = *n
		}
	}
	if t.Measure.Retransmits != nil && t.BPS != nil && *t.BPS > 0 && t.Seconds > 0 {
		out[lostShare] = float64(*t.Measure.Retransmits) * segment * 8 / (*t.BPS * t.Seconds)
	}
	if len(t.NoCount) == 0 && t.Seconds > 0 {
		out[noResources] = starved(t.Counters) / t.Seconds
	}
	return out
}

// starved are the packets that found no receive buffer.
func starved(counters []measure.CounterDelta) (n float64) {
	for _, c := range counters {
		if c.Counter == "No Resource Errors" || c.Counter == "rx.No Resource Errors" {
			n += float64(c.Delta)
		}
	}
	return n
}

const segment = 1448

// Breach holds what ends a trial while its load runs.
type Breach struct{ Rail string }

func (b *Breach) Error() string { return b.Rail }

// watch judges a trial while its load runs, by every three seconds of it.
type watch struct {
	guard   *guard
	kind    load.Kind
	present bool               // nothing is judged: the guard learns from it
	worst   map[string]float64 // figures by name, with the prefix of their span

	seen    []measure.Glance
	counted *measure.Counted
}

// stretch is how long a rail has to be broken, in s.
const stretch = 3

// see takes a glance. A Breach ends the trial.
func (w *watch) see(g measure.Glance) error {
	figures, still := map[string]float64{}, false
	for i := len(w.seen) - 1; i >= 0; i-- {
		if was := w.seen[i]; g.Seconds-was.Seconds > 0.9*stretch {
			still = w.addStretch(was, g, figures)
			break
		}
	}
	w.seen = append(w.seen, g)
	if c := g.Counted; c != nil {
		was := cmp.Or(w.counted, &measure.Counted{})
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

// addStretch takes the figures of a stretch, and says whether nothing came through.
func (w *watch) addStretch(was, is measure.Glance, figures map[string]float64) (still bool) {
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
