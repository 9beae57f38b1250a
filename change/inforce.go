package change

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"seaworthy/change/task"
	"seaworthy/inventory"
)

// Boot is what became of values that a step left for the next boot.
type Boot string

const (
	Waiting Boot = "waits for a restart"
	InForce Boot = "in force"
	Changed Boot = "changed since" // by somebody else, before the restart or after it
)

// wait gives the steps of an applied plan that left values for the next boot
// their state, unless the journal told one.
func (r *Run) wait(p *Plan) {
	if r.Outcome != Applied {
		return
	}
	for i, s := range p.Steps {
		if s.Pending && r.Steps[i].State == evDone && r.Steps[i].Boot == "" {
			r.Steps[i].Boot = Waiting
		}
		if r.Steps[i].Boot == Waiting && !slices.Contains(r.Waits, s.Host) {
			r.Waits = append(r.Waits, s.Host)
		}
	}
}

// LookAgain reads the hosts whose values of a run waited for a restart, and
// says of each step whether they are in force now. What it learns goes into
// the journal, so that it is asked once. A host that cannot be read does not
// hide the others; its steps keep waiting.
func (r *Runner) LookAgain(ctx context.Context, id string) (*Run, error) {
	run, p, err := r.Journals.Load(id)
	if err != nil || len(run.Waits) == 0 {
		return run, err
	}
	var errs []error
	var learnt []event
	for _, name := range run.Waits {
		h, err := r.Read(ctx, name)
		if err != nil {
			errs = append(errs, fmt.Errorf("run %s: %w", id, err))
			continue
		}
		for i, s := range p.Steps {
			if s.Host != name || run.Steps[i].Boot != Waiting {
				continue
			}
			if b, drift := s.boot(p, i, h); b == Waiting {
				run.Steps[i].Drift = drift
			} else {
				learnt = append(learnt, event{Event: evBoot, Step: s.ID, Boot: b})
			}
		}
	}
	if len(learnt) > 0 {
		errs = append(errs, r.note(id, learnt))
	}
	for _, e := range learnt {
		run.take(e)
	}
	run.Waits = nil
	run.wait(p)
	return run, errors.Join(errs...)
}

// note adds events to a run's journal.
func (r *Runner) note(id string, events []event) error {
	j, err := openJournal(filepath.Join(r.Journals.Dir, id), id)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range events {
		errs = append(errs, j.write(e))
	}
	return errors.Join(append(errs, j.file.Close())...)
}

// boot says what became of a step's values. What runs of some attributes no
// command shows: those follow the others of their host.
func (s Step) boot(p *Plan, i int, h *inventory.Host) (b Boot, drift string) {
	shown := false
	for _, c := range s.Changes {
		now := s.ValuesOf(c, h)
		switch {
		case !p.settles(i, c):
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
	for j, o := range p.Steps {
		if o.Host != s.Host || !o.Pending || j == i {
			continue
		}
		for _, c := range o.Changes {
			if now := o.ValuesOf(c, h); now.Running != nil && c.After.NextBoot != nil && c.Before.Running != nil && *c.Before.Running != *c.After.NextBoot {
				if *now.Running == *c.After.NextBoot {
					return InForce, ""
				}
				return Waiting, "no command shows what runs"
			}
		}
	}
	return Waiting, "no command shows what runs: look after the restart"
}
