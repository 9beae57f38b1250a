package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"seaworthy/bench"
	"seaworthy/lab/fault"
	"seaworthy/probe/load"
)

// Figures of round trips.
const (
	roundTrip = "rtt"     // ms: median of a byte sent and answered over TCP, the ends' programs included
	ownTrip   = "rtt_own" // ms: roundTrip less the delay that the cables were given
	bdp       = "bdp"     // bytes: what a line carries within a round trip
)

// round measures round trips on every network of a table, each topology once.
func round(ctx context.Context, r *runner, e *Experiment, out *Outcome, s *samples) error {
	e.Seed = nil
	for _, row := range e.Rows {
		figures := map[string]float64{roundTrip: row.Measured, ownTrip: row.Measured, bdp: product(lineOf(row.Network), row.Measured)}
		e.Seed = append(e.Seed, Published{Case: row.Network, Figures: figures})
		t := Trip{Network: row.Network, Seed: row.Measured, SeedBDP: figures[bdp], Absent: row.Absent}
		if row.Reference > 0 {
			t.Reference = &row.Reference
		}
		out.Round = append(out.Round, t)
	}
	var failed error
	done := map[string]bool{}
	for _, row := range e.Rows {
		if row.Absent != "" || done[row.Topology] {
			continue
		}
		done[row.Topology] = true
		if failed = r.trips(ctx, e, row.Topology, out, s); failed != nil {
			break
		}
	}
	for i := range out.Round {
		t := &out.Round[i]
		t.Ours = s.summary(t.Network, roundTrip)
		if b := s.summary(t.Network, bdp); b != nil {
			t.BDP = &b.Median
		}
		if t.Absent != "" {
			settleAbsent(e, t.Network, t.Absent)
		}
	}
	return failed
}

// settleAbsent makes claims on a network that no lab has say so.
func settleAbsent(e *Experiment, network, why string) {
	for i := range e.Claims {
		if c := &e.Claims[i]; c.Of == network || c.To == network {
			c.absent = network + ": " + why
		}
	}
}

// trips measures the rows of one topology, in turns.
func (r *runner) trips(ctx context.Context, e *Experiment, topology string, out *Outcome, s *samples) (err error) {
	st, err := r.open(ctx, topology)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(ctx)) }()
	set, err := r.cables(ctx, st, e, topology, out)
	if err != nil {
		return err
	}
	for block := 1; block <= r.blocks(e); block++ {
		for i, row := range e.Rows {
			if row.Topology != topology {
				continue
			}
			r.doing(e, "block %d of %d: %s", block, r.blocks(e), row.Network)
			got, err := r.trip(ctx, st, e, row)
			if got != nil {
				path := st.path(row.From, row.To, row.Address)
				out.take(got)
				out.Round[i].Rate = path.lineRate
				s.trips(row.Network, block, got.Trials, path, set[row.Network])
			}
			if err != nil {
				return fmt.Errorf("%s: %w", row.Network, err)
			}
		}
	}
	return nil
}

// trip measures one row: a byte there and back, over and over.
func (r *runner) trip(ctx context.Context, st *stage, e *Experiment, row Row) (*bench.Result, error) {
	x, err := st.experiment(row.From, row.To, row.Address)
	if err != nil {
		return nil, err
	}
	seconds, warmup := r.seconds(e)
	x.Name, x.Repetitions, x.Seed = e.ID, 1, r.Options.Seed
	x.Workloads = []bench.Workload{{Name: "1 byte there and back", Kind: load.RequestResponse, Sessions: 1, Request: 1, Response: 1, NoDelay: true, Seconds: seconds, Warmup: warmup}}
	return bench.Run(ctx, x)
}

// trips notes the trials of a network whose cable was given a delay, in ms
// there and back.
func (s *samples) trips(network string, block int, trials []bench.Trial, path way, set float64) {
	for k := range trials {
		t := &trials[k]
		s.trial(network, block, t, path)
		if t.Latency == nil {
			continue
		}
		ms := t.Latency.P50 / 1000
		s.add(network, roundTrip, block, ms)
		s.add(network, ownTrip, block, ms-set)
		if path.lineRate > 0 {
			s.add(network, bdp, block, product(float64(path.lineRate), ms))
		}
	}
}

// cables gives the cables of a topology the delays of its rows, and what was
// set, in ms there and back by network.
func (r *runner) cables(ctx context.Context, st *stage, e *Experiment, topology string, out *Outcome) (map[string]float64, error) {
	set := map[string]float64{}
	for i, row := range e.Rows {
		if row.Topology != topology || row.Cable == 0 {
			continue
		}
		ms, err := st.lengthen(ctx, row.To, row.Address, row.Cable, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.Network, err)
		}
		if ms > 0 {
			set[row.Network], out.Round[i].Set = ms, &ms
		}
	}
	return set, nil
}

// lengthen makes packets be on the cable by which an address of a node is
// reached for so many ms, there and back, and gives what was set. A kernel that
// cannot hold packets leaves the cable as it is; the outcome says so.
func (s *stage) lengthen(ctx context.Context, node, address string, ms float64, out *Outcome) (set float64, err error) {
	port, err := s.port(node, address)
	if err != nil {
		return 0, err
	}
	each := time.Duration(ms / 2 * float64(time.Millisecond)).Round(100 * time.Nanosecond)
	if err := s.lab.Query(ctx, "break", fault.Fault{Kind: "delay", Target: port, Value: each.String()}, nil); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		out.Notes = append(slices.Clip(out.Notes), fmt.Sprintf("The cable of %s has no delay here: %v", port, err))
		return 0, nil
	}
	return 2 * each.Seconds() * 1000, nil
}

// product is the bandwidth-delay product in bytes.
func product(bits, ms float64) float64 { return bits / 8 * ms / 1000 }

// lineOf is the line rate in a network's name, in bit/s.
func lineOf(network string) float64 {
	var gigabits float64
	if _, err := fmt.Sscanf(network, "%fGE", &gigabits); err != nil {
		return 0
	}
	return gigabits * 1e9
}
