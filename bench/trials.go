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
	trial := &Trial{Variant: variant}
	if err := t.s.trial(ctx, t.s.Workloads[0], trial); err != nil {
		return nil, err
	}
	return trial, nil
}

// Close takes the meters off.
func (t *Trials) Close() { t.s.path.close() }
