package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/measure/probe"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/sock"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/remote"
)

// Pair is two hosts between which a mesh has a load.
type Pair struct {
	From, To remote.Host
	Target   string // address of To as From reaches it
}

// MostPairs is how many pairs a mesh may have.
const MostPairs = 240

// PairMeasure holds what one pair of a mesh carried in a trial.
type PairMeasure struct {
	From    string        `json:"from"`
	To      string        `json:"to"`
	BPS     *float64      `json:"bps,omitempty"`
	TPS     *float64      `json:"tps,omitempty"`
	Latency *load.Latency `json:"latency,omitempty"`
}

// PairFigure is one pair's repeated figure.
type PairFigure struct {
	Workload string `json:"workload"`
	From     string `json:"from"`
	To       string `json:"to"`
	Figure   string `json:"figure"` // Throughput, Transactions or LatencyP99
	stats.Summary
	Samples []float64 `json:"samples"`
}

// Mesh measures every workload Repetitions times between all pairs at once, with the
// built-in load. Throughput, transactions and cores are those of all pairs and hosts
// together; Fairness says how evenly the pairs share them. Experiment's From, To and
// Target are not used. On an error the result holds the trials that were finished.
func Mesh(ctx context.Context, e Experiment, pairs []Pair) (*Result, error) {
	if len(pairs) == 0 || len(pairs) > MostPairs {
		return nil, fmt.Errorf("a mesh of %d pairs: expected 1 to %d", len(pairs), MostPairs)
	}
	if e.Port != 0 && len(pairs) > 1 {
		return nil, fmt.Errorf("a mesh has a port for each pair, not port %d for all", e.Port)
	}
	for _, w := range e.Workloads {
		all := map[string]int{}
		for _, p := range pairs {
			for _, h := range []remote.Host{p.From, p.To} {
				all[h.Name()] += max(1, w.connections())
				if all[h.Name()] > load.MaxConnections {
					return nil, fmt.Errorf("%s would have more than %d connections at once: measure fewer pairs, streams or sessions",
						h.Name(), load.MaxConnections)
				}
			}
		}
	}
	e.From, e.To, e.Target = pairs[0].From, pairs[0].To, pairs[0].Target
	e.pairs, e.Driver = pairs, Builtin{pairs}
	e.LineRate = 0 // of one path
	r, err := conduct(ctx, e, "mesh", Variant{})
	if r != nil {
		r.Options.Target = ""
		r.Pairs = pairFigures(r)
	}
	return r, err
}

func startMesh(ctx context.Context, p *Path, w Workload, pairs []Pair) (Running, error) {
	r := &meshRun{pairs, make([]Running, len(pairs))}
	var starting errgroup.Group
	for i, pair := range pairs {
		starting.Go(func() error {
			run, err := startPair(ctx, p, w, i, pair)
			if err == nil {
				r.all[i] = run
			}
			return err
		})
	}
	if err := starting.Wait(); err != nil {
		r.Abort()
		return nil, err
	}
	return r, nil
}

type meshRun struct {
	pairs []Pair
	all   []Running
}

// Finish adds the pairs up.
func (r *meshRun) Finish(ctx context.Context, reports map[string]*probe.Report) (*Measure, error) {
	sum := &Measure{Sockets: map[string][]sock.State{}}
	var failed error
	for i, run := range r.all {
		pair := r.pairs[i]
		m, err := run.Finish(ctx, reports)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s to %s: %w", pair.From.Name(), pair.To.Name(), err))
			continue
		}
		sum.Pairs = append(sum.Pairs, PairMeasure{pair.From.Name(), pair.To.Name(), m.BPS, m.TPS, m.Latency})
		sum.BPS, sum.TPS = plus(i, sum.BPS, m.BPS), plus(i, sum.TPS, m.TPS)
		sum.Bytes, sum.Retransmits = plus(i, sum.Bytes, m.Bytes), plus(i, sum.Retransmits, m.Retransmits)
		sum.Seconds = max(sum.Seconds, m.Seconds)
		sum.Connections = append(sum.Connections, m.Connections...)
		for host, states := range m.Sockets {
			sum.Sockets[host] = append(sum.Sockets[host], states...)
		}
	}
	if failed != nil {
		return nil, failed
	}
	return sum, nil
}

// plus adds the i-th value to a sum that is unknown once one of its values is.
func plus[T uint64 | float64](i int, sum, x *T) *T {
	if i == 0 {
		return x
	}
	if sum == nil || x == nil {
		return nil
	}
	return new(*sum + *x)
}

// Abort ends the loads that began.
func (r *meshRun) Abort() {
	var ending sync.WaitGroup
	for _, run := range r.all {
		if run != nil {
			ending.Go(run.Abort)
		}
	}
	ending.Wait()
}

// pairFigures summarises the trials of a mesh by workload and pair.
func pairFigures(r *Result) []PairFigure {
	var all []PairFigure
	for _, w := range r.Options.Workloads {
		trials := Pick(r.Trials, w.Name, "")
		if len(trials) == 0 {
			continue
		}
		for _, k := range kinds {
			if !slices.Contains([]string{Throughput, Transactions, LatencyP99}, k.name) {
				continue
			}
			for i, p := range trials[0].Pairs {
				f := PairFigure{Workload: w.Name, From: p.From, To: p.To, Figure: k.name}
				f.Samples = collect(trials, func(t *Trial) *float64 {
					p := t.Pairs[i]
					return k.of(&Trial{Measure: Measure{BPS: p.BPS, TPS: p.TPS, Latency: p.Latency}})
				})
				if s := stats.Summarise(f.Samples); s != nil {
					f.Summary = *s
					all = append(all, f)
				}
			}
		}
	}
	return all
}
