package replay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"seaworthy/bench"
)

// jumbo is the option of a host that adds MTU 9000 to largesend.
const jumbo = "LS,9000"

// matrix measures every way between three hosts, each with both of its options
// and with every window. A round brings the hosts into every state once, in
// random order; in four states every pair of hosts meets every pair of options
// once, both ways.
func matrix(ctx context.Context, r *runner, e *Experiment, out *Outcome, s *samples) (err error) {
	m := &cells{Experiment: e, samples: s, nodes: slices.Sorted(maps.Keys(e.Hosts))}
	if len(m.nodes) != 3 {
		return fmt.Errorf("a matrix of %d hosts: three are needed", len(m.nodes))
	}
	m.publish()
	defer func() { m.finish(out) }()
	st, err := r.open(ctx, e.Topology)
	if err != nil {
		return err
	}
	m.stage = st
	defer func() { err = errors.Join(err, st.close(ctx)) }()
	random := rand.New(rand.NewPCG(r.Options.Seed, 2))
	total := r.blocks(e) * len(e.Cells) * len(e.Windows)
	for block := 1; block <= r.blocks(e); block++ {
		pairs := [][2]string{{m.nodes[0], m.nodes[1]}, {m.nodes[0], m.nodes[2]}, {m.nodes[1], m.nodes[2]}}
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		for _, p := range pairs {
			if err := m.pair(ctx, r, out, block, p[0], p[1], total, random.Uint64()>>11|1); err != nil {
				return fmt.Errorf("%s and %s: %w", p[0], p[1], err)
			}
		}
	}
	return nil
}

// cells is the matrix that is being measured.
type cells struct {
	*Experiment
	samples *samples
	stage   *stage
	nodes   []string
}

// pair measures both ways between two hosts, with all options and windows.
func (m *cells) pair(ctx context.Context, r *runner, out *Outcome, block int, a, b string, total int, seed uint64) error {
	x, err := m.stage.experiment(a, b, "")
	if err != nil {
		return err
	}
	x.Name, x.Repetitions, x.Seed = m.ID, 1, seed
	there := r.workload(m.Experiment, m.Workloads[0])
	there.Name = "there"
	back := there
	back.Name, back.Reverse = "back", true
	x.Workloads = []bench.Workload{there, back}
	done := out.Trials
	x.Progress = func(ev bench.Event) {
		if ev.Trial != nil {
			r.doing(m.Experiment, "trial %d of %d: %s and %s, %s", done+ev.Done, total, a, b, ev.Trial.Variant)
		}
	}
	var variants []bench.Variant
	names := map[string]Cell{}
	for _, c := range m.Cells {
		if c.From != a || c.To != b {
			continue
		}
		for _, w := range m.Windows {
			name := fmt.Sprintf("%s to %s, %d", c.Option, c.Far, w)
			names[name] = Cell{From: a, Option: c.Option, To: b, Far: c.Far, Mbps: []float64{float64(w)}}
			set := Variant{Set: map[string]string{a: setting(c.Option, w), b: setting(c.Far, w)}}
			variants = append(variants, bench.Variant{Name: name, Apply: func(ctx context.Context) error { return m.stage.set(ctx, set) }})
		}
	}
	got, err := bench.Matrix(ctx, x, variants)
	if got == nil {
		return err
	}
	out.take(got)
	for i := range got.Trials {
		t := &got.Trials[i]
		c := names[t.Variant]
		way := m.stage.path(a, b, x.Target)
		if t.Workload == back.Name {
			c.From, c.Option, c.To, c.Far = c.To, c.Far, c.From, c.Option
			way.sender = b
		}
		m.samples.trial(cellName(c, int(c.Mbps[0])), block, t, way)
	}
	return err
}

// setting is the command line for a host's option and window.
func setting(option string, window int) string {
	mtu := 1500
	if option == jumbo {
		mtu = 9000
	}
	return fmt.Sprintf("chdev -l en0 -a state=detach && chdev -l en0 -a mtu=%d -a mtu_bypass=on -a rfc1323=1 -a tcp_sendspace=%d -a tcp_recvspace=%d -a state=up", mtu, window, window)
}

func cellName(c Cell, window int) string {
	return fmt.Sprintf("%s %s to %s %s, %d", c.From, c.Option, c.To, c.Far, window)
}

// groups are the names of the groups that a cell belongs to.
func (m *cells) groups(c Cell, window int) []string {
	where := "between systems"
	if m.inside(c) {
		where = "inside a system"
	}
	return []string{
		fmt.Sprintf("%s, %d", where, window),
		fmt.Sprintf("%s, %s to %s, %d", where, c.Option, c.Far, window),
	}
}

// inside says whether both hosts of a cell are in one system, as the topology
// has them.
func (m *cells) inside(c Cell) bool {
	return systemOf(m.Topology, c.From) == systemOf(m.Topology, c.To)
}

// members are the cells of every group, in the source's order.
func (m *cells) members() (names []string, of map[string][]string) {
	of = map[string][]string{}
	for i, w := range m.Windows {
		for _, c := range m.Cells {
			if i >= len(c.Mbps) {
				continue
			}
			for _, g := range m.groups(c, w) {
				if of[g] == nil {
					names = append(names, g)
				}
				of[g] = append(of[g], cellName(c, w))
			}
		}
	}
	return names, of
}
