package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// PendingState holds what became of values that a step left for the next boot.
type PendingState string

const (
	Waiting PendingState = "waits for a reboot"
	InForce PendingState = "in force"
	Changed PendingState = "changed since" // by somebody else, before the reboot or after it
	// Of what was undone: no reboot is needed, or one that brings the earlier value back.
	NeverActive PendingState = "was never active"
	StillActive PendingState = "the earlier value is active after a reboot"
)

// hidden is the drift of values of which no command shows what runs.
const hidden = "no command shows what runs"

// VerifyAfterReboot reads the hosts whose values of a run waited for a reboot, and
// says of each step whether they are in force now. What it learns goes into
// the journal, so that it is asked once. A host that cannot be read does not
// hide the others; its steps keep waiting.
func (r *Runner) VerifyAfterReboot(ctx context.Context, id string) (*Run, error) {
	run, p, err := r.Journals.Load(ctx, id)
	if err != nil || len(run.Waits) == 0 {
		return run, err
	}
	var errs []error
	var learnt []event
	shown := progress.Begin(ctx, "verifying after the reboot", "host", len(run.Waits))
	defer shown.End()
	for _, name := range run.Waits {
		h, err := r.Read(ctx, name)
		shown.Step(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("run %s: %w", id, err))
			continue
		}
		for i, s := range p.Steps {
			if s.Host != name || run.Steps[i].PendingState != Waiting {
				continue
			}
			if b, drift := pendingState(p, i, h); b == Waiting {
				run.Steps[i].Drift = drift
			} else {
				learnt = append(learnt, event{Event: evBoot, Step: s.ID, PendingState: b})
			}
		}
	}
	if len(learnt) > 0 {
		errs = append(errs, r.note(context.WithoutCancel(ctx), id, learnt...))
	}
	for _, e := range learnt {
		run.replay(e)
	}
	run.Waits = nil
	run.wait(p)
	return run, errors.Join(errs...)
}

// verifyBeforeUndo notes which values of a run were never in force, and which are: their undo
// needs a reboot. Of a host that cannot be read neither is known.
func (r *Runner) verifyBeforeUndo(ctx context.Context, id string) {
	run, err := r.VerifyAfterReboot(ctx, id)
	if run == nil || err != nil {
		return
	}
	var learnt []event
	for _, s := range run.Steps {
		if s.PendingState == Waiting && s.Drift != "" && !strings.HasPrefix(s.Drift, hidden) {
			learnt = append(learnt, event{Event: evBoot, Step: s.Step, PendingState: NeverActive})
		}
	}
	if len(learnt) > 0 {
		_ = r.note(context.WithoutCancel(ctx), id, learnt...) // it is only said less exactly
	}
}

// note adds events to a run's journal, if this machine has one.
func (r *Runner) note(ctx context.Context, id string, events ...event) error {
	j, err := r.Journals.reopen(ctx, id)
	if errors.Is(err, ErrNoRun) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(j.write(events...), j.file.Close())
}

// pendingState says what became of a step's values. What runs of some attributes no
// command shows: those follow the others of their host.
func pendingState(p *plan.Plan, i int, h *model.Host) (b PendingState, drift string) {
	s, shown := p.Steps[i], false
	for o, c := range p.Last(s.Host) {
		now := s.ValuesOf(c, h)
		switch {
		case o.ID != s.ID:
			continue
		case !(task.Values{NextBoot: c.After.NextBoot}).Match(now):
			return Changed, ""
		case now.Running == nil:
			continue
		case !now.InForce():
			return Waiting, fmt.Sprintf("%s is %s", c.Attr, now)
		}
		shown = true
	}
	if shown {
		return InForce, ""
	}
	for o, c := range p.Last(s.Host) {
		now, to := o.ValuesOf(c, h), c.After.NextBoot
		switch {
		case !o.Pending || o.ID == s.ID || now.Running == nil || to == nil || c.Before.Running == nil || *c.Before.Running == *to:
		case *now.Running == *to:
			return InForce, ""
		default:
			return Waiting, hidden
		}
	}
	return Waiting, hidden + ": look after the reboot"
}

// ErrReboot says that a plan goes on only after reboots.
var ErrReboot = errors.New("waits for a reboot")

// NextPhase gives the part of a plan that is to be carried out now: the plan itself,
// or, once it is in force, what comes after its reboots.
func (r *Runner) NextPhase(ctx context.Context, p *plan.Plan) (*plan.Plan, error) {
	for p.Next != nil {
		persisted, waits, err := r.isPersisted(ctx, p)
		switch {
		case err != nil || !persisted:
			return p, err
		case len(waits) > 0:
			return nil, fmt.Errorf("plan %s: its values are written: %w of %s; apply it again after that", p.ID, ErrReboot,
				strings.Join(waits, ", "))
		}
		p = p.Next
	}
	return p, nil
}

// isPersisted says whether the hosts have all the values of a plan, and which of
// them must be rebooted before these are in force.
func (r *Runner) isPersisted(ctx context.Context, p *plan.Plan) (all bool, waits []string, err error) {
	for _, name := range p.Hosts {
		h, err := r.Read(ctx, name)
		if err != nil {
			return false, nil, fmt.Errorf("plan %s: %w", p.ID, err)
		}
		for s, c := range p.Last(name) {
			now, want := s.ValuesOf(c, h), c.After
			if s.Pending {
				want.Running = nil
			}
			if !want.Match(now) {
				return false, nil, nil
			}
			if s.Pending && !now.InForce() && !slices.Contains(waits, name) {
				waits = append(waits, name)
			}
		}
	}
	return true, waits, nil
}
