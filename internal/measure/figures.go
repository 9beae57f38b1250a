package measure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/stats"
)

// kind is a figure that a trial has or has not.
type kind struct {
	name   string
	better stats.Direction
	of     func(t *Trial) *float64 // nil: the trial has none
}

// kinds are all figures of a path, in the order they are shown.
var kinds = []kind{
	{Throughput, stats.HigherIsBetter, func(t *Trial) *float64 { return t.BPS }},
	{Transactions, stats.HigherIsBetter, func(t *Trial) *float64 { return t.TPS }},
	{Cores, stats.LowerIsBetter, func(t *Trial) *float64 { return t.Cores }},
	{PerCore, stats.HigherIsBetter, func(t *Trial) *float64 { return quotient(t.BPS, 1e9, t.Cores, 1) }},
	{PerGbps, stats.LowerIsBetter, func(t *Trial) *float64 { return quotient(t.Cores, 1, t.BPS, 1e9) }},
	{PerTrans, stats.LowerIsBetter, func(t *Trial) *float64 { return quotient(t.Cores, 1e-6, t.TPS, 1) }},
	{LatencyP50, stats.LowerIsBetter, func(t *Trial) *float64 {
		return part(t.Latency, func(l *load.Latency) float64 { return l.P50 })
	}},
	{LatencyP99, stats.LowerIsBetter, func(t *Trial) *float64 { return part(t.Latency, p99) }},
	{Fairness, stats.HigherIsBetter, fairness},
	{Retransmits, stats.LowerIsBetter, func(t *Trial) *float64 {
		resent := part(t.Measure.Retransmits, func(n *uint64) float64 { return float64(*n) })
		return quotient(resent, 1, &t.Seconds, 1)
	}},
}

// part is a figure of what may be unknown.
func part[T any](known *T, of func(*T) float64) *float64 {
	if known == nil {
		return nil
	}
	return new(of(known))
}

func p99(l *load.Latency) float64 { return l.P99 }

// mains are the figures that decide a comparison: those of streams, and of sessions.
var mains = kinds[:2]

// quotient is (a/unitA)/(b/unitB), if both are known and b is not 0.
func quotient(a *float64, unitA float64, b *float64, unitB float64) *float64 {
	if a == nil || b == nil || *b <= 0 {
		return nil
	}
	return new((*a / unitA) / (*b / unitB))
}

// figures summarises the trials by workload and variant. The figures of a
// variant include its control trials: they are trials like the others.
func figures(o *Options, trials []Trial) []Figure {
	all := []Figure{}
	for _, w := range o.Workloads {
		for _, v := range o.AllVariants() {
			mine := Pick(trials, w.Name, v)
			add := func(name, host string, of func(t *Trial) *float64) {
				samples := collect(mine, of)
				if s := stats.Summarise(samples); s != nil {
					s.Bound(most(o, mine, name, host))
					all = append(all, Figure{Workload: w.Name, Variant: v, Figure: name, Host: host, Summary: *s, Samples: samples})
				}
			}
			for _, k := range kinds {
				add(k.name, "", k.of)
			}
			hosts := map[string]bool{}
			for _, t := range mine {
				for h := range t.CPU {
					hosts[h] = true
				}
			}
			for _, host := range slices.Sorted(maps.Keys(hosts)) {
				add(Cores, host, func(t *Trial) *float64 {
					if c, ok := t.CPU[host]; ok {
						return c.Alone()
					}
					return nil
				})
			}
			add(CoresOther, "", func(t *Trial) *float64 { return t.Other })
		}
	}
	return all
}

// most returns what a figure can be at most; 0: nothing bounds it.
func most(o *Options, trials []*Trial, figure, host string) float64 {
	switch figure {
	case Throughput:
		return float64(o.LineRate)
	case Fairness:
		return 1
	case Cores, CoresOther:
		cpus := 0
		for _, t := range trials {
			n := 0
			for name, c := range t.CPU {
				if name == host || host == "" && c.Counted {
					n += c.CPUs
				}
			}
			cpus = max(cpus, n)
		}
		return float64(cpus)
	}
	return 0
}

