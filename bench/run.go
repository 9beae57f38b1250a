package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"seaworthy/bench/stats"
)

// Run measures every workload Repetitions times, in random order within each
// repetition. On an error the result holds the trials that were finished; it
// is nil only if the experiment itself is wrong.
func Run(ctx context.Context, e Experiment) (*Result, error) {
	return conduct(ctx, e, "run", Variant{})
}

// Compare measures every workload under A and under B in blocks. A block holds
// one turn of A, one of B and, in as many blocks as Control says, a second one
// of A, in random order; each turn applies its variant and measures all
// workloads. The effect is B/A paired by block, A being the geometric mean of
// the block's turns of A; the control is the ratio of those two.
//
// On an error the result holds the finished trials and what the complete
// blocks among them show. The path is put back in any case, see
// Experiment.Restore.
func Compare(ctx context.Context, e Experiment, variants ...Variant) (*Result, error) {
	return conduct(ctx, e, "compare", variants...)
}

// Matrix measures every workload under each variant in blocks, as Compare does
// but without a control. The contrasts are those of every variant against the
// first one.
func Matrix(ctx context.Context, e Experiment, variants ...Variant) (*Result, error) {
	return conduct(ctx, e, "matrix", variants...)
}

// conduct measures the variants, which have names unless the mode is "run".
func conduct(ctx context.Context, e Experiment, mode string, variants ...Variant) (*Result, error) {
	e, err := e.check()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, v := range variants {
		if mode != "run" && (v.Name == "" || slices.Contains(names, v.Name)) {
			return nil, fmt.Errorf("%s: variant %q: each needs a name of its own", mode, v.Name)
		}
		names = append(names, v.Name)
	}
	switch {
	case len(variants) == 0, mode == "compare" && len(variants) != 2:
		return nil, fmt.Errorf("%s: %d variants do not make one", mode, len(variants))
	case mode != "compare":
		e.Control, e.Further = 0, 0
	case e.Control == 0 || e.Control > e.Repetitions:
		e.Control = e.Repetitions
	}
	e.Control = max(0, e.Control)
	s := newSession(&e, mode)
	if mode != "run" {
		s.result.Options.Variants = names
	}
	for _, v := range variants {
		if v.Plan != "" {
			s.result.Options.Changes = append(s.result.Options.Changes, Change{v.Name, v.Plan, v.Values})
		}
	}
	s.total = (len(variants)*e.Repetitions + e.Control) * len(e.Workloads)
	err = s.within(ctx, func(ctx context.Context) error { return s.blocks(ctx, variants) })
	for _, b := range names[1:] {
		s.contrast(names[0], b)
	}
	return s.finish(err)
}

// session is an experiment that runs.
type session struct {
	*Experiment
	path   *Path
	random *rand.Rand
	result *Result
	total  int
}

func newSession(e *Experiment, mode string) *session {
	for e.Seed == 0 {
		e.Seed = rand.Uint64() >> 11 // fits a JSON number exactly
	}
	var via []string
	for _, h := range e.Via {
		via = append(via, h.Name())
	}
	return &session{
		Experiment: e,
		random:     rand.New(rand.NewPCG(e.Seed, 0)),
		result: &Result{
			Schema: Schema, Mode: mode, Name: e.Name, Path: e.Excerpt,
			Started: time.Now(), Trials: []Trial{}, Figures: []Figure{}, Hosts: []HostInfo{},
			Options: Options{
				From: e.From.Name(), To: e.To.Name(), Via: via, Target: e.Target, Port: e.Port,
				Repetitions: e.Repetitions, Control: e.Control, Further: e.Further, Seed: e.Seed, Workloads: e.Workloads,
				LineRate: e.LineRate, Program: e.Program, Snapshots: e.Snapshots, Confidence: stats.Confidence, Margin: stats.Margin,
			},
		},
	}
}

// within does its work with meters on every host.
func (s *session) within(ctx context.Context, work func(context.Context) error) error {
	p, err := open(ctx, s.Experiment)
	if err != nil {
		return err
	}
	defer p.close()
	s.path, s.result.Hosts = p, p.info()
	s.result.Options.Driver, s.result.Options.DriverReason = p.driver.Name(), p.why
	return work(ctx)
}

// trials measures every workload once, in random order.
func (s *session) trials(ctx context.Context, block int, variant string, control bool) error {
	for _, i := range s.random.Perm(len(s.Workloads)) {
		w := s.Workloads[i]
		t := Trial{Number: len(s.result.Trials) + 1, Block: block, Variant: variant, Control: control, Workload: w.Name}
		s.report(&t, false)
		if err := s.measure(ctx, s.path, w, &t); err != nil {
			if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
				// What broke off because of the end is not its reason.
				err = fmt.Errorf("%w (%v)", ctx.Err(), err)
			}
			return fmt.Errorf("trial %d of %d, %s: %w", t.Number, s.total, s.label(&t), err)
		}
		s.result.Trials = append(s.result.Trials, t)
		s.report(&t, true)
	}
	return nil
}

func (s *session) label(t *Trial) string {
	if t.Variant == "" {
		return "workload " + t.Workload
	}
	return fmt.Sprintf("workload %s with %s", t.Workload, t.Variant)
}

func (s *session) report(t *Trial, finished bool) {
	if s.Progress != nil {
		s.Progress(Event{Done: len(s.result.Trials), Total: s.total, Blocks: s.Repetitions, Trial: t, Finished: finished})
	}
}

// finish summarises what there is.
func (s *session) finish(err error) (*Result, error) {
	s.result.Ended = time.Now()
	s.result.Figures = figures(&s.result.Options, s.result.Trials)
	if err != nil {
		s.result.Error = err.Error()
		if errors.Is(err, context.Canceled) {
			s.result.Error = "interrupted: " + s.result.Error
		}
	}
	return s.result, err
}
