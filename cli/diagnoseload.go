package cli

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"seaworthy/bench"
	"seaworthy/cli/command"
	"seaworthy/diagnose"
	"seaworthy/inventory"
	"seaworthy/probe/load"
)

// streams are what --load sends, one entry after the other; each is let run up for a
// second before it is measured. One stream has no more on its way than its window: it
// takes many to fill receive buffers.
var streams = []diagnose.Stream{{Streams: 1, Seconds: 3}, {Streams: 32, Seconds: 2}}

// load sends TCP streams between the ends of a path.
func (a *app) load(ctx context.Context, p diagnose.Prober, path *inventory.Path, probes []string) []diagnose.Stream {
	e := bench.Experiment{From: p.Hosts[path.From.Host], To: p.Hosts[path.To.Host], Repetitions: 1, ProbeDirs: probes,
		Program: command.Built().String(), LineRate: p.Fleet.LineRate(path)}
	for _, s := range streams {
		w := bench.Workload{Name: strconv.Itoa(s.Streams), Kind: load.Stream, Streams: s.Streams, Seconds: s.Seconds}
		e.Workloads = append(e.Workloads, w)
	}
	var r *bench.Result
	var err error
	if e.Target, err = p.Fleet.Target(path); err == nil {
		r, err = bench.Run(ctx, e)
	}
	if r == nil {
		r = &bench.Result{}
	}
	out := slices.Clone(streams)
	for k, s := range out {
		i := slices.IndexFunc(r.Trials, func(t bench.Trial) bool { return t.Workload == strconv.Itoa(s.Streams) })
		switch {
		case i >= 0:
			m := r.Trials[i].Measure
			out[k].Seconds, out[k].BPS, out[k].Bytes, out[k].Retransmits = m.Seconds, m.BPS, m.Bytes, m.Retransmits
		case err != nil:
			out[k].Error = cmp.Or(context.Cause(ctx), err).Error()
		}
	}
	return out
}
