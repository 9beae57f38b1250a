package replay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/bench"
	"seaworthy/catalog"
	"seaworthy/lab"
	"seaworthy/lab/effect"
)

// Options say what is replayed, and how long.
type Options struct {
	Experiments []Experiment
	Quick       bool
	Blocks      int     // 0: 9, or 5 when quick, 3 of a matrix; an experiment's own number precedes both
	Seconds     float64 // measured of a trial; 0: 2, or 0.4 when quick
	Seed        uint64  // of the order; 0: chosen and kept

	Up       func(context.Context, lab.Options) (*lab.Lab, error) // nil: lab.Up
	StateDir string                                               // of the labs; empty: the usual one

	Progress func(id, doing string) // what is going on; may be nil
	Done     func(*Outcome)         // an experiment has ended; may be nil
}

// runner is a replay that runs.
type runner struct {
	Options
	result *Result
	known  known
	labs   int
}

// Run replays experiments one after the other, each on a lab of its own. One
// that fails does not stop the others. When ctx ends, the result holds what was
// measured until then.
func Run(ctx context.Context, o Options) (*Result, error) {
	cat, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	if o.Up == nil {
		o.Up = lab.Up
	}
	for o.Seed == 0 {
		o.Seed = rand.Uint64() >> 11 // fits a JSON number exactly
	}
	r := &runner{Options: o, known: table(cat), result: &Result{
		Schema: Schema, Started: time.Now().UTC(), Seed: o.Seed, Quick: o.Quick, Experiments: []Outcome{},
		Machine: Machine{Kernel: kernel(), Arch: runtime.GOARCH, CPUs: runtime.NumCPU()},
	}}
	var failed error
	for i := range o.Experiments {
		if ctx.Err() != nil {
			break
		}
		out, err := r.replay(ctx, &o.Experiments[i])
		r.result.Experiments = append(r.result.Experiments, *out)
		if r.Done != nil {
			r.Done(out)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", out.ID, err))
		}
	}
	r.result.Ended = time.Now().UTC()
	if ctx.Err() != nil {
		return r.result, fmt.Errorf("replay: %w", ctx.Err())
	}
	return r.result, failed
}

func (r *runner) replay(ctx context.Context, e *Experiment) (*Outcome, error) {
	begun := time.Now()
	out := &Outcome{
		ID: e.ID, Title: e.Title, Source: e.Source, System: e.System, Tool: e.Tool, Topology: e.Topology,
		Load: loadAverage(), State: Measured, Notes: e.Notes, Cases: []Case{}, Claims: []Verdict{},
	}
	s := newSamples()
	err := r.measure(ctx, e, out, s)
	var lacks notInLab
	switch {
	case errors.As(err, &lacks):
		out.State, out.Reason = NotInLab, string(lacks)
		err = nil
	case err != nil && ctx.Err() != nil:
		out.State, out.Reason = Interrupted, context.Cause(ctx).Error()
		err = nil // reported once, by the caller
	case err != nil:
		out.State, out.Reason = Failed, err.Error()
	}
	r.sum(e, out, s)
	out.Seconds = time.Since(begun).Seconds()
	return out, err
}

// notInLab says why this lab cannot measure an experiment.
type notInLab string

func (n notInLab) Error() string { return string(n) }

// sum puts the source's figures beside ours and judges the claims.
func (r *runner) sum(e *Experiment, out *Outcome, s *samples) {
	pub, order := e.published()
	members := e.members()
	for _, g := range e.Groups {
		s.group(g.Name, members[g.Name])
	}
	for _, c := range s.cases {
		if !slices.Contains(order, c) {
			order = append(order, c)
		}
	}
	for _, name := range order {
		out.Cases = append(out.Cases, e.figures(name, pub[name], s))
	}
	absent := map[string]string{}
	for _, p := range e.paths() {
		if p.Absent != "" {
			absent[p.Name] = p.Name + ": " + p.Absent
		}
	}
	for _, c := range e.Claims {
		v := judge(c, pub, s, r.known)
		why := absent[c.Of] + absent[c.To]
		if out.State == NotInLab && v.Answer == NotShown {
			why = out.Reason
		}
		if why != "" {
			v.Answer, v.Why = NotInLab, []string{why}
		}
		out.Claims = append(out.Claims, v)
	}
}

