package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/audit"
	"seaworthy/inventory"
)

// then plans, against the hosts as the restarts will leave them, what would
// break the path before these: clients get jumbo frames when the SEA that has
// to be restarted for them takes them. foreseen are the plan's refusals that
// came of such a finding.
func (f Foresight) then(ctx context.Context, fleet *inventory.Fleet, attrs Attributes, p *Plan, foreseen []Refusal) error {
	if len(foreseen) == 0 || !slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Pending }) {
		return nil
	}
	future, err := after(fleet, p, true)
	if err != nil {
		return err
	}
	var wishes []Wish
	for _, r := range foreseen {
		w := Wish{Setting: r.Setting}
		wishes = append(wishes, w)
		for _, id := range r.Why {
			wishes = append(wishes, Wish{Setting: r.Setting, Finding: id})
		}
	}
	next, err := f.Build(ctx, future, attrs, wishes)
	if err != nil || len(next.Steps) == 0 {
		return err
	}
	next.Refused = nil // the plan's own reasons stand
	next.withoutHands(p)
	for _, s := range p.Steps {
		for _, c := range s.Changes {
			if s.Pending && c.Before.Running != nil {
				next.Conditions = append(next.Conditions, Condition{
					Host: s.Host, Element: s.Of(c).Element, Fact: c.Attr, Want: *c.After.NextBoot, Why: s.Host + " was restarted",
				})
			}
		}
	}
	if next.ID, err = next.digest(); err != nil {
		return err
	}
	p.Next = next
	p.Refused = slices.DeleteFunc(p.Refused, func(r Refusal) bool { return next.has(r.Setting) })
	return nil
}

// has says whether the plan, or what comes after its restarts, makes a setting.
func (p *Plan) has(w audit.Setting) bool {
	for ; p != nil; p = p.Next {
		for _, s := range p.Steps {
			if s.Sets(w.Ref, w.Attr) {
				return true
			}
		}
	}
	return false
}

// AllHosts are the hosts of the plan and of what comes after its restarts, and
// those that are only looked at: mates that take over.
func (p *Plan) AllHosts() []string {
	var all []string
	for ; p != nil; p = p.Next {
		all = append(all, p.Hosts...)
		for _, s := range p.Steps {
			for _, c := range s.Needs {
				all = append(all, c.Host)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Restarts are the hosts that have to be restarted before the plan's values
// are in force, in the plan's order: of a pair of VIOSes the backup first.
func (p *Plan) Restarts() []string {
	var out []string
	for _, s := range p.Steps {
		if s.Pending && !slices.Contains(out, s.Host) {
			out = append(out, s.Host)
		}
	}
	return out
}

// ErrRestart says that a plan goes on only after restarts.
var ErrRestart = errors.New("waits for a restart")

// Due gives the part of a plan that is to be carried out now: the plan itself,
// or, once it is in force, what comes after its restarts.
func (r *Runner) Due(ctx context.Context, p *Plan) (*Plan, error) {
	for p.Next != nil {
		written, waits, err := r.written(ctx, p)
		switch {
		case err != nil:
			return nil, err
		case !written:
			return p, nil
		case len(waits) > 0:
			return nil, fmt.Errorf("plan %s: its values are written: %w of %s; apply it again after that", p.ID, ErrRestart, strings.Join(waits, ", "))
		}
		p = p.Next
	}
	return p, nil
}

// written says whether the hosts have all the values of a plan, and which of
// them must be restarted before these are in force.
func (r *Runner) written(ctx context.Context, p *Plan) (all bool, waits []string, err error) {
	for _, name := range p.Hosts {
		h, err := r.Read(ctx, name)
		if err != nil {
			return false, nil, fmt.Errorf("plan %s: %w", p.ID, err)
		}
		for i, s := range p.Steps {
			for _, c := range s.Changes {
				if s.Host != name || !p.settles(i, c) {
					continue
				}
				now := s.ValuesOf(c, h)
				want := c.After
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
	}
	return true, waits, nil
}
