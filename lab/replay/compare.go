package replay

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/bench"
	"seaworthy/probe/load"
)

// compare measures every workload under every variant, in randomised blocks.
func compare(ctx context.Context, r *runner, e *Experiment, out *Outcome, s *samples) (err error) {
	st, err := r.open(ctx, e.Topology)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(ctx)) }()
	x, err := st.experiment(e.From, e.To, "")
	if err != nil {
		return err
	}
	x.Name, x.Repetitions, x.Seed = e.ID, r.blocks(e), r.Seed
	for _, w := range e.Workloads {
		x.Workloads = append(x.Workloads, r.workload(e, w))
	}
	x.Progress = func(ev bench.Event) {
		if ev.Trial != nil {
			r.doing(e, "trial %d of %d: %s", ev.Done, ev.Total, caseName(e, ev.Trial))
		}
	}
	var variants []bench.Variant
	for _, v := range e.Variants {
		variants = append(variants, bench.Variant{Name: v.Name, Apply: func(ctx context.Context) error { return st.set(ctx, v) }})
	}
	got, err := bench.Matrix(ctx, x, variants)
	if got != nil {
		out.take(got)
		way := st.path(e.From, e.To, x.Target)
		for i := range got.Trials {
			s.trial(caseName(e, &got.Trials[i]), got.Trials[i].Block, &got.Trials[i], way)
		}
	}
	if err != nil || e.Frames == 0 {
		return err
	}
	return r.frames(ctx, st, e, s)
}

// take keeps a measurement with all its trials.
func (o *Outcome) take(got *bench.Result) {
	o.Results = append(o.Results, got)
	o.Trials += len(got.Trials)
}

func (r *runner) workload(e *Experiment, w Workload) bench.Workload {
	seconds, warmup := r.seconds(e)
	b := bench.Workload{Name: w.Name, Kind: load.Stream, Streams: w.Streams, Write: w.Write, Seconds: seconds, Warmup: warmup}
	if w.Sessions > 0 {
		b.Kind, b.Sessions, b.Request, b.Response, b.NoDelay = load.RequestResponse, w.Sessions, w.Request, w.Request, true
	}
	return b
}

// caseName is the variant's name; with several workloads, that of both.
func caseName(e *Experiment, t *bench.Trial) string {
	if len(e.Workloads) > 1 {
		return t.Variant + ", " + t.Workload
	}
	return t.Variant
}

// framesPerWrite is how many frames leave the sender for so many bytes.
const framesPerWrite = "frames_per_write"

// frames counts the frames that leave the sender, by a capture, for as many
// bytes as the experiment names.
func (r *runner) frames(ctx context.Context, st *stage, e *Experiment, s *samples) error {
	for _, v := range e.Variants {
		r.doing(e, "frames of %d bytes: %s", e.Frames, v.Name)
		if err := st.set(ctx, v); err != nil {
			return err
		}
		p, err := st.lab.ProveLargesend(ctx, e.From, e.To)
		if err != nil {
			return err
		}
		first := p.Hops[0]
		if first.Missed > 0 {
			return fmt.Errorf("%s %s: %d frames passed too quickly to be counted", first.Node, first.Adapter, first.Missed)
		}
		// Segments without payload (the handshake) are too few to tell.
		payload := float64(first.Bytes) - float64(first.Frames)*66
		s.add(v.Name, framesPerWrite, 1, float64(first.Frames)*float64(e.Frames)/payload)
	}
	return nil
}
