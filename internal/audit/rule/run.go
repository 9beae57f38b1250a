package rule

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"seaworthy/internal/audit/expr"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Options widen or narrow an audit.
type Options struct {
	Paths    []model.Path       // paths of interest: they say who is whose peer
	Before   *model.Fleet       // earlier snapshots: counters are judged by their growth
	Measured map[string]float64 // "lpar1:en0 rtt_ms": facts no snapshot holds
	Disable  []string           // rule ids to leave out
	InForce  bool               // judge the values in force alone, not those of the next boot
	All      bool               // also give NOT_APPLICABLE
	Passed   *int               // count PASS here instead of giving each
}

// Run judges a fleet and gives one finding per rule and element it applies to,
// those of greatest impact first. What the inventory does not hold makes
// NOT_ASSESSED findings, never an error; the error is the context's, at once.
func (set *Set) Run(ctx context.Context, fleet *model.Fleet, opts Options) ([]finding.Finding, error) {
	var all []finding.Finding
	var passed int
	var err error
	if decode.Within(ctx, func() { all, passed, err = set.run(ctx, fleet, opts) }) != nil || ctx.Err() != nil {
		return nil, fmt.Errorf("audit of %d hosts: %w", len(fleet.Hosts), context.Cause(ctx))
	}
	if opts.Passed != nil {
		*opts.Passed += passed
	}
	return all, err
}

func (set *Set) run(ctx context.Context, fleet *model.Fleet, opts Options) (out []finding.Finding, passed int, err error) {
	cat, err := knowledge.Load()
	if err != nil {
		return nil, 0, err
	}
	links, err := graph.New(ctx, fleet)
	if err != nil {
		return nil, 0, err
	}
	given := expr.Context{Catalog: cat, Paths: opts.Paths, Before: growth.ByName(opts.Before),
		Measured: opts.Measured, Mentioned: set.mentioned, Defects: set.defects}
	work, n := shares(links, fleet.Hosts)
	workers := make([]*worker, n)
	for i := range workers {
		workers[i] = &worker{Session: expr.NewSession(ctx, links, given), set: set, opts: opts, graph: links}
	}
	shown := progress.Begin(ctx, "auditing", "host", len(fleet.Hosts))
	defer shown.End()
	// First by the rules about what is set, then by those about what the first have not named.
	for _, rest := range []bool{false, true} {
		out = append(out, together(ctx, workers, work, rest, shown)...)
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		for _, w := range workers[1:] {
			maps.Copy(workers[0].Claimed, w.Claimed)
		}
		for _, w := range workers[1:] {
			w.Claimed = maps.Clone(workers[0].Claimed)
		}
	}
	for _, w := range workers {
		passed += w.passed
	}
	explains := map[string][]string{}
	for _, r := range set.rules {
		explains[r.ID] = r.Explains
	}
	out = finding.SuppressSymptoms(out, explains)
	// No two findings are of the same rule and element: there are no ties.
	slices.SortFunc(out, finding.ByImpact)
	return out, passed, nil
}

// worker judges hosts, one after the other.
type worker struct {
	*expr.Session
	set    *Set
	opts   Options
	graph  *graph.Graph
	passed int
	parts  []finding.Finding // scratch: what the checks of one rule say

	levelsOf *model.Host
	levels   map[string]bool // known defects that the level of levelsOf excludes
}

// What makes another worker worth its start, and the elements that one takes at a time.
const (
	hostsPerWorker    = 4
	elementsPerWorker = 256
)

// share holds what a worker judges in one go: a host, or some elements of a large one.
type share struct {
	of   []*graph.Element
	host string // whose last share it is
}

func shares(links *graph.Graph, hosts []*model.Host) (list []share, workers int) {
	workers = len(hosts) / hostsPerWorker
	for _, h := range hosts {
		all := links.Of(h.Name)
		for len(all) > elementsPerWorker {
			list = append(list, share{of: all[:elementsPerWorker]})
			all = all[elementsPerWorker:]
			workers++
		}
		list = append(list, share{all, h.Name})
	}
	return list, max(1, min(runtime.GOMAXPROCS(0), workers))
}

// together does all shares, one a worker at a time, and gives what was found.
func together(ctx context.Context, workers []*worker, work []share, rest bool, shown *progress.Task) []finding.Finding {
	found := make([][]finding.Finding, len(work))
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, w := range workers {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(work) {
					return
				}
				found[i] = w.share(ctx, work[i].of, rest)
				if !rest && work[i].host != "" { // rest are the few rules about what the others left
					shown.Step(work[i].host)
				}
			}
		})
	}
	wait.Wait()
	return slices.Concat(found...)
}

// share judges elements, by the rules that come first or by those about what they
// left. It stops when its context does.
func (w *worker) share(ctx context.Context, subjects []*graph.Element, rest bool) []finding.Finding {
	var out []finding.Finding
	for i := range w.set.rules {
		r := &w.set.rules[i]
		if r.Rest != rest || slices.Contains(w.opts.Disable, r.ID) {
			continue
		}
		for _, e := range subjects {
			if ctx.Err() != nil {
				return nil
			}
			f, ok := w.judge(r, e)
			switch {
			case !ok, f.Verdict == finding.NotApplicable && !w.opts.All:
			case f.Verdict == finding.Pass && w.opts.Passed != nil:
				w.passed++
			default:
				f.Class = w.class(r, f.Remedy)
				f.ID = r.ID + "/" + e.Ref().String()
				out = append(out, f)
			}
		}
	}
	return out
}

// combine makes one finding of a rule's checks on one element.
func combine(parts []finding.Finding) finding.Finding {
	slices.SortStableFunc(parts, func(a, b finding.Finding) int {
		return cmp.Or(cmp.Compare(a.Verdict.Weight(), b.Verdict.Weight()), cmp.Compare(a.Severity.Rank(), b.Severity.Rank()))
	})
	f := parts[0]
	for _, p := range parts[1:] {
		if p.Verdict != f.Verdict {
			continue
		}
		if p.Title != f.Title {
			f.Title += "; " + p.Title
		}
		f.Missing = merge(f.Missing, p.Missing)
		f.Advice = merge(f.Advice, p.Advice)
		f.Cautions = merge(f.Cautions, p.Cautions)
		f.Evidence = merge(f.Evidence, p.Evidence)
		f.Affects = merge(f.Affects, p.Affects)
		for _, x := range p.Remedy {
			if !slices.ContainsFunc(f.Remedy, func(y finding.Setting) bool { return y.Ref == x.Ref && y.Attr == x.Attr }) {
				f.Remedy = append(f.Remedy, x)
			}
		}
	}
	return f
}

// merge appends what is not there yet.
func merge[T comparable](a, b []T) []T {
	return append(slices.Clip(a), slices.DeleteFunc(slices.Clone(b), func(x T) bool { return slices.Contains(a, x) })...)
}
