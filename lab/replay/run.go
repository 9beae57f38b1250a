package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/lab"
)

// Options say what is replayed, and how long.
type Options struct {
	Experiments []Experiment
	Quick       bool
	Blocks      int     // 0: as the experiment has it
	Seconds     float64 // measured of a trial; 0: as the experiment has it, or 0.4 when quick
	Seed        uint64  // of the order; 0: chosen and kept

	Up       func(context.Context, lab.Options) (*lab.Lab, error) // starts a lab
	Progress func(id string, trial, of int, doing string)         // a trial begins; counted from 1
	Done     func(*Outcome)                                       // an experiment has ended
}

// runner is a replay that runs.
type runner struct {
	Options
	effects
	result *Result
	labs   int
}

// Run replays experiments one after the other, each on a lab of its own. One
// that fails does not stop the others. When ctx ends, the result holds what was
// measured until then.
func Run(ctx context.Context, o Options) (*Result, error) {
	o.Seed = cmp.Or(o.Seed, rand.Uint64()>>11) // fits a JSON number exactly
	r := &runner{Options: o, result: &Result{
		Schema: Schema, Started: time.Now().UTC(), Seed: o.Seed, Quick: o.Quick, Experiments: []Outcome{},
		Machine: Machine{Kernel: "Linux " + proc("sys/kernel/osrelease"), Arch: runtime.GOARCH, CPUs: runtime.NumCPU()},
	}}
	var failed error
	for i := range o.Experiments {
		if ctx.Err() != nil {
			break
		}
		out, err := r.replay(ctx, &o.Experiments[i])
		r.result.Experiments = append(r.result.Experiments, *out)
		r.Done(out)
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
	out := &Outcome{About: e.About, State: Measured, Cases: []Case{}, Claims: []Verdict{}}
	if load, err := strconv.ParseFloat(proc("loadavg"), 64); err == nil {
		out.Load = &load
	}
	s := newSamples()
	err := r.measure(ctx, e, out, s)
	switch {
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

// sum puts the source's figures beside ours and judges the claims.
func (r *runner) sum(e *Experiment, out *Outcome, s *samples) {
	published := e.published()
	e.addGroups(s)
	for i, name := range append(slices.Clone(published.cases), s.cases...) {
		if i < len(published.cases) || !slices.Contains(published.cases, name) {
			out.Cases = append(out.Cases, e.figures(name, published, s))
		}
	}
	lacking := len(e.Claims) > 0
	for _, c := range e.Claims {
		v := judgeClaim(c, published, s, r.effects)
		lacking = lacking && v.Answer == NotInLab
		out.Claims = append(out.Claims, v)
	}
	if lacking && out.State == Measured {
		out.State, out.Reason = NotInLab, strings.Join(out.Claims[0].Why, "; ")
	}
}

// published are the source's figures and what follows from them, of groups too,
// with the cases in the source's order.
func (e *Experiment) published() *samples {
	s := newSamples()
	for _, p := range e.Published {
		figure := func(name string) *float64 {
			if v, ok := p.Figures[name]; ok {
				return &v
			}
			return nil
		}
		m := measure.Measure{BPS: figure(measure.Throughput), TPS: figure(measure.Transactions)}
		t := measure.Trial{Cores: figure(measure.Cores), Measure: m}
		s.addAll(p.Case, 1, t.Figures())
		s.addAll(p.Case, 1, p.Figures)
	}
	e.addGroups(s)
	return s
}

// figures are a case's, the source's and ours: those that every measurement
// has, that the source has, or that a claim is on.
func (e *Experiment) figures(name string, published, ours *samples) Case {
	c := Case{Name: name, Figures: []Figure{}, Limits: ours.heldBack(name)}
	others := slices.Collect(maps.Keys(published.values[name]))
	for _, x := range e.Claims {
		others = append(others, x.Figure)
	}
	slices.Sort(others)
	shown := map[string]bool{}
	for _, f := range append(slices.Clone(mainFigures), others...) {
		fig := Figure{Figure: f, Ours: ours.summary(name, f), Samples: ours.of(name, f)}
		if v, ok := published.values[name][f][1]; ok {
			fig.Published = &v
		}
		if !shown[f] && (fig.Published != nil || fig.Ours != nil) {
			c.Figures = append(c.Figures, fig)
		}
		shown[f] = true
	}
	return c
}

// mainFigures come first, in this order.
var mainFigures = []string{
	measure.Throughput, measure.Transactions, measure.Cores, measure.PerGbps, measure.PerTrans, measure.PerCore, LineShare,
	measure.LatencyP50, measure.LatencyP99, measure.Retransmits,
}

// proc is the first word of a file of /proc; empty if it cannot be read.
func proc(file string) string {
	text, _ := os.ReadFile("/proc/" + file)
	word, _, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	return word
}
