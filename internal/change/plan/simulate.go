package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// reason says why a setting is refused: what it would cause, and how it can be planned.
func reason(culprit finding.Setting, harm finding.Finding) string {
	s := fmt.Sprintf("it would cause on %s: %s (%s)", harm.Element, harm.Title, harm.Rule)
	cat := knowledge.BuiltIn()
	if cat.Has(culprit.Attr, knowledge.FrameSize) || cat.Has(culprit.Attr, knowledge.JumboFrames) {
		s += fmt.Sprintf(". plan --jumbo %s,HOST sets every element between it and HOST", culprit.Host)
	}
	if len(harm.Cautions) > 0 {
		s += ". " + harm.Cautions[0]
	}
	return s
}

// judgement holds what audit says of a fleet, by the ids of the findings.
type judgement struct {
	found map[string]finding.Finding
	open  map[string]finding.Finding // not assessed
}

// audit audits a fleet. With an earlier state of it, what was counted until then
// is not a finding.
func (s Simulator) audit(ctx context.Context, fleet, before *model.Fleet) (judgement, error) {
	all, err := s.Rules.Run(ctx, fleet, rule.Options{Before: before, Passed: new(int)})
	return judged(all), err
}

// judged puts findings by their ids.
func judged(all []finding.Finding) judgement {
	j := judgement{map[string]finding.Finding{}, map[string]finding.Finding{}}
	for _, x := range all {
		switch x.Verdict {
		case finding.Found:
			j.found[x.ID] = x
			for _, id := range x.Symptoms { // there, if not on its own
				if _, ok := j.found[id]; !ok {
					j.found[id] = x
				}
			}
		case finding.NotAssessed:
			j.open[x.ID] = x
		}
	}
	return j
}

// later judges the fleet after the plan's steps, and after its reboots. Where no step waits
// for a reboot, both are one: an audit of thousands of hosts takes half a minute.
func (s Simulator) later(ctx context.Context, fleet *model.Fleet, p *Plan) (out [2]judgement, err error) {
	pending := slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Pending })
	for i := range out {
		if i == 1 && !pending {
			out[1] = out[0]
			break
		}
		projected, err := projectedState(ctx, fleet, p.Steps, i == 1)
		if err != nil {
			return out, err
		}
		if out[i], err = s.audit(ctx, projected, fleet); err != nil {
			return out, err
		}
	}
	return out, nil
}

// newFindings are those that a plan brings about, in order of their ids.
func (s Simulator) newFindings(now judgement, later [2]judgement) []finding.Finding {
	all := map[string]finding.Finding{}
	for _, j := range later {
		for id, x := range j.found {
			if _, old := now.found[id]; !old && id == x.ID {
				all[id] = x
			}
		}
	}
	return inOrder(all)
}

// harm is the first new finding that means lost packets, and whether it shows
// only after the reboots; nil: there is none.
func (s Simulator) harm(now judgement, later [2]judgement) (harm *finding.Finding, rebooted bool) {
	for _, x := range s.newFindings(now, later) {
		broken, _ := s.Rules.Rule(x.Rule)
		grave := x.Severity == finding.High || x.Severity == finding.Critical || broken.Known != nil
		if grave && broken.BreaksTraffic && !slices.Contains(s.Accept, x.Rule) {
			_, early := later[0].found[x.ID]
			return &x, !early
		}
	}
	return nil, false
}

// withoutCorrupting takes out the settings that would keep data being corrupted: a known defect of the host corrupts
// it already, and its remedy wants another value of the same attribute.
func (s Simulator) withoutCorrupting(now judgement, desired []DesiredSetting) (left []DesiredSetting, refused []Refusal) {
	wanted := map[target]finding.Setting{}
	by := map[target]finding.Finding{}
	for _, x := range inOrder(now.found) {
		r, _ := s.Rules.Rule(x.Rule)
		if r.Known == nil || x.Severity != finding.Critical || slices.Contains(s.Accept, x.Rule) {
			continue
		}
		for _, remedy := range x.Remedy {
			wanted[targetOf(remedy)], by[targetOf(remedy)] = remedy, x
		}
	}
	for _, d := range desired {
		remedy, known := wanted[targetOf(d.Setting)]
		if !known || remedy.Value == d.Value {
			left = append(left, d)
			continue
		}
		x := by[targetOf(d.Setting)]
		r := Refusal{Setting: d.Setting, Reason: fmt.Sprintf("it would keep on %s: %s (%s)", x.Element, x.Title, x.Rule)}
		if d.Finding != "" {
			r.Why = []string{d.Finding}
		}
		refused = append(refused, r)
	}
	return left, refused
}

