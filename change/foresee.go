package change

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"seaworthy/audit"
	"seaworthy/inventory"
)

// breaking are the rules whose finding means that packets are lost, not that
// they are slow. A plan that would bring one about is not made.
var breaking = []string{
	"R009", // packets larger than a client can take
	"R020", // jumbo frames that an element of the path drops
	"R021", // MTU and adapter that do not go together
	"R023", // clients with jumbo frames behind an SEA without
	"R047", // SEAs of a pair that differ
	"R048", // a pair of which none, or both, pass packets
	"R082", // an interface with an address that is down
	"R101", // a level that drops tagged largesend frames
}

// drifting are findings that every change for the next boot brings about until
// then: the plan says so anyway.
var drifting = []string{"R002", "R081", "R105"}

// Foresight audits the hosts as they would be after a plan, before anything is
// changed: once as they run when the steps are done, and once after the
// restarts that some of them wait for.
type Foresight struct {
	Rules  *audit.Set
	Accept []string // rules that the user takes upon himself, AcceptRedundancy, AcceptPending
}

// Build is Build, without the wishes that would break the path: a setting that
// would bring about a finding that loses packets is refused with that finding.
// What is only worse than before is said in the plan's notes.
func (f Foresight) Build(ctx context.Context, fleet *inventory.Fleet, attrs Attributes, wishes []Wish) (*Plan, error) {
	known, err := f.found(ctx, fleet, nil)
	if err != nil {
		return nil, err
	}
	var refused []Refusal
	for {
		p, err := build(fleet, attrs, wishes, f.Accept)
		if err != nil {
			return nil, err
		}
		if len(p.Steps) == 0 {
			return f.finish(ctx, fleet, attrs, known, p, refused)
		}
		brought, err := f.brought(ctx, fleet, p, known)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(brought, func(b audit.Finding) bool {
			grave := b.Severity == audit.High || b.Severity == audit.Critical
			return grave && slices.Contains(breaking, b.Rule) && !slices.Contains(f.Accept, b.Rule)
		})
		if i < 0 {
			remark(p, brought)
			return f.finish(ctx, fleet, attrs, known, p, refused)
		}
		guilty, err := f.guilty(ctx, fleet, attrs, p, wishes, known, brought[i])
		if err != nil {
			return nil, err
		}
		dropped := wishes
		wishes = slices.DeleteFunc(slices.Clone(wishes), func(w Wish) bool {
			return slices.ContainsFunc(guilty, func(g audit.Setting) bool { return g == w.Setting })
		})
		for _, g := range guilty {
			refused = append(refused, Refusal{Setting: g, Why: why(dropped, g), Reason: reason(brought[i])})
		}
	}
}

func (f Foresight) finish(ctx context.Context, fleet *inventory.Fleet, attrs Attributes, known map[string]audit.Finding, p *Plan, refused []Refusal) (*Plan, error) {
	p.Refused = append(p.Refused, refused...)
	defective(p, known)
	if err := f.unsure(ctx, fleet, p); err != nil {
		return nil, err
	}
	if err := f.then(ctx, fleet, attrs, p, refused); err != nil {
		return nil, err
	}
	var err error
	p.ID, err = p.digest()
	return p, err
}

// why are the findings that want a setting.
func why(wishes []Wish, s audit.Setting) []string {
	var ids []string
	for _, w := range wishes {
		if w.Setting == s && w.Finding != "" {
			ids = append(ids, w.Finding)
		}
	}
	return ids
}

func reason(b audit.Finding) string {
	s := fmt.Sprintf("it would bring about %s on %s: %s", b.Rule, b.Element, b.Title)
	if len(b.Cautions) > 0 {
		s += ". " + b.Cautions[0]
	}
	return s
}

// found are the findings of a fleet by id. With an earlier state of it, what
// was counted until then is no finding.
func (f Foresight) found(ctx context.Context, fleet, before *inventory.Fleet) (map[string]audit.Finding, error) {
	all, err := f.Rules.Run(ctx, fleet, audit.Options{Before: before})
	if err != nil {
		return nil, err
	}
	m := map[string]audit.Finding{}
	for _, x := range all {
		if x.Verdict == audit.Found {
			m[x.ID] = x
		}
		for _, id := range x.Covers { // there, if not on its own
			if _, ok := m[id]; !ok {
				m[id] = x
			}
		}
	}
	return m, nil
}

