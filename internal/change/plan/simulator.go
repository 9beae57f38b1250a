package plan

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Simulator builds plans and audits the hosts as they would be afterwards,
// before anything is changed: once as they run when the steps are done, and once
// after the reboots that some of them wait for.
type Simulator struct {
	Rules  *rule.Set
	Accept []string // rules whose harm the user accepts, AcceptRedundancy, AcceptPending
	// Now is what Rules say of the hosts as they are, without earlier states, of every verdict
	// but PASS; nil: they are audited. That takes half a minute for 10,000 hosts.
	Now []finding.Finding
}

// Build is the function Build, without the settings that would lose packets:
// each is refused with the finding that it would cause. What is only worse
// than before is said in the plan's notes.
func (s Simulator) Build(ctx context.Context, fleet *model.Fleet, attrs Attributes, desired []DesiredSetting) (*Plan, error) {
	shown := progress.Begin(ctx, "planning and simulating", "", 0)
	defer shown.End()
	now := judged(s.Now)
	if s.Now == nil {
		var err error
		if now, err = s.audit(ctx, fleet, nil); err != nil {
			return nil, err
		}
	}
	g, err := graph.New(ctx, fleet)
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	desired, refused := s.withoutCorrupting(now, desired)
	for {
		p, err := build(ctx, g, fleet, attrs, desired, s.Accept)
		if err != nil {
			return nil, err
		}
		later, err := s.later(ctx, fleet, p)
		if err != nil {
			return nil, err
		}
		harm, rebooted := s.harm(now, later)
		if harm == nil {
			s.addCautions(p)
			s.annotate(p, s.newFindings(now, later))
			s.openQuestions(p, now, later[1])
			s.knownDefects(p, attrs, now)
			s.affectedLevels(p, fleet, now)
			p.Refused = append(p.Refused, refused...)
			if err := s.planAfterReboot(ctx, fleet, attrs, p, refused); err != nil {
				return nil, err
			}
			for _, step := range p.Steps {
				slog.DebugContext(ctx, "plan: step", "step", step.ID, "class", step.Class, "window", step.Window, "stage", step.Stage)
			}
			p.ID, err = p.digest()
			return p, err
		}
		culprit, err := s.culprit(ctx, fleet, p, desired, *harm, rebooted)
		if err != nil {
			return nil, err
		}
		slog.DebugContext(ctx, "plan: setting refused", "setting", culprit.Ref, "attr", culprit.Attr, "rule", harm.Rule)
		r := Refusal{Setting: culprit, Reason: reason(culprit, *harm)}
		desired = slices.DeleteFunc(slices.Clone(desired), func(d DesiredSetting) bool {
			if d.Setting == culprit && d.Finding != "" {
				r.Why = append(r.Why, d.Finding)
			}
			return d.Setting == culprit
		})
		refused = append(refused, r)
	}
}

// planAfterReboot plans, against the hosts as the reboots will leave them, what
// would break the path before these: clients get jumbo frames when the SEA that
// has to be rebooted for them takes them. refused are the settings that were
// refused for such a finding.
func (s Simulator) planAfterReboot(ctx context.Context, fleet *model.Fleet, attrs Attributes, p *Plan, refused []Refusal) error {
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
	s.Now = nil // it is said of the hosts before their reboots
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
					Host: s.Host, Element: s.Of(c).Element, Fact: c.Attr, Want: *c.After.NextBoot, Why: s.Host + " was rebooted",
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
