package tune

import (
	"fmt"
	"math"

	"seaworthy/bench"
	"seaworthy/inventory"
	"seaworthy/probe/load"
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
	{bench.LatencyP99, "p99 latency in µs", 2, 0, load.RequestResponse},
}

// nearLimit is the share of the cores that a partition may use from which it is at its
// limit.
const nearLimit = 0.98

// guard watches the trials of a study.
type guard struct {
	cores map[string]float64 // host → the most that it may use; absent: not known
	worst map[string]float64 // figure → largest of the present state
}

// coresAllowed are what the hosts' partitions may use.
func coresAllowed(fleet *inventory.Fleet) map[string]float64 {
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
	if g.worst == nil {
		g.worst = map[string]float64{}
	}
	for name, v := range figures {
		g.worst[name] = max(g.worst[name], v)
	}
}

// broken says which rail a trial of other settings broke; "": none.
func (g *guard) broken(figures map[string]float64) string {
	for _, r := range rails {
		was, known := g.worst[r.figure]
		is, measured := figures[r.figure]
		if limit := math.Max(r.least, r.times*was); known && measured && is > limit {
			return fmt.Sprintf("%s: %.4g, at most %.4g allowed (as found: %.4g)", r.name, is, limit, was)
		}
	}
	for host, most := range g.cores {
		is, was := figures[coresOf+host], g.worst[coresOf+host]
		if is >= nearLimit*most && was < nearLimit*most {
			return fmt.Sprintf("%s used %.2f of the %.2f cores that it may use (as found: %.2f)", host, is, most, was)
		}
	}
	return ""
}

// watched are a trial's figures for the guard rails.
func watched(t *bench.Trial) map[string]float64 {
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
		out[noResources] = 0
		for _, c := range t.Counters {
			if c.Counter == "No Resource Errors" || c.Counter == "rx.No Resource Errors" {
				out[noResources] += float64(c.Delta) / t.Seconds
			}
		}
	}
	return out
}

const segment = 1448
