package tune

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe"
	"seaworthy/internal/tune/space"
)

// Hosts are a Bed of real hosts. Each trial is a run of its own: a plan put on with
// journal and verification, and rolled back. Meanwhile every host watches over itself:
// should this program die, it restores its values once it has heard nothing for Within.
type Hosts struct {
	Goal       Goal
	Experiment measure.Experiment // of one workload
	Turns      *execute.Turns     // with Within as Patience gives it
	Plan       func(context.Context, space.Run) (*plan.Plan, error)

	trials   *measure.Trials
	plans    map[string]*plan.Plan
	hard     *execute.Toggle   // of the whole plot under way; nil: none
	apart    bool              // whole plots cannot be kept: settings need each other
	refusals map[string]string // run → why no host took it
	refused  int               // trials in a row that no host took
	common   space.Run         // settings that all of these have
}

// mostRefused is how many combinations hosts may refuse in a row that have no setting in
// common: more is not a matter of the combinations.
const mostRefused = 3

// Patience is how long hosts wait for a word before they restore their values:
// longer than a trial of the workload takes.
func Patience(w measure.Workload) time.Duration {
	return 30*time.Second + time.Duration(2*(w.Seconds+w.Warmup)*float64(time.Second)).Round(time.Second)
}

// Try makes a trial. Whatever happens, what it changed is put back, or the error says
// where that failed; the settings of a whole plot stay on until its last trial.
func (h *Hosts) Try(ctx context.Context, t *Trial) (err error) {
	began := time.Now()
	defer func() { t.Seconds = time.Since(began).Seconds() }()
	if h.trials == nil {
		h.trials, err = measure.Open(ctx, h.Experiment)
		if err != nil {
			return err
		}
		began = time.Now() // of the study's first trial alone
		h.plans, h.refusals = map[string]*plan.Plan{}, map[string]string{}
	}
	defer func() {
		if err != nil || !t.plot.more || h.hard == nil {
			err = errors.Join(err, h.restore(ctx))
		}
	}()
	run := t.Run
	if t.plot.hard != nil && !h.apart {
		run, err = h.putOnPlot(ctx, t)
		if err != nil || t.Refused != "" {
			return err
		}
	}
	if isPresent(run) {
		return h.within(ctx, t)
	}
	toggle, refused, err := h.on(ctx, t, run)
	if refused != "" && h.hard != nil {
		// Alone they may need what the plot sets: from now on all is put on together.
		h.apart = true
		err = h.restore(ctx)
		if err == nil {
			toggle, refused, err = h.on(ctx, t, t.Run)
		}
	}
	defer func() { err = errors.Join(err, h.Turns.Remove(ctx, toggle)) }()
	t.Refused = refused
	if err != nil || refused != "" {
		return err
	}
	return h.within(ctx, t)
}

// putOnPlot puts the hard settings of a trial's plot on, unless they are, and gives what else the
// trial sets.
func (h *Hosts) putOnPlot(ctx context.Context, t *Trial) (rest space.Run, err error) {
	if h.hard == nil {
		h.hard, t.Refused, err = h.on(ctx, t, t.plot.hard)
		if err != nil || t.Refused != "" {
			return nil, err
		}
	}
	rest = slices.Clone(t.Run)
	for f, level := range t.plot.hard {
		if level > 0 {
			rest[f] = 0
		}
	}
	return rest, nil
}

// restore puts back what was found, after an interruption too.
func (h *Hosts) restore(ctx context.Context) error {
	h.hard = nil
	return h.Turns.Restore(ctx)
}

// on puts a run's settings on; refused says why no host has them now.
func (h *Hosts) on(ctx context.Context, t *Trial, run space.Run) (toggle *execute.Toggle, refused string, err error) {
	key := fmt.Sprint(run)
	refused = h.refusals[key]
	if refused != "" {
		return nil, refused, nil
	}
	p := h.plans[key]
	if p == nil {
		p, err = h.Plan(ctx, run)
		if err != nil {
			return nil, "", err
		}
		h.plans[key] = p
	}
	refused = space.Untriable(p)
	if refused != "" {
		return nil, refused, nil
	}
	toggle, err = h.Turns.Add(ctx, p)
	if err == nil {
		h.refused = 0
		t.Plan, t.Applied = string(p.ID), toggle.Runs[0].ID
		return toggle, "", nil
	}
	if !h.goesOn(ctx, toggle, run) {
		return nil, "", err
	}
	h.refusals[key] = err.Error() // all is as before: the study goes on without it
	return nil, err.Error(), nil
}

// goesOn counts a run that no host took, and reports whether the study goes on
// without it: all is as it was, and it is not every run that is refused.
func (h *Hosts) goesOn(ctx context.Context, toggle *execute.Toggle, run space.Run) bool {
	h.refused++
	if h.refused == 1 {
		h.common = run
	}
	h.common = h.common.Common(run)
	undone := len(toggle.Runs) > 0 && toggle.Runs[0].Outcome == execute.RolledBack
	all := h.refused > mostRefused && isPresent(h.common)
	return undone && ctx.Err() == nil && !all
}

// within measures a trial that hosts do not take back meanwhile.
func (h *Hosts) within(ctx context.Context, t *Trial) error {
	on := time.Now()
	if h.hard != nil {
		err := h.hard.Extend(ctx)
		if err != nil {
			return err
		}
	}
	err := h.measure(ctx, t)
	if err != nil {
		return err
	}
	took := time.Since(on)
	if !isPresent(t.Run) && took > h.Turns.Within-time.Second {
		return fmt.Errorf("the trial took %s: the hosts, which wait for %s, may have taken its settings back meanwhile", took.Round(time.Second),
			h.Turns.Within)
	}
	return nil
}

func (h *Hosts) measure(ctx context.Context, t *Trial) error {
	got, err := h.trials.Measure(ctx, t.Settings, t.watch.see)
	t.Figures = t.watch.worst
	var breach *Breach
	if errors.As(err, &breach) {
		t.Guard = breach.Rail
		return nil
	}
	var begun *probe.RequestError
	if errors.As(err, &begun) && begun.Op == probe.OpConnect && !isPresent(t.Run) {
		t.Guard = "nothing came through: " + begun.Reason
		return nil
	}
	if err != nil {
		return err
	}
	maps.Copy(t.Figures, watched(got))
	v, ok := t.Figures[h.Goal.Figure]
	switch {
	case ok && v > 0:
		t.Value = &v
		return nil
	case ok && !isPresent(t.Run): // packets too large for a port, say
		t.Guard = "nothing came through"
		return nil
	}
	why := ""
	if len(got.NoCores) > 0 {
		why = ": " + got.NoCores[0]
	}
	return fmt.Errorf("%s was not measured, or is 0%s", h.Goal.Figure, why)
}

// Close takes the meters off the hosts.
func (h *Hosts) Close() {
	if h.trials != nil {
		h.trials.Close()
	}
}
