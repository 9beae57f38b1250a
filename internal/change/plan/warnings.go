package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/audit/defect"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// concerned finds the plan's steps that change what a finding names, in their order.
func (p *Plan) concerned() func(finding.Finding) []*Step {
	at := map[model.Ref][]int{} // places of the steps that change an element
	for i := range p.Steps {
		for _, r := range p.Steps[i].Touches() {
			at[r] = append(at[r], i)
		}
	}
	return func(x finding.Finding) (steps []*Step) {
		places := slices.Clone(at[x.Element])
		for _, r := range x.Affects {
			places = append(places, at[r]...)
		}
		slices.Sort(places)
		for _, i := range slices.Compact(places) {
			steps = append(steps, &p.Steps[i])
		}
		return steps
	}
}

func (s *Step) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(s.Notes, n) {
		s.Notes = append(s.Notes, n)
	}
}

// addCautions puts into each step what the rules warn of that ask for it. A value that a
// person names has the cautions of the rules that would advise it.
func (s Simulator) addCautions(p *Plan) {
	for i := range p.Steps {
		step := &p.Steps[i]
		var rules []knowledge.Rule
		for _, id := range step.Why {
			name, _, _ := strings.Cut(id, "/")
			r, ok := s.Rules.Rule(name)
			if ok {
				rules = append(rules, r)
			}
		}
		if len(step.Why) == 0 {
			for _, c := range step.Changes {
				if c.After.NextBoot != nil {
					rules = append(rules, s.Rules.Advising(string(step.Kind), c.Attr, *c.After.NextBoot)...)
				}
			}
		}
		for _, r := range rules {
			for _, caution := range r.Cautions {
				if !slices.Contains(step.Cautions, caution) {
					step.Cautions = append(step.Cautions, caution)
				}
			}
		}
	}
}

// annotate puts what the plan makes worse into the notes of the steps that do.
func (s Simulator) annotate(p *Plan, newFindings []finding.Finding) {
	concerned := p.concerned()
	for _, x := range newFindings {
		rule, _ := s.Rules.Rule(x.Rule)
		if rule.Transient || x.Severity == finding.Low || x.Severity == finding.Info {
			continue
		}
		for _, step := range concerned(x) {
			step.note("afterwards audit finds %s on %s: %s", x.Rule, x.Element, x.Title)
		}
	}
}

// openQuestions puts into the notes what cannot be assessed of the hosts as they
// would be afterwards, but did not matter before, or could be assessed. Unknown
// is not well.
func (s Simulator) openQuestions(p *Plan, now, later judgement) {
	concerned := p.concerned()
	for _, x := range inOrder(later.open) {
		rule, _ := s.Rules.Rule(x.Rule)
		if _, old := now.open[x.ID]; old || !rule.BreaksTraffic && !rule.Defect {
			continue
		}
		for _, step := range concerned(x) {
			step.note("whether %s then holds for %s (%s) cannot be assessed: %s is missing", x.Rule, x.Element, x.Title,
				strings.Join(x.Missing, ", "))
		}
	}
}

// knownDefects puts the defects of a host's software into the notes of steps
// that make it handle large packets, which some of them fail with.
func (s Simulator) knownDefects(p *Plan, attrs Attributes, now judgement) {
	defects := map[string][]finding.Finding{} // by host
	for _, x := range inOrder(now.found) {
		if rule, _ := s.Rules.Rule(x.Rule); rule.Defect && x.Element.Element == "host" {
			defects[x.Element.Host] = append(defects[x.Element.Host], x)
		}
	}
	for i := range p.Steps {
		step := &p.Steps[i]
		if len(defects[step.Host]) == 0 || !slices.ContainsFunc(step.Changes, func(c task.Change) bool { return enlarges(attrs, step.Kind, c) }) {
			continue
		}
		for _, x := range defects[step.Host] {
			step.note("audit finds %s on %s, install the fix first: %s", x.Rule, step.Host, x.Title)
		}
	}
}

// affectedLevels puts a caution into the steps on hosts whose software has a known defect
// that does not bite now: at the steps on what it is about, or else at the host's first.
func (s Simulator) affectedLevels(p *Plan, fleet *model.Fleet, now judgement) {
	for _, host := range p.Hosts {
		h := fleet.Host(host)
		if h == nil {
			continue
		}
		for _, d := range s.Rules.Defects() {
			if d.Affected.Always && len(d.APARs()) == 0 {
				continue // no level is without it: only its conditions say anything
			}
			if level := defect.LevelOf(d, h); level.State == defect.Affected && !now.names(d.ID, host) {
				p.caution(host, d, level)
			}
		}
	}
}

// caution writes one defect into the steps on a host that concern it.
func (p *Plan) caution(host string, d *knowledge.Defect, level defect.Level) {
	var first *Step
	said := false
	text := fmt.Sprintf("caution: this software has the known defect %s (%s): %s. It shows when: %s. %s",
		d.ID, level.Why, d.Title, d.Needs, d.Cure)
	for i := range p.Steps {
		step := &p.Steps[i]
		if step.Host != host || step.Manual != nil {
			continue
		}
		if first == nil {
			first = step
		}
		if d.About(string(step.Kind)) {
			step.note("%s", text)
			said = true
		}
	}
	if !said && first != nil {
		first.note("%s", text)
	}
}

// names says whether a rule has a finding on a host.
func (j judgement) names(rule, host string) bool {
	for _, x := range j.found {
		if x.Rule == rule && x.Element.Host == host {
			return true
		}
	}
	return false
}

// enlarges says whether a change switches on packets larger than a frame.
func enlarges(attrs Attributes, kind model.Kind, c task.Change) bool {
	a, ok := attrs.Attribute(string(kind), c.Attr)
	to := c.After.NextBoot
	return ok && a.LargePackets && to != nil && !slices.Contains([]string{"", "0", "no", "off"}, *to)
}

// unmanagedClients says which clients of an SEA only an HMC knows, where
// something is switched on that not every system can take: nobody has looked at
// them.
func (b *planBuilder) unmanagedClients(it *item) error {
	sea := it.host.Elements[it.want.Element]
	rule := it.attr.ClientsRule
	if sea == nil || rule == "" || !enlarges(b.attrs, it.kind, it.change) || slices.Contains(b.accept, rule) {
		return nil
	}
	ref := model.Ref{Host: it.host.Name, Element: sea.Name}
	var names, ibmi []string
	for _, client := range graph.UnreadClients(b.graph.At(ref)) {
		list := &names
		if client.Of.Platform == model.IBMi {
			list = &ibmi
		}
		if name := fmt.Sprintf("%s (%s)", client.Host, client.Name); client.Of.Platform != model.AIX && !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	slices.Sort(names)
	slices.Sort(ibmi)
	switch {
	case len(ibmi) > 0:
		return fmt.Errorf("%s carries partitions with IBM i, as the HMC says: %s. IBM i cannot take what %s joins; "+
			"to plan it anyway: --accept %s", ref, strings.Join(ibmi, ", "), it.want.Attr, rule)
	case len(names) == 0:
		return nil
	}
	return fmt.Errorf("%s carries partitions that were not read: %s. IBM i, and Linux before 4.2, cannot take what %s joins: "+
		"read them, or --accept %s", ref, strings.Join(names, ", "), it.want.Attr, rule)
}

func inOrder(all map[string]finding.Finding) []finding.Finding {
	return slices.SortedFunc(maps.Values(all), func(a, b finding.Finding) int { return strings.Compare(a.ID, b.ID) })
}
