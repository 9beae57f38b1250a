package replay

import (
	"context"
	"fmt"

	"seaworthy/bench"
	"seaworthy/dialect/load/netperf"
	"seaworthy/probe/load"
)

// Figures of windows, in bytes.
const (
	windowBefore = "window_before"           // what netperf shows: of a socket before it is connected
	windowAfter  = "window_after"            // of a connected socket on the same host
	windowNeeded = "window_needed"           // throughput times round trip at rest: in flight at least
	shownToAfter = "window_shown_over_after" // windowBefore over windowAfter
)

// windows asks netperf for a stream, as it is typed, and compares what it
// shows with the window that a connection of the same host has.
func windows(ctx context.Context, r *runner, e *Experiment, out *Outcome, s *samples) error {
	return r.turns(ctx, e, out, "netserver", 3, func(st *stage, address, variant string, block int) error {
		if err := r.netperf(ctx, st, e, variant, block, address, s); err != nil {
			return err
		}
		return r.connected(ctx, st, e, variant, block, out, s)
	})
}

// netperf runs netperf on the node, and keeps what it says.
func (r *runner) netperf(ctx context.Context, st *stage, e *Experiment, name string, block int, address string, s *samples) error {
	seconds, _ := r.seconds(e)
	text, err := st.run(ctx, e.From, fmt.Sprintf("netperf -H %s -l %d", address, max(1, int(seconds+0.5))))
	if err != nil {
		return err
	}
	o, err := netperf.Parse([]byte(text))
	if err != nil {
		return fmt.Errorf("%s: netperf: %w", e.From, err)
	}
	if bps, ok := o.BitsPerSecond(); ok {
		s.add(name, bench.Throughput, block, bps)
	}
	for _, row := range o.Rows {
		if row.Stream != nil {
			s.add(name, windowBefore, block, float64(row.Stream.SendSocket))
		}
	}
	return nil
}

// connected opens a connection of the built-in load and reads its buffers: the
// window that is in force.
func (r *runner) connected(ctx context.Context, st *stage, e *Experiment, name string, block int, out *Outcome, s *samples) error {
	x, err := st.experiment(e.From, e.To, "")
	if err != nil {
		return err
	}
	seconds, warmup := r.seconds(e)
	x.Name, x.Repetitions, x.Seed = e.ID, 1, r.Options.Seed
	x.Workloads = []bench.Workload{{Name: name, Kind: load.Stream, Streams: 1, Write: 16384, Seconds: min(seconds, 1), Warmup: warmup}}
	got, err := bench.Run(ctx, x)
	if got == nil {
		return err
	}
	out.take(got)
	for i := range got.Trials {
		t := &got.Trials[i]
		states := t.Sockets[e.From]
		after, ok := window(states)
		if !ok {
			continue
		}
		s.add(name, windowAfter, block, after)
		if before := s.values[name][windowBefore][block]; before > 0 {
			s.add(name, shownToAfter, block, before/after)
		}
		if rtt := states[0].Info.MinRTTMicros; rtt != nil {
			s.add(name, windowNeeded, block, s.values[name][bench.Throughput][block]/8*float64(*rtt)/1e6)
		}
		if s.limits[name] == nil {
			s.limits[name] = &limits{rest: s.rest}
		}
		s.limits[name].take(t, st.path(e.From, e.To, x.Target))
	}
	return err
}
