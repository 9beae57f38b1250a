package plan

import (
	"context"
	"slices"

	"seaworthy/inventory"
)

// planAfterReboot plans, against the hosts as the restarts will leave them, what
// would break the path before these: clients get jumbo frames when the SEA that
// has to be restarted for them takes them. refused are the settings that were
// refused for such a finding.
func (s Simulator) planAfterReboot(ctx context.Context, fleet *inventory.Fleet, attrs Attributes, p *Plan, refused []Refusal) error {
	if len(refused) == 0 || !slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Pending }) {
		return nil
	}
	future, err := projectedState(ctx, fleet, p.Steps, true)
	if err != nil {
		return err
	}
	var desired []DesiredSetting
	for _, r := range refused {
		desired = append(desired, DesiredSetting{Setting: r.Setting})
		for _, id := range r.Why {
			desired = append(desired, DesiredSetting{Setting: r.Setting, Finding: id})
		}
	}
	next, err := s.Build(ctx, future, attrs, desired)
	if err != nil || len(next.Steps) == 0 {
		return err
	}
	next.Refused = nil // the plan's own reasons say why
	next.dropManualSteps(p)
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
	made := map[target]bool{}
	for q := next; q != nil; q = q.Next {
		for _, s := range q.Steps {
			for _, c := range s.Changes {
				made[target{s.Of(c), c.Attr}] = true
			}
		}
	}
	p.Refused = slices.DeleteFunc(p.Refused, func(r Refusal) bool { return made[targetOf(r.Setting)] })
	return nil
}