// brought are the findings that a plan brings about, in order of their ids.
func (f Foresight) brought(ctx context.Context, fleet *inventory.Fleet, p *Plan, known map[string]audit.Finding) ([]audit.Finding, error) {
	var out []audit.Finding
	seen := map[string]bool{}
	for _, rebooted := range []bool{false, true} {
		future, err := after(fleet, p, rebooted)
		if err != nil {
			return nil, err
		}
		then, err := f.found(ctx, future, fleet)
		if err != nil {
			return nil, err
		}
		for id, b := range then {
			if _, old := known[id]; !old && !seen[id] && id == b.ID {
				seen[id] = true
				out = append(out, b)
			}
		}
	}
	slices.SortFunc(out, func(a, b audit.Finding) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// largesend is the flag of an interface that mtu_bypass sets.
const largesend = "LARGESEND"

// after is the fleet as the plan's steps leave it: a copy.
func after(fleet *inventory.Fleet, p *Plan, rebooted bool) (*inventory.Fleet, error) {
	text, err := json.Marshal(fleet)
	if err != nil {
		return nil, fmt.Errorf("plan %s: %w", p.ID, err)
	}
	future := new(inventory.Fleet)
	if err := json.Unmarshal(text, future); err != nil {
		return nil, fmt.Errorf("plan %s: %w", p.ID, err)
	}
	for _, s := range p.Steps {
		h := future.Host(s.Host)
		for _, c := range s.Changes {
			a := h.Tunables[c.Attr]
			if el := h.Elements[s.Of(c).Element]; el != nil {
				a = el.Attrs[c.Attr]
			}
			if a == nil {
				continue
			}
			a.Running, a.NextBoot = c.After.Running, c.After.NextBoot
			if s.Pending && a.Running == nil {
				a.Running = c.Before.NextBoot // nobody shows it; until the restart it is the old one
			}
			if rebooted && s.Pending {
				a.Running = a.NextBoot
			}
			if el := h.Elements[s.Of(c).Element]; el != nil && c.Attr == "mtu_bypass" {
				el.Flags = slices.DeleteFunc(el.Flags, func(f string) bool { return f == largesend })
				if a.Running != nil && *a.Running == "on" {
					el.Flags = append(el.Flags, largesend)
				}
			}
		}
	}
	return future, nil
}

// guilty are the settings without which a finding does not come about: the one
// that comes last in the plan if one alone is enough, else all on the elements
// that the finding names.
func (f Foresight) guilty(ctx context.Context, fleet *inventory.Fleet, attrs Attributes, p *Plan, wishes []Wish, known map[string]audit.Finding, b audit.Finding) ([]audit.Setting, error) {
	var all []audit.Setting
	for _, s := range slices.Backward(p.Steps) {
		for _, c := range s.Changes {
			i := slices.IndexFunc(wishes, func(w Wish) bool { return w.Ref == s.Of(c) && w.Attr == c.Attr })
			if i >= 0 {
				all = append(all, wishes[i].Setting)
			}
		}
	}
	for _, g := range all {
		rest := slices.DeleteFunc(slices.Clone(wishes), func(w Wish) bool { return w.Setting == g })
		q, err := build(fleet, attrs, rest, f.Accept)
		if err != nil {
			return nil, err
		}
		then, err := f.brought(ctx, fleet, q, known)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(then, func(x audit.Finding) bool { return x.ID == b.ID }) {
			return []audit.Setting{g}, nil
		}
	}
	named := append([]inventory.Ref{b.Element}, b.Affects...)
	on := slices.DeleteFunc(slices.Clone(all), func(g audit.Setting) bool { return !slices.Contains(named, g.Ref) })
	if len(on) == 0 {
		return all, nil
	}
	return on, nil
}

// remark puts what the plan makes worse into the notes of the steps that do.
func remark(p *Plan, brought []audit.Finding) {
	for _, b := range brought {
		if slices.Contains(drifting, b.Rule) || b.Severity == audit.Low || b.Severity == audit.Info {
			continue
		}
		named := append([]inventory.Ref{b.Element}, b.Affects...)
		for i, s := range p.Steps {
			if slices.ContainsFunc(s.Touches(), func(r inventory.Ref) bool { return slices.Contains(named, r) }) {
				p.Steps[i].Notes = append(p.Steps[i].Notes, fmt.Sprintf("afterwards audit finds %s on %s: %s", b.Rule, b.Element, b.Title))
			}
		}
	}
}
