package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/lab/fault"
)

// measure runs all cases in randomised blocks, each topology on a lab of its own.
func (r *runner) measure(ctx context.Context, e *Experiment, out *Outcome, s *samples) error {
	done := map[string]bool{}
	for _, p := range e.Paths {
		st := &stage{runner: r, Experiment: e, out: out, samples: s}
		if done[p.Topology] {
			continue
		} else if err := st.blocks(ctx, p.Topology); err != nil {
			return err
		}
		done[p.Topology] = true
	}
	return nil
}

func (s *stage) blocks(ctx context.Context, topology string) (err error) {
	if err := s.open(ctx, topology); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(ctx)) }()
	if !slices.ContainsFunc(s.Claims, func(c Claim) bool { return s.lacks(c) == nil }) {
		return nil
	}
	cases := s.cases(topology)
	if err := s.prepare(ctx, cases); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(s.Seed, uint64(len(cases))))
	blocks := s.runner.blocks(s.Experiment)
	for block := 1; block <= blocks; block++ {
		for n, i := range random.Perm(len(cases)) {
			t := &trial{stage: s, kase: cases[i], block: block}
			s.Progress(s.ID, (block-1)*len(cases)+n+1, blocks*len(cases), t.kase.name)
			if err := t.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", t.kase.name, err)
			}
		}
	}
	return nil
}

// trial measures one case once.
type trial struct {
	*stage
	kase  kase
	block int
}

func (t *trial) run(ctx context.Context) error {
	if err := t.enter(ctx); err != nil {
		return err
	}
	before, err := t.figures(ctx, nil)
	if err != nil {
		return err
	}
	if err := t.load(ctx); err != nil {
		return err
	}
	busy, err := meter.Start(0)
	if err != nil {
		return err
	}
	got, err := t.figures(ctx, before)
	if err != nil {
		return err
	}
	used, err := busy.End()
	if err != nil {
		return err
	}
	if t.Workload == nil && used.CPUs > 0 {
		got[cpuShare] = used.Cores / float64(used.CPUs)
	}
	t.keep(got)
	return t.countFrames(ctx)
}

// enter brings the nodes into the case's variant.
func (t *trial) enter(ctx context.Context) error {
	if t.state == t.kase.name {
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(t.kase.variant.Set)) {
		if _, err := t.lab.Shell(ctx, t.node(node), t.kase.variant.Set[node]); err != nil {
			return err
		}
	}
	if node := t.kase.variant.Reboot; node != "" {
		crash := fault.Fault{Target: t.node(node), Kind: "crash"}
		for _, op := range []string{"break", "mend"} {
			if err := t.lab.Query(ctx, op, crash, nil); err != nil {
				return err
			}
		}
	}
	if f := t.kase.variant.Fault; f.Kind != "" {
		if err := t.lab.Query(ctx, "break", f, nil); err != nil {
			return err
		}
	}
	t.state = t.kase.name
	return nil
}

// node resolves the roles of a path.
func (t *trial) node(name string) string {
	roles := map[string]string{"from": t.kase.From, "to": t.kase.To}
	return cmp.Or(roles[name], name)
}

// load runs the workload under bench.
func (t *trial) load(ctx context.Context) error {
	if t.Workload == nil {
		t.out.Trials++
		return nil
	}
	w := *t.Workload
	w.Seconds = t.seconds(t.Experiment)
	w.Warmup = min(0.5, max(0.2, w.Seconds/4))
	x := t.along(t.kase.Path)
	x.Name, x.Repetitions, x.Seed = t.ID, 1, t.Seed
	x.Workloads = []measure.Workload{w}
	got, err := measure.Run(ctx, x)
	if got == nil {
		return err
	}
	t.out.Results = append(t.out.Results, got)
	t.out.Trials += len(got.Trials)
	for i := range got.Trials {
		t.samples.trial(t.kase.name, t.block, &got.Trials[i], t.kase.From, t.lines[t.kase.Port])
	}
	return err
}

// figures runs the commands and gives what they print. Before are the counters
// as they were; nil: only counters are read, for the first time.
func (t *trial) figures(ctx context.Context, before map[string]float64) (map[string]float64, error) {
	all := map[string]float64{}
	seconds := max(1, int(t.seconds(t.Experiment)+0.5))
	for i := range t.Commands {
		c := &t.Commands[i]
		counter := func(r Read) bool { return r.Grew }
		if before == nil && !slices.ContainsFunc(slices.Collect(maps.Values(c.Figures)), counter) {
			continue
		}
		line := fmt.Sprintf("TO=%s T=%d; %s", t.along(t.kase.Path).Target, seconds, c.Run)
		text, err := t.lab.Shell(ctx, t.node(c.Node), line)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, c.read(text, before))
	}
	return all, nil
}

// read finds the figures in what a command printed. Before are the counters as
// they were; nil: they are read for the first time.
func (c *Command) read(text string, before map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for f, r := range c.Figures {
		m := r.Match.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		v, err := strconv.ParseFloat(m[1], 64)
		v *= cmp.Or(r.Scale, 1)
		if r.Grew && before != nil {
			was, known := before[f]
			if !known || v < was {
				continue
			}
			v -= was
		}
		if err == nil {
			out[f] = v
		}
	}
	for f, r := range c.Figures {
		if r.If != "" && out[r.If] <= 0 {
			delete(out, f)
		}
	}
	return out
}

// keep notes the figures of the commands, and quotients of what the trial measured.
func (t *trial) keep(got map[string]float64) {
	t.samples.addAll(t.kase.name, t.block, got)
	measured := t.samples.values[t.kase.name]
	for _, q := range t.Quotients {
		of, ok := measured[q.Of][t.block]
		if per := measured[q.Per][t.block]; ok && per > 0 {
			t.samples.add(t.kase.name, q.Figure, t.block, of/per*q.Times)
		}
	}
}

// framesPerWrite is how many frames leave the sender for a number of bytes.
const framesPerWrite = "frames_per_write"

// countFrames counts once, by a capture, the frames that leave the sender for as
// many bytes as the experiment names.
func (t *trial) countFrames(ctx context.Context) error {
	if t.Frames == 0 || t.block > 1 {
		return nil
	}
	p, err := t.lab.ProveLargesend(ctx, t.kase.From, t.kase.To)
	if err != nil {
		return err
	}
	first := p.Hops[0]
	if first.Missed > 0 {
		return fmt.Errorf("%s %s: %d frames passed too quickly to be counted", first.Node, first.Adapter, first.Missed)
	}
	// Segments without payload (the handshake) are too few to matter.
	payload := float64(first.Bytes) - float64(first.Frames)*66
	t.samples.add(t.kase.name, framesPerWrite, 1, float64(first.Frames)*float64(t.Frames)/payload)
	return nil
}

// blocks is how often an experiment's cases are measured.
func (r *runner) blocks(e *Experiment) int {
	if r.Quick {
		return cmp.Or(r.Blocks, e.QuickBlocks, 5)
	}
	return cmp.Or(r.Blocks, e.Blocks, 9)
}

// seconds is how long a trial is measured.
func (r *runner) seconds(e *Experiment) float64 {
	if r.Quick {
		return cmp.Or(r.Options.Seconds, 0.4)
	}
	return cmp.Or(r.Options.Seconds, e.Seconds, 2)
}