// Pick gives the trials of a workload and a variant.
func Pick(trials []Trial, workload, variant string) []*Trial {
	var mine []*Trial
	for i := range trials {
		if t := &trials[i]; t.Workload == workload && t.Variant == variant {
			mine = append(mine, t)
		}
	}
	return mine
}

func collect(trials []*Trial, of func(t *Trial) *float64) []float64 {
	var samples []float64
	for _, t := range trials {
		if v := of(t); v != nil {
			samples = append(samples, *v)
		}
	}
	return samples
}

// short takes the medians of a row's three figures.
func short(workload, variant string, trials []Trial) Short {
	mine := Pick(trials, workload, variant)
	median := func(of func(t *Trial) *float64) *float64 {
		if s := stats.Summarise(collect(mine, of)); s != nil {
			return &s.Median
		}
		return nil
	}
	return Short{BPS: median(kinds[0].of), TPS: median(kinds[1].of), Cores: median(kinds[2].of)}
}

// pairs gives a figure's ratio B/A of every complete block, and the ratio of
// the second turn of A to the first of every block that has both.
func pairs(trials []Trial, workload, a, b string, k kind) (ratios, control []float64) {
	type turns struct{ a, again, b *float64 }
	blocks := map[int]turns{}
	for i := range trials {
		t := &trials[i]
		if t.Workload != workload || t.Variant != a && t.Variant != b {
			continue
		}
		in := blocks[t.Block]
		switch {
		case t.Variant != a:
			in.b = k.of(t)
		case t.Control:
			in.again = k.of(t)
		default:
			in.a = k.of(t)
		}
		blocks[t.Block] = in
	}
	for _, n := range slices.Sorted(maps.Keys(blocks)) {
		in := blocks[n]
		if in.a == nil {
			continue
		}
		before := *in.a
		if in.again != nil {
			control = append(control, *in.again/before)
			before = math.Sqrt(before * *in.again)
		}
		if in.b != nil {
			ratios = append(ratios, *in.b/before)
		}
	}
	return ratios, control
}

// Better says which way a figure is better.
func Better(figure string) stats.Direction {
	if i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == figure }); i >= 0 {
		return kinds[i].better
	}
	return stats.HigherIsBetter
}

// Figures are the trial's values by the name of the figure, those that it has.
func (t *Trial) Figures() map[string]float64 {
	out := map[string]float64{}
	for _, k := range kinds {
		if v := k.of(t); v != nil {
			out[k.name] = *v
		}
	}
	return out
}

// Still says which workloads moved nothing, or next to nothing, in a variant or between a pair
// of a mesh, and what to do; nil: all moved something.
func Still(r *Result) error {
	least := map[string]float64{Throughput: 1000, Transactions: 0.1} // bit/s, transactions/s
	for _, p := range r.Pairs {
		if p.Median < least[p.Figure] {
			return fmt.Errorf("%s moved nothing from %s to %s: %s", p.Workload, p.From, p.To, hint(p.From, p.To, r.Options.Lookup))
		}
	}
	var still []string
	for _, f := range r.Figures {
		if f.Host == "" && f.Median < least[f.Figure] {
			still = append(still, strings.TrimSpace(f.Workload+" "+f.Variant))
		}
	}
	if len(still) == 0 || len(r.Pairs) > 0 {
		return nil
	}
	from, to := r.Options.From, r.Options.To
	return fmt.Errorf("%s moved nothing from %s to %s: %s", strings.Join(still, ", "), from, to, hint(from, to, r.Options.Lookup))
}

// hint names the command that looks for the cause of nothing coming through; lookup are the
// flags that find the hosts again.
func hint(from, to, lookup string) string {
	return strings.TrimSpace("seaworthy diagnose "+from+" "+to+" "+lookup) + " looks for the cause"
}

// fairness is Jain's index of what the pairs of a trial carried: 1 if all carried the
// same, 1/n if one of n carried everything; nil for fewer than two pairs.
func fairness(t *Trial) *float64 {
	sum, squares := 0.0, 0.0
	for _, p := range t.Pairs {
		x := cmp.Or(p.BPS, p.TPS)
		if x == nil {
			return nil
		}
		sum += *x
		squares += *x * *x
	}
	if n := len(t.Pairs); n > 1 && squares > 0 {
		return new(sum * sum / (float64(n) * squares))
	}
	return nil
}
