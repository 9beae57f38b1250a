package tune

import (
	"context"
	"errors"
	"fmt"
	"time"

	"seaworthy/bench"
	"seaworthy/change/execute"
	"seaworthy/change/plan"
	"seaworthy/tune/space"
)

// Hosts are a Bed of real hosts. Each trial is a run of its own: a plan put on with
// journal and verification, and rolled back. Meanwhile every host watches over itself:
// should this program die, it restores its values once it has heard nothing for Within.
type Hosts struct {
	Goal       Goal
	Experiment bench.Experiment // of one workload
	Runner     *execute.Runner
	Plan       func(context.Context, space.Run) (*plan.Plan, error)

	trials  *bench.Trials
	plans   map[string]*plan.Plan
	refused int // trials in a row that no host took
}

// mostRefused is how many combinations hosts may refuse in a row: more is no matter of
// the combinations.
const mostRefused = 3

// Within is how long hosts wait for a word: longer than a trial takes.
func (h *Hosts) Within() time.Duration {
	w := h.Experiment.Workloads[0]
	return 30*time.Second + time.Duration(2*(w.Seconds+w.Warmup)*float64(time.Second)).Round(time.Second)
}

// restoreWait bounds putting the hosts back after an interruption.
const restoreWait = 2 * time.Minute

// Try makes a trial. Whatever happens, what it changed is put back, or the error says
// where that failed.
func (h *Hosts) Try(ctx context.Context, t *Trial) (err error) {
	began := time.Now()
	defer func() { t.Seconds = time.Since(began).Seconds() }()
	if h.trials == nil {
		if h.trials, err = bench.Open(ctx, h.Experiment); err != nil {
			return err
		}
		began = time.Now() // of the study's first trial alone
	}
	if isPresent(t.Run) {
		return h.measure(ctx, t)
	}
	p, err := h.plan(ctx, t)
	if err != nil {
		return err
	}
	if t.Refused = space.Untriable(p); t.Refused != "" {
		return nil
	}
	t.Plan = string(p.ID)
	toggle := &execute.Toggle{Runner: h.Runner, Plan: p, Within: h.Within()}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreWait)
		defer cancel()
		if back := toggle.Off(ctx); back != nil {
			err = errors.Join(err, fmt.Errorf("putting back what was found: %w (hosts that are up restore it by themselves within %s)", back,
				h.Within()))
		}
	}()
	if err := toggle.On(ctx); err != nil {
		back := len(toggle.Runs) > 0 && toggle.Runs[0].Outcome == execute.RolledBack
		if h.refused++; !back || ctx.Err() != nil || h.refused > mostRefused {
			return err
		}
		t.Refused = err.Error() // all is as before: the study goes on without it
		return nil
	}
	h.refused = 0
	t.Applied = toggle.Runs[0].ID
	on := time.Now()
	if err := h.measure(ctx, t); err != nil {
		return err
	}
	if took := time.Since(on); took > h.Within()-time.Second {
		return fmt.Errorf("the trial took %s: the hosts, which wait for %s, may have taken its settings back meanwhile", took.Round(time.Second),
			h.Within())
	}
	return nil
}

func (h *Hosts) plan(ctx context.Context, t *Trial) (*plan.Plan, error) {
	if p := h.plans[t.Settings]; p != nil {
		return p, nil
	}
	p, err := h.Plan(ctx, t.Run)
	if err != nil {
		return nil, err
	}
	if h.plans == nil {
		h.plans = map[string]*plan.Plan{}
	}
	h.plans[t.Settings] = p
	return p, nil
}

func (h *Hosts) measure(ctx context.Context, t *Trial) error {
	got, err := h.trials.Measure(ctx, t.Settings)
	if err != nil {
		return err
	}
	t.Figures = watched(got)
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
