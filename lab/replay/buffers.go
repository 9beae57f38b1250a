package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/bench"
	"seaworthy/dialect/aix/entstat"
	"seaworthy/lab/effect"
	"seaworthy/lab/fault"
)

// Figures of receive buffers: what the counters of the receiving adapter grew
// by under load.
var bufferCounters = map[string][]string{
	"no_resource_errors":          {"No Resource Errors"},
	"hypervisor_receive_failures": {"Hypervisor Receive Failures"},
	"hypervisor_send_failures":    {"Hypervisor Send Failures"},
	"rx_dropped":                  {"Packets Dropped"},
	"rx_packets":                  {"Packets"},
}

// buffers loads a receiver with the source's pools and reads its counters of
// packets lost for want of a buffer. Where the lab has no pools, its adapters
// print no such counters, and nothing is measured.
func buffers(ctx context.Context, r *runner, e *Experiment, out *Outcome, s *samples) (err error) {
	st, err := r.open(ctx, e.Topology)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(ctx)) }()
	first, err := counters(ctx, st, e.To)
	if err != nil {
		return err
	}
	if _, ok := first["no_resource_errors"]; !ok {
		out.State, out.Reason = NotInLab, st.noPools(ctx)
		return nil
	}
	for _, v := range e.Variants {
		if err := st.set(ctx, v); err != nil {
			return err
		}
		if err := st.reboot(ctx, e.To); err != nil {
			return err
		}
		for block := 1; block <= r.blocks(e); block++ {
			r.doing(e, "block %d of %d: %s", block, r.blocks(e), v.Name)
			if err := r.overload(ctx, st, e, v.Name, block, out, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) overload(ctx context.Context, st *stage, e *Experiment, name string, block int, out *Outcome, s *samples) error {
	before, err := counters(ctx, st, e.To)
	if err != nil {
		return err
	}
	x, err := st.experiment(e.From, e.To, "")
	if err != nil {
		return err
	}
	x.Name, x.Repetitions, x.Seed = e.ID, 1, r.Options.Seed
	x.Workloads = []bench.Workload{r.workload(e, e.Workloads[0])}
	// A lab's partitions empty their queues at once; the source's did not.
	late := fault.Fault{Target: e.To + ":ent0", Kind: "full-buffers", Value: "200M"}
	if err := st.lab.Query(ctx, "break", late, nil); err != nil {
		return err
	}
	got, err := bench.Run(ctx, x)
	late.Value = ""
	err = errors.Join(err, st.lab.Query(context.WithoutCancel(ctx), "mend", late, nil))
	if got != nil {
		out.take(got)
		for i := range got.Trials {
			s.trial(name, block, &got.Trials[i], st.path(e.From, e.To, x.Target))
		}
	}
	if err != nil {
		return err
	}
	after, err := counters(ctx, st, e.To)
	if err != nil {
		return err
	}
	for f, v := range after {
		if was, ok := before[f]; ok && v >= was {
			s.add(name, f, block, v-was)
		}
	}
	return nil
}

// counters reads the receiver's; those that its entstat does not print are absent.
func counters(ctx context.Context, st *stage, node string) (map[string]float64, error) {
	text, err := st.run(ctx, node, "entstat -d ent0")
	if err != nil {
		return nil, err
	}
	stat, err := entstat.Parse([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: entstat -d ent0: %w", node, err)
	}
	out := map[string]float64{}
	for figure, labels := range bufferCounters {
		for _, label := range labels {
			for _, side := range []entstat.Side{entstat.Receive, entstat.OneColumn} {
				if n, ok := stat.Counter(side, label); ok {
					out[figure] = float64(n)
					break
				}
			}
		}
	}
	return out, nil
}

// reboot brings next-boot values into force.
func (s *stage) reboot(ctx context.Context, node string) error {
	f := fault.Fault{Target: node, Kind: "crash"}
	if err := s.lab.Query(ctx, "break", f, nil); err != nil {
		return err
	}
	return s.lab.Query(ctx, "mend", f, nil)
}

// noPools is why entstat prints no such counters, in the lab's own words.
func (s *stage) noPools(ctx context.Context) string {
	var said struct {
		Counters []effect.Entry `json:"counters"`
	}
	if err := s.lab.Query(ctx, "effects", nil, &said); err == nil {
		for _, c := range said.Counters {
			if c.Layer == "entstat -d" && strings.Contains(c.Attribute, "receive buffer") {
				return c.Attribute + ": " + c.What
			}
		}
	}
	return "entstat -d prints no counter of packets lost for want of a receive buffer"
}
