package bench

import "context"

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
	trial := &Trial{Number: len(t.s.result.Trials) + 1, Variant: variant, Workload: t.s.Workloads[0].Name}
	t.s.report(trial, false)
	if err := t.s.measure(ctx, t.s.path, t.s.Workloads[0], trial); err != nil {
		return nil, err
	}
	t.s.result.Trials = append(t.s.result.Trials, *trial)
	t.s.report(trial, true)
	return trial, nil
}

// Close takes the meters off.
func (t *Trials) Close() { t.s.path.close() }
