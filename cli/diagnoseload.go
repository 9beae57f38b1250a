package cli

import (
	"context"

	"seaworthy/bench"
	"seaworthy/cli/command"
	"seaworthy/diagnose"
	"seaworthy/inventory"
	"seaworthy/probe/load"
)

// loadSeconds is how long the stream of diagnose --load is measured; a second before
// that it is let run up.
const loadSeconds = 3

// stream sends a TCP stream between the ends of a path.
func (a *app) stream(ctx context.Context, p diagnose.Prober, path *inventory.Path, probes []string) *diagnose.Stream {
	out := &diagnose.Stream{Seconds: loadSeconds}
	target, err := p.Fleet.Target(path)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	r, err := bench.Run(ctx, bench.Experiment{
		From: p.Hosts[path.From.Host], To: p.Hosts[path.To.Host], Target: target, Repetitions: 1, ProbeDirs: probes,
		Workloads: []bench.Workload{{Kind: load.Stream, Seconds: loadSeconds}},
		Program:   command.Built().String(), LineRate: p.Fleet.LineRate(path),
	})
	switch {
	case err != nil:
		out.Error = err.Error()
	case len(r.Trials) == 0:
		out.Error = "no stream was measured"
	default:
		m := r.Trials[0].Measure
		out.Seconds, out.BPS, out.Bytes, out.Retransmits = m.Seconds, m.BPS, m.Bytes, m.Retransmits
	}
	return out
}
