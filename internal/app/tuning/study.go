package tuning

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/tune"
	"seaworthy/internal/tune/space"
)

// Study is a question that is answered by trials.
type Study struct {
	Question
	File    string      // of the study
	Resumed *tune.Study // that goes on; nil: the file is created

	// Proposals, if not nil, gives what proposes combinations in place of the design.
	Proposals func(*space.Space) *tune.Proposals
	Agree     func(*tune.Result) error // asked once the noise is known; nil: it is not
	Progress  func(tune.State)

	try space.Try
}

// Run carries the study out on a path that is ready to be measured with one
// workload. On an error the result, which may be nil, holds what was reached;
// all trials are in the file. If something better was found, the result has its plan.
func (s *Study) Run(ctx context.Context, access fleet.Access, b *bench.Bench) (*tune.Result, error) {
	turns, err := s.turns(ctx, access, b)
	if err != nil {
		return nil, err
	}
	engine, err := s.engine(ctx, b)
	if err != nil {
		return nil, err
	}
	err = s.open(engine, b)
	if err != nil {
		return nil, err
	}
	if s.Resumed == nil {
		defer engine.Study.Close()
	}
	bed := &tune.Hosts{Goal: s.Goal, Experiment: b.Experiment, Turns: turns, Plan: s.planOf(engine)}
	defer bed.Close()
	engine.Bed = bed
	r, err := engine.Run(ctx)
	if r == nil {
		return nil, err
	}
	r.From, r.To, r.Study = b.Path.From.String(), b.Path.To.String(), s.File
	if err == nil && r.Found {
		r.Plan, err = bed.Plan(ctx, r.Winner.Run)
	}
	return r, err
}

// turns puts combinations on the hosts. Of a study that goes on, what a trial
// that was cut short left there comes off first.
func (s *Study) turns(ctx context.Context, access fleet.Access, b *bench.Bench) (*execute.Turns, error) {
	full, err := filepath.Abs(s.File)
	if err != nil {
		return nil, err
	}
	turns, err := b.Turns(access, "tune "+full, nil)
	if err != nil {
		return nil, err
	}
	turns.Within = tune.Patience(b.Experiment.Workloads[0])
	if s.Resumed == nil || s.Resumed.Past() == 0 {
		return turns, nil
	}
	err = takeBack(ctx, turns.Runner)
	if err != nil {
		return nil, err
	}
	// The hosts were read with what the trial had set.
	again, err := b.Connection.Read(ctx, collect.Options{})
	if err != nil {
		return nil, err
	}
	for _, f := range again.Failed {
		err = errors.Join(err, f.Broke)
	}
	b.Fleet = again.Fleet
	return turns, err
}

// takeBack rolls back the trial that a killed program left on the hosts.
func takeBack(ctx context.Context, r *execute.Runner) error {
	runs, err := r.Journals.Runs(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if run.Lookup.Purpose != r.Journals.Lookup.Purpose || run.Outcome != execute.Running && run.Outcome != execute.Pending {
			continue
		}
		_, err := r.Rollback(ctx, run.ID)
		if err != nil {
			return fmt.Errorf("the trial that was cut short: roll back run %s: %w", run.ID, err)
		}
		_, err = r.Clean(ctx, run.ID)
		if err != nil {
			return err
		}
	}
	return nil
}

// engine returns what chooses the trials; they must fit into the budget.
func (s *Study) engine(ctx context.Context, b *bench.Bench) (*tune.Engine, error) {
	room, try, err := s.space(ctx, b.Fleet, b.Path)
	if err != nil {
		return nil, err
	}
	if len(room.Factors) == 0 {
		return nil, app.Negative(errors.New("nothing to try: every setting of the path is at the catalogue's best, or left out " +
			"(seaworthy tune --design says why)"))
	}
	s.try = try
	e := &tune.Engine{Options: s.Options, Goal: s.Goal, Space: room, Fleet: b.Fleet, Progress: s.Progress}
	for _, h := range b.Connection.Hosts {
		e.Hosts = append(e.Hosts, h.Name())
	}
	if s.Proposals != nil {
		e.Proposals = s.Proposals(room)
		return e, nil
	}
	_, err = e.Draft()
	e.Agree = s.Agree
	return e, err
}

// open creates the study's file, or checks that the one that goes on is about
// the same settings.
func (s *Study) open(e *tune.Engine, b *bench.Bench) error {
	if s.Resumed != nil {
		e.Study = s.Resumed
		return e.Study.Fits(e.Space)
	}
	var err error
	e.Study, err = tune.Create(s.File, tune.Header{Started: time.Now().UTC(), From: s.From, To: s.To, Goal: s.Goal.Name,
		Workload: b.Experiment.Workloads[0], Options: s.Options, MaxOutage: string(s.MaxOutage), SpaceName: s.Space,
		SpaceText: string(s.SpaceText), Space: e.Space, Driver: s.Proposals != nil, Program: b.Experiment.Program})
	return err
}

// planOf plans combinations of the engine's settings.
func (s *Study) planOf(e *tune.Engine) func(context.Context, space.Run) (*plan.Plan, error) {
	return func(_ context.Context, r space.Run) (*plan.Plan, error) { return s.try(e.Space.Desired(r)) }
}