// culprit is the setting with which a finding comes about when those of the plan
// are made one after the other, in its order.
func (s Simulator) culprit(
	ctx context.Context, fleet *model.Fleet, p *Plan, desired []DesiredSetting, harm finding.Finding, rebooted bool,
) (finding.Setting, error) {
	var made []Step // a step for each desired setting
	var settings []finding.Setting
	first := map[target]finding.Setting{}
	for _, d := range desired {
		if _, seen := first[targetOf(d.Setting)]; !seen {
			first[targetOf(d.Setting)] = d.Setting
		}
	}
	for _, step := range p.Steps {
		for _, c := range step.Changes {
			if wanted, ok := first[target{step.Of(c), c.Attr}]; ok {
				one := step
				one.Changes = []task.Change{c}
				made, settings = append(made, one), append(settings, wanted)
			}
		}
	}
	if len(made) == 0 {
		return finding.Setting{}, fmt.Errorf("%s on %s comes about, but no setting of the plan leads to it", harm.Rule, harm.Element)
	}
	var failure error
	n := sort.Search(len(made)-1, func(n int) bool {
		projected, err := projectedState(ctx, fleet, made[:n+1], rebooted)
		if err != nil {
			failure = err
			return true
		}
		j, err := s.audit(ctx, projected, fleet)
		if err != nil {
			failure = err
		}
		_, there := j.found[harm.ID]
		return there
	})
	return settings[n], failure
}

// largesend is the flag of an interface that mtu_bypass sets.
const largesend = "LARGESEND"

// projectedState is the fleet as steps leave it: with copies of the hosts that they
// change.
func projectedState(ctx context.Context, fleet *model.Fleet, steps []Step, rebooted bool) (*model.Fleet, error) {
	hosts := map[string]*model.Host{}
	for _, s := range steps {
		hosts[s.Host] = nil
	}
	future := &model.Fleet{HMCs: fleet.HMCs}
	for _, h := range fleet.Hosts {
		if _, changed := hosts[h.Name]; changed {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("copy of the hosts: %w", context.Cause(ctx))
			}
			text, err := json.Marshal(h)
			h = new(model.Host)
			if err == nil {
				err = json.Unmarshal(text, h)
			}
			if err != nil {
				return nil, fmt.Errorf("copy of the hosts: %w", err)
			}
			hosts[h.Name] = h
		}
		future.Hosts = append(future.Hosts, h)
	}
	for _, s := range steps {
		h := hosts[s.Host]
		for _, c := range s.Changes {
			a := h.Tunables[c.Attr]
			el := h.Elements[s.Of(c).Element]
			if el != nil {
				a = el.Attrs[c.Attr]
			}
			if a == nil {
				continue
			}
			a.Running, a.NextBoot = c.After.Running, c.After.NextBoot
			if s.Pending && a.Running == nil {
				a.Running = c.Before.NextBoot // nobody shows it; until the reboot it is the old one
			}
			if rebooted && s.Pending {
				a.Running = a.NextBoot
			}
			if el != nil && c.Attr == knowledge.BuiltIn().ByRole(string(model.Interface), knowledge.LargeSend) {
				el.Flags = slices.DeleteFunc(el.Flags, func(f string) bool { return f == largesend })
				if a.Running != nil && *a.Running == "on" {
					el.Flags = append(el.Flags, largesend)
				}
			}
		}
	}
	return future, nil
}
