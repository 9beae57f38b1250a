package measure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"seaworthy/internal/measure/stats"
	"seaworthy/internal/remote"
)

// session is an experiment that runs.
type session struct {
	*Experiment
	path   *Path
	random *rand.Rand
	result *Result
	total  int

	looks  *stats.Looks         // UntilDecided: when to judge; nil before the first block has ended
	ends   map[int]*stats.Looks // the same, ended after so many blocks
	ranOut map[string]bool      // workloads that no time, or no block, was left for
	until  time.Time            // no block begins that would end later; zero: that is open
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
		ranOut:     map[string]bool{},
		ends:       map[int]*stats.Looks{},
		random:     rand.New(rand.NewPCG(e.Seed, 0)),
		result: &Result{
			Schema: Schema, Mode: mode, Name: e.Name, Path: e.Excerpt,
			Started: time.Now(), Trials: []Trial{}, Figures: []Figure{}, Hosts: []HostInfo{},
			Options: Options{
				From: e.names(func(p Pair) remote.Host { return p.From }), To: e.names(func(p Pair) remote.Host { return p.To }),
				Via: via, Target: e.Target, Port: e.Port,
				Repetitions: e.Repetitions, Control: e.Control, Further: e.Further,
				UntilDecided: e.UntilDecided, Budget: e.Budget.Seconds(), Seed: e.Seed, Workloads: e.Workloads,
				LineRate: e.LineRate, Program: e.Program, Lookup: e.Lookup, Snapshots: e.Snapshots, Confidence: stats.Confidence, Margin: stats.Margin,
			},
		},
	}
}

// run measures the variants with meters on every host.
func (s *session) run(ctx context.Context, variants []Variant) error {
	p, err := open(ctx, s.Experiment)
	if err != nil {
		return err
	}
	defer p.close()
	s.path, s.result.Hosts = p, p.info()
	s.result.Options.Driver, s.result.Options.DriverReason = p.driver.Name(), p.why
	return s.blocks(ctx, variants)
}

// trials measures every workload once, in random order.
func (s *session) trials(ctx context.Context, block int, variant string, control bool) error {
	for _, i := range s.random.Perm(len(s.Workloads)) {
		w := s.Workloads[i]
		t := Trial{Block: block, Variant: variant, Control: control}
		if err := s.trial(ctx, w, &t); err != nil {
			if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
				// What broke off because of the end is not its reason.
				err = fmt.Errorf("%w (%v)", ctx.Err(), err)
			}
			return fmt.Errorf("trial %d of %d, %s: %w", t.Number, s.total, s.label(&t), err)
		}
	}
	return nil
}

// trial measures a workload.
func (s *session) trial(ctx context.Context, w Workload, t *Trial) error {
	t.Number, t.Workload = len(s.result.Trials)+1, w.Name
	s.report(t, false)
	if err := s.measure(ctx, s.path, w, t); err != nil {
		return err
	}
	s.result.Trials = append(s.result.Trials, *t)
	s.report(t, true)
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
		s.Progress(Event{Done: len(s.result.Trials), Total: s.total, Blocks: s.Repetitions, AtMost: s.UntilDecided, Until: s.until,
			Variants: s.result.Options.Variants, Trial: t, Finished: finished})
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

// Trials are trials of an experiment's first workload one by one, of whatever states
// of the path and in whatever order the caller chooses. Meters stay on the hosts
// until Close.
type Trials struct{ s *session }

// Open puts meters on the hosts of an experiment.
func Open(ctx context.Context, e Experiment) (*Trials, error) {
	e, err := e.check()
	if err != nil {
		return nil, err
	}
	s := newSession(&e, "trials")
	if s.path, err = open(ctx, &e); err != nil {
		return nil, err
	}
	return &Trials{s}, nil
}

// Measure runs one trial of the path as it is now. watch is called about once a second
// while it is measured, and ends it by an error, which Measure gives; nil: nothing is watched.
func (t *Trials) Measure(ctx context.Context, variant string, watch func(Glance) error) (*Trial, error) {
	t.s.watching = watch
	trial := &Trial{Variant: variant}
	if err := t.s.trial(ctx, t.s.Workloads[0], trial); err != nil {
		return nil, err
	}
	return trial, nil
}

// Close takes the meters off.
func (t *Trials) Close() { t.s.path.close() }
