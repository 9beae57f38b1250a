package replay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"

	"seaworthy/bench"
	"seaworthy/lab/fault"
	"seaworthy/probe/load"
	"seaworthy/probe/meter"
)

// measure runs all cases in randomised blocks, each topology on a lab of its own.
func (r *runner) measure(ctx context.Context, e *Experiment, out *Outcome, s *samples) error {
	done := map[string]bool{}
	for _, p := range e.paths() {
		if p.Absent != "" || done[p.Topology] {
			continue
		}
		done[p.Topology] = true
		if err := r.onStage(ctx, e, p.Topology, out, s); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) onStage(ctx context.Context, e *Experiment, topology string, out *Outcome, s *samples) (err error) {
	st, err := r.open(ctx, topology)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(ctx)) }()
	cases := e.cases(topology)
	if err := st.prepare(ctx, e, cases, out); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(r.Options.Seed, uint64(len(cases))))
	blocks := r.blocks(e)
	for block := 1; block <= blocks; block++ {
		for n, i := range random.Perm(len(cases)) {
			t := &trial{runner: r, stage: st, Experiment: e, kase: cases[i], block: block, out: out, samples: s}
			t.doing("trial %d of %d: %s", (block-1)*len(cases)+n+1, blocks*len(cases), t.kase.name)
			if err := t.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", t.kase.name, err)
			}
		}
	}
	for _, c := range cases {
		t := &trial{runner: r, stage: st, Experiment: e, kase: c, block: 1, out: out, samples: s}
		if err := t.frames(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// trial measures one case once.
type trial struct {
	*runner
	*stage
	*Experiment
	kase    kase
	block   int
	out     *Outcome
	samples *samples
}

func (t *trial) doing(format string, args ...any) {
	if t.Progress != nil {
		t.Progress(t.ID, fmt.Sprintf(format, args...))
	}
}

func (t *trial) run(ctx context.Context) (err error) {
	if err := t.enter(ctx); err != nil {
		return err
	}
	before, err := t.counters(ctx)
	if err != nil {
		return err
	}
	if t.Fault.Kind != "" {
		if err := t.lab.Query(ctx, "break", t.Fault, nil); err != nil {
			return err
		}
		mend := fault.Fault{Target: t.Fault.Target, Kind: t.Fault.Kind}
		defer func() { err = errors.Join(err, t.lab.Query(context.WithoutCancel(ctx), "mend", mend, nil)) }()
	}
	if err := t.load(ctx); err != nil {
		return err
	}
	busy, err := meter.Start(0)
	if err != nil {
		return err
	}
	got := map[string]float64{}
	for i := range t.Commands {
		c := &t.Commands[i]
		text, err := t.shell(ctx, c)
		if err != nil {
			return err
		}
		maps.Copy(got, c.read(text, before))
	}
	used, err := busy.End()
	if err != nil {
		return err
	}
	if t.Workload == nil && used.CPUs > 0 {
		got[cpuShare] = used.Cores / float64(used.CPUs)
	}
	t.keep(got)
	return nil
}

// enter brings the nodes into the case's variant.
func (t *trial) enter(ctx context.Context) error {
	if t.stage.state == t.kase.name {
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(t.kase.variant.Set)) {
		if _, err := t.stage.run(ctx, t.node(node), t.kase.variant.Set[node]); err != nil {
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
	t.stage.state = t.kase.name
	return nil
}

// node resolves the roles of a path.
func (t *trial) node(name string) string {
	switch name {
	case "from":
		return t.kase.From
	case "to":
		return t.kase.To
	}
	return name
}

// load runs the workload under bench.
func (t *trial) load(ctx context.Context) error {
	if t.Workload == nil {
		t.out.Trials++
		return nil
	}
	seconds, warmup := t.seconds(t.Experiment)
	w := bench.Workload{Kind: load.Stream, Streams: t.Workload.Streams, Write: t.Workload.Write, Seconds: seconds, Warmup: warmup}
	if n := t.Workload.Sessions; n > 0 {
		w.Kind, w.Sessions, w.Request, w.NoDelay = load.RequestResponse, n, t.Workload.Request, true
	}
	x := t.stage.experiment(t.kase.Path)
	x.Name, x.Repetitions, x.Seed, x.Workloads = t.ID, 1, t.runner.Seed, []bench.Workload{w}
	got, err := bench.Run(ctx, x)
	if got == nil {
		return err
	}
	t.out.Results = append(t.out.Results, got)
	t.out.Trials += len(got.Trials)
	line := t.lines[t.kase.Port]
	line.sender = t.kase.From
	for i := range got.Trials {
		t.samples.trial(t.kase.name, t.block, &got.Trials[i], line)
	}
	return err
}

// counters reads what commands count before the trial. Where a needed one is
// not printed, the lab cannot measure the experiment.
func (t *trial) counters(ctx context.Context) (map[string]float64, error) {
	all := map[string]float64{}
	for i := range t.Commands {
		c := &t.Commands[i]
		if !slices.ContainsFunc(slices.Collect(maps.Values(c.Figures)), func(r Read) bool { return r.Grew }) {
			continue
		}
		text, err := t.shell(ctx, c)
		if err != nil {
			return nil, err
		}
		got := c.read(text, nil)
		if c.Needed != "" && len(got) == 0 {
			return nil, notInLab(c.Needed)
		}
		maps.Copy(all, got)
	}
	return all, nil
}

// shell runs a command of the experiment.
func (t *trial) shell(ctx context.Context, c *Command) (string, error) {
	seconds, _ := t.seconds(t.Experiment)
	line := fmt.Sprintf("TO=%s T=%d; %s", t.address(t.kase.Path), max(1, int(seconds+0.5)), c.Run)
	return t.stage.run(ctx, t.node(c.Node), line)
}

// read finds the figures in what a command printed. Before are the counters as
// they were; nil: they are read for the first time.
func (c *Command) read(text string, before map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for f, r := range c.Figures {
		m := regexp.MustCompile(r.Match).FindStringSubmatch(text) // parse has checked it
		if m == nil {
			continue
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			continue
		}
		if r.Scale != 0 {
			v *= r.Scale
		}
		if r.Grew && before != nil {
			was, known := before[f]
			if !known || v < was {
				continue
			}
			v -= was
		}
		out[f] = v
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
	for f, v := range got {
		t.samples.add(t.kase.name, f, t.block, v)
	}
	measured := t.samples.values[t.kase.name]
	for _, q := range t.Quotients {
		of, ok := measured[q.Of][t.block]
		if per := measured[q.Per][t.block]; ok && per > 0 {
			t.samples.add(t.kase.name, q.Figure, t.block, of/per*q.Times)
		}
	}
}

// framesPerWrite is how many frames leave the sender for so many bytes.
const framesPerWrite = "frames_per_write"

// frames counts the frames that leave the sender, by a capture, for as many
// bytes as the experiment names.
func (t *trial) frames(ctx context.Context) error {
	if t.Frames == 0 {
		return nil
	}
	t.doing("frames of %d bytes: %s", t.Frames, t.kase.name)
	if err := t.enter(ctx); err != nil {
		return err
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