// published are the source's figures by case, with those of groups, and the
// cases in the source's order.
func (e *Experiment) published() (pub published, order []string) {
	pub, of := published{}, newSamples()
	for _, p := range e.Published {
		pub[p.Case] = derived(p.Figures)
		of.add(p.Case, bench.Throughput, 1, p.Figures[bench.Throughput])
		order = append(order, p.Case)
	}
	for name, members := range e.members() {
		of.group(name, members)
	}
	for _, g := range e.Groups {
		if bps := of.of(g.Name, bench.Throughput); bps != nil {
			pub[g.Name] = map[string]float64{bench.Throughput: bps[0]}
		}
		order = append(order, g.Name)
	}
	return pub, order
}

// figures are a case's, the source's and ours: those that every measurement
// has, that the source has, or that a claim is on.
func (e *Experiment) figures(name string, pub map[string]float64, s *samples) Case {
	c := Case{Name: name, Figures: []Figure{}, Limits: s.heldBack(name)}
	wanted := slices.Clone(mainFigures)
	for f := range pub {
		wanted = append(wanted, f)
	}
	for _, x := range e.Claims {
		wanted = append(wanted, x.Figure)
	}
	slices.Sort(wanted[len(mainFigures):])
	shown := map[string]bool{}
	for _, f := range wanted {
		v, there := pub[f]
		ours := s.summary(name, f)
		if shown[f] || !there && ours == nil {
			continue
		}
		shown[f] = true
		fig := Figure{Figure: f, Ours: ours, Samples: s.of(name, f)}
		if there {
			fig.Published = &v
		}
		c.Figures = append(c.Figures, fig)
	}
	return c
}

// mainFigures come first, in this order.
var mainFigures = []string{
	bench.Throughput, bench.Transactions, bench.Cores, bench.PerGbps, bench.PerTrans, bench.PerCore, LineShare,
	bench.LatencyP50, bench.LatencyP99, bench.Retransmits,
}

// derived adds the figures that follow from a source's own.
func derived(f map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for k, v := range f {
		out[k] = v
	}
	cores, ok := f[bench.Cores]
	if bps, has := f[bench.Throughput]; ok && has && bps > 0 && cores > 0 {
		out[bench.PerGbps], out[bench.PerCore] = cores/(bps/1e9), bps/1e9/cores
	}
	if tps, has := f[bench.Transactions]; ok && has && tps > 0 {
		out[bench.PerTrans] = cores * 1e6 / tps
	}
	return out
}

// blocks is how often an experiment's cases are measured.
func (r *runner) blocks(e *Experiment) int {
	switch {
	case r.Blocks > 0:
		return r.Blocks
	case e.Blocks > 0:
		return e.Blocks
	case e.Thorough > 0 && !r.Quick:
		return e.Thorough
	case r.Quick && len(e.Groups) > 0:
		return 3 // of 48 trials each
	case r.Quick:
		return 5
	}
	return 9
}

// seconds is how long a trial is measured, and runs before that.
func (r *runner) seconds(e *Experiment) (measured, warmup float64) {
	measured = r.Options.Seconds
	switch {
	case measured > 0:
	case r.Quick:
		measured = 0.4
	case e.Thorough > 0:
		// What disturbs a trial is the rest of the machine, in spells of seconds:
		// many short blocks show more in the same time than few long ones.
		measured = 0.5
	default:
		measured = 2
	}
	return measured, min(0.5, max(0.2, measured/4))
}

// table is what attributes do in a lab.
func table(cat *catalog.Catalog) known {
	entries := map[Attribute]effect.Entry{}
	for _, e := range effect.Table(cat.Attributes(""), effect.Machine{}) {
		entries[Attribute{e.Layer, e.Attribute}] = e
	}
	return func(a Attribute) (effect.Entry, bool) {
		e, ok := entries[a]
		return e, ok
	}
}

// loadAverage is the machine's load average before the trials: other work, which no
// trial can be rid of. nil: unknown.
func loadAverage() *float64 {
	text, err := os.ReadFile("/proc/loadavg")
	one, _, _ := strings.Cut(string(text), " ")
	v, bad := strconv.ParseFloat(one, 64)
	if err != nil || bad != nil {
		return nil
	}
	return &v
}

func kernel() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return "unknown"
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}
