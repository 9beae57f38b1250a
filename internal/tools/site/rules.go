package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/knowledge"
)

// rulePage is a rule with what refers to it.
type rulePage struct {
	knowledge.Rule
	c *catalogue
}

// Outage says what carrying out the remedy interrupts.
func (p rulePage) Outage() string { return p.Class.Outage() }

// Evidence is what must be known before the rule can be judged.
func (p rulePage) Evidence() evidence { return p.c.evidence[p.ID] }

// ReadBy are the commands that show an attribute, of all of its layers.
func (p rulePage) ReadBy(name string) []string {
	var out []string
	for _, a := range p.c.layers[name] {
		out = append(out, a.Read...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Kinds are the elements that it judges.
func (p rulePage) Kinds() string { return p.c.Kinds(p.Rule) }

// Remedies are the settings of all of its checks.
func (p rulePage) Remedies() []knowledge.Remedy {
	var out []knowledge.Remedy
	for _, check := range p.Checks {
		for _, m := range check.Remedy {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// Advice is what no setting can cure, of all of its checks.
func (p rulePage) Advice() []knowledge.ConditionText {
	var out []knowledge.ConditionText
	for _, check := range p.Checks {
		for _, a := range check.Advice {
			if !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// ExplainedBy are the rules whose findings have those of this one as a consequence.
func (p rulePage) ExplainedBy() []knowledge.Rule {
	return p.c.rulesWhere(func(r *knowledge.Rule) bool { return slices.Contains(r.Explains, p.ID) })
}

// Consequences are the rules whose findings follow from those of this one.
func (p rulePage) Consequences() []knowledge.Rule {
	return p.c.rulesWhere(func(r *knowledge.Rule) bool { return slices.Contains(p.Explains, r.ID) })
}

// Siblings are other rules that set one of its attributes.
func (p rulePage) Siblings() []knowledge.Rule {
	own := p.Settings()
	return p.c.rulesWhere(func(r *knowledge.Rule) bool {
		return r.ID != p.ID && slices.ContainsFunc(settingsOf(r), func(s string) bool { return slices.Contains(own, s) })
	})
}

// Settings are the attributes that its remedies set.
func (p rulePage) Settings() []string { return settingsOf(&p.Rule) }

// Witnessed are the causes of a slow path that its findings show.
func (p rulePage) Witnessed() []knowledge.Cause {
	var out []knowledge.Cause
	for _, cause := range p.c.Causes {
		if slices.Contains(cause.Witnesses, p.ID) {
			out = append(out, cause)
		}
	}
	return out
}

// Unexplained is why it is a witness of no cause; empty: it is one.
func (p rulePage) Unexplained() string {
	for _, u := range p.c.Catalog.Unexplained() {
		if u.Rule == p.ID {
			return u.Reason
		}
	}
	return ""
}

func settingsOf(r *knowledge.Rule) []string {
	var out []string
	for _, check := range r.Checks {
		for _, m := range check.Remedy {
			out = append(out, m.Attr)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *catalogue) rulesWhere(holds func(*knowledge.Rule) bool) []knowledge.Rule {
	var out []knowledge.Rule
	for i := range c.Rules {
		if holds(&c.Rules[i]) {
			out = append(out, c.Rules[i])
		}
	}
	return out
}

// ruleGroup is a part of an index of rules.
type ruleGroup struct {
	Name  string
	Rules []knowledge.Rule
}

// BySeverity are all rules, severest first.
func (c *catalogue) BySeverity() []ruleGroup {
	return c.groups(func(r *knowledge.Rule) []string { return []string{r.Severity} },
		func(a, b string) int { return cmp.Compare(finding.Severity(a).Rank(), finding.Severity(b).Rank()) })
}

// ByElement are all rules by the kinds of element that they judge, each under all of its kinds.
func (c *catalogue) ByElement() []ruleGroup {
	kinds := func(r *knowledge.Rule) []string {
		var out []string
		for _, check := range r.Checks {
			out = append(out, check.Kind...)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	return c.groups(kinds, strings.Compare)
}

func (c *catalogue) groups(of func(*knowledge.Rule) []string, order func(a, b string) int) []ruleGroup {
	in := map[string][]knowledge.Rule{}
	for i := range c.Rules {
		for _, name := range of(&c.Rules[i]) {
			in[name] = append(in[name], c.Rules[i])
		}
	}
	var out []ruleGroup
	for _, name := range slices.SortedFunc(maps.Keys(in), order) {
		out = append(out, ruleGroup{name, in[name]})
	}
	return out
}

// Kinds are the elements that a rule judges.
func (c *catalogue) Kinds(r knowledge.Rule) string {
	var out []string
	for _, check := range r.Checks {
		for _, kind := range check.Kind {
			if !slices.Contains(out, kind) {
				out = append(out, kind)
			}
		}
	}
	return strings.Join(out, ", ")
}
