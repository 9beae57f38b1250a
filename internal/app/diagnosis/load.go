package diagnosis

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
)

// streams hold what Load sends, one entry after the other; each is let run up for a
// second before it is measured. One stream has no more on its way than its window: it
// takes many to fill receive buffers.
var streams = []diagnose.Stream{{Streams: 1, Seconds: 3}, {Streams: 32, Seconds: 2}}

// sendStreams sends TCP streams between the ends of a path.
func (q *Request) sendStreams(ctx context.Context, p diagnose.Prober, path *model.Path) []diagnose.Stream {
	e := measure.Experiment{From: p.Hosts[path.From.Host], To: p.Hosts[path.To.Host], Repetitions: 1, ProbeDirs: q.Probes,
		Program: q.Program, LineRate: p.Fleet.LineRate(path)}
	for _, s := range streams {
		w := measure.Workload{Name: strconv.Itoa(s.Streams), Kind: load.Stream, Streams: s.Streams, Seconds: s.Seconds}
		e.Workloads = append(e.Workloads, w)
	}
	var r *measure.Result
	var err error
	e.Target, err = p.Fleet.Target(path)
	if err == nil {
		r, err = measure.Run(ctx, e)
	}
	if r == nil {
		r = &measure.Result{}
	}
	out := slices.Clone(streams)
	for k := range out {
		s := &out[k]
		i := slices.IndexFunc(r.Trials, func(t measure.Trial) bool { return t.Workload == strconv.Itoa(s.Streams) })
		switch {
		case i >= 0:
			m := r.Trials[i].Measure
			s.Seconds = m.Seconds
			s.BPS, s.Bytes, s.Retransmits = m.BPS, m.Bytes, m.Retransmits
		case err != nil:
			s.Error = cmp.Or(context.Cause(ctx), err).Error()
		}
	}
	return out
}
