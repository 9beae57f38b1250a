package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/change/plan"
)

// ErrRestart says that a plan goes on only after restarts.
var ErrRestart = errors.New("waits for a restart")

// NextPhase gives the part of a plan that is to be carried out now: the plan itself,
// or, once it is in force, what comes after its restarts.
func (r *Runner) NextPhase(ctx context.Context, p *plan.Plan) (*plan.Plan, error) {
	for p.Next != nil {
		persisted, waits, err := r.isPersisted(ctx, p)
		switch {
		case err != nil || !persisted:
			return p, err
		case len(waits) > 0:
			return nil, fmt.Errorf("plan %s: its values are written: %w of %s; apply it again after that", p.ID, ErrRestart,
				strings.Join(waits, ", "))
		}
		p = p.Next
	}
	return p, nil
}

// isPersisted says whether the hosts have all the values of a plan, and which of
// them must be restarted before these are in force.
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
