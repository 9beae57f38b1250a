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
	"strings"

	"seaworthy/bench"
	"seaworthy/lab/effect"
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
			t.doing("trial %d of %d: %s", (block-1)*len(cases)+n+1, blocks*len(cases), t.kase.name(e, ""))
			if err := t.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", t.kase.name(e, ""), err)
			}
		}
	}
	if e.Frames == 0 {
		return nil
	}
	for _, c := range cases {
		t := &trial{runner: r, stage: st, Experiment: e, kase: c, block: 1, out: out, samples: s}
		if err := t.frames(ctx); err != nil {
			return err
		}
	}
	return nil
}

// prepare starts the servers of the far ends, and gives the cables their delays.
func (s *stage) prepare(ctx context.Context, e *Experiment, cases []kase, out *Outcome) error {
	ready, long := map[string]bool{}, map[string]bool{}
	for _, c := range cases {
		address, err := s.address(c.Path)
		if err != nil {
			return err
		}
		if c.Cable > 0 && !long[address] {
			if err := s.lengthen(ctx, c.To, address, c.Cable, out); err != nil {
				return err
			}
			long[address] = true
		}
		if e.Server == "" || ready[c.To] {
			continue
		}
		if _, err := s.run(ctx, c.To, e.Server+" </dev/null >/dev/null 2>&1 & sleep 0.3"); err != nil {
			return err
		}
		ready[c.To] = true
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
		for f, v := range c.read(text, before) {
			got[f] = v
		}
	}
	used, err := busy.End()
	if err != nil {
		return err
	}
	t.keep(got, used)
	return nil
}

// enter brings the nodes into the case's variant.
func (t *trial) enter(ctx context.Context) error {
	name := t.kase.name(t.Experiment, "")
	if t.stage.state == name {
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
	t.stage.state = name
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

// load runs the workloads under bench.
func (t *trial) load(ctx context.Context) error {
	if len(t.Workloads) == 0 {
		t.out.Trials++
		return nil
	}
	x, err := t.experiment(t.kase.Path)
	if err != nil {
		return err
	}
	seconds, warmup := t.seconds(t.Experiment)
	x.Name, x.Repetitions, x.Seed = t.ID, 1, t.runner.Seed
	for _, w := range t.Workloads {
		b := bench.Workload{Name: w.Name, Kind: load.Stream, Streams: w.Streams, Write: w.Write, Seconds: seconds, Warmup: warmup}
		if w.Sessions > 0 {
			b.Kind, b.Sessions, b.Request, b.Response, b.NoDelay = load.RequestResponse, w.Sessions, w.Request, w.Request, true
		}
		x.Workloads = append(x.Workloads, b)
	}
	got, err := bench.Run(ctx, x)
	if got == nil {
		return err
	}
	t.out.Results = append(t.out.Results, got)
	t.out.Trials += len(got.Trials)
	way := t.path(t.kase.From, t.kase.To, x.Target)
	way.delay = t.delays[x.Target]
	for i := range got.Trials {
		t.samples.trial(t.kase.name(t.Experiment, got.Trials[i].Workload), t.block, &got.Trials[i], way)
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
		if c.Needed && len(got) == 0 {
			return nil, notInLab(t.whyNot(ctx, c))
		}
		maps.Copy(all, got)
	}
	return all, nil
}

// whyNot is why a command does not print its counters, in the lab's own words.
func (t *trial) whyNot(ctx context.Context, c *Command) string {
	var effects struct {
		Counters []effect.Entry `json:"counters"`
	}
	if err := t.lab.Query(ctx, "effects", nil, &effects); err == nil {
		for _, x := range effects.Counters {
			if strings.HasPrefix(c.Run, x.Layer+" ") && x.Outcome != effect.Kernel {
				return x.Attribute + ": " + x.What
			}
		}
	}
	return c.Run + " does not print the counters"
}

// shell runs a command of the experiment.
func (t *trial) shell(ctx context.Context, c *Command) (string, error) {
	address, err := t.address(t.kase.Path)
	if err != nil {
		return "", err
	}
	seconds, _ := t.seconds(t.Experiment)
	return t.stage.run(ctx, t.node(c.Node), fmt.Sprintf("TO=%s T=%d; %s", address, max(1, int(seconds+0.5)), c.Run))
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

// toolShare is for which share of the time a node's own tool had a processor.
const toolShare = "tool_share"

// keep notes the figures of the commands, and those that follow from them.
func (t *trial) keep(got map[string]float64, used *meter.Usage) {
	for _, q := range t.Quotients {
		if of, per := got[q.Of], got[q.Per]; per > 0 {
			got[q.Figure] = of / per * q.Times
		}
	}
	name := t.kase.name(t.Experiment, "")
	for f, v := range got {
		t.samples.add(name, f, t.block, v)
	}
	if len(t.Workloads) == 0 {
		t.samples.tool(name, used, got[toolShare])
	}
	if after := t.samples.values[name][windowAfter][t.block]; after > 0 && got[windowShown] > 0 {
		t.samples.add(name, windowShown+"_over_after", t.block, got[windowShown]/after)
	}
}

// framesPerWrite is how many frames leave the sender for so many bytes.
const framesPerWrite = "frames_per_write"

// frames counts the frames that leave the sender, by a capture, for as many
// bytes as the experiment names.
func (t *trial) frames(ctx context.Context) error {
	name := t.kase.name(t.Experiment, "")
	t.doing("frames of %d bytes: %s", t.Frames, name)
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
	t.samples.add(name, framesPerWrite, 1, float64(first.Frames)*float64(t.Frames)/payload)
	return nil
}
