package knowledge

import (
	"fmt"
	"slices"
	"strings"
)

// severityOf what a defect does.
var severityOf = map[string]string{
	"corruption": "critical", "hang": "high", "outage": "high", "slow": "medium", "cosmetic": "low", "unknown": "low",
}

// Rule gives the defect as a rule: its checks hold where the level has it and nothing cures
// it. A level of which nobody knows whether it has the defect does not hold, unless the
// defect left a sign. Without a sign it may bite, and ranks lower.
func (d *Defect) Rule() Rule {
	level := fmt.Sprintf("el.affected(%q)", d.ID)
	if sign := d.sign(); sign != "" {
		level = fmt.Sprintf("(el.suspected(%q) && (%s) || %s)", d.ID, sign, level)
	}
	r := d.rule(level)
	r.ByLevel = true
	return r
}

// ConditionRule gives the defect as a rule that asks for its conditions and not for the
// level. Its findings say where the defect could bite.
func (d *Defect) ConditionRule() Rule { return d.rule("true") }

func (d *Defect) rule(level string) Rule {
	severity := severityOf[d.Harm]
	r := Rule{
		ID: d.ID, Title: d.Title, Severity: severity, Class: O0, BreaksTraffic: true, Defect: true, Confidence: d.Confidence,
		Why: "Known defect of " + d.Component + ": " + d.Symptom + ".", Cautions: d.Advice(), Sources: []string{d.Source.Title},
		Cases: d.Cases, File: defectsFile, BuiltIn: true, Known: d,
	}
	if d.HIPER {
		r.Why += " IBM marks it HIPER (high impact, pervasive)."
	}
	for _, k := range d.Checks {
		condition := "(" + k.Condition + ")"
		if k.When != "" {
			condition = "(" + k.When + ") && " + condition
		}
		k.When = level + " && " + condition
		k.Condition = "true"
		k.Sign, k.SpecificSign = d.sign(), d.specificSign()
		if k.Sign != "" && k.Severity != "" { // what weighs little without a sign weighs in full with one
			k.Grades = append(slices.Clone(k.Grades), Grade{Severity: severity, When: k.Sign})
		}
		r.Checks = append(r.Checks, k)
	}
	return r
}

// sign is a condition that holds where any of its signs shows the defect.
func (d *Defect) sign() string { return anyOf(d.Signs) }

// specificSign is the same of the signs that other causes do not leave.
func (d *Defect) specificSign() string {
	return anyOf(slices.DeleteFunc(slices.Clone(d.Signs), func(s Sign) bool { return !s.Specific }))
}

func anyOf(signs []Sign) string {
	var all []string
	for _, s := range signs {
		switch {
		case s.Counter != "":
			all = append(all, "("+s.Counter+")")
		case s.Errpt != "":
			all = append(all, fmt.Sprintf("el.logged(%q) > 0", s.Errpt))
		case s.Message != "":
			all = append(all, fmt.Sprintf("el.fact(%q) > 0", s.Message))
		}
	}
	return strings.Join(all, " || ")
}

// Advice returns what to do about it, the cure first.
func (d *Defect) Advice() []string {
	out := []string{d.Cure}
	if d.Workaround != "" {
		text := "Until then: " + d.Workaround
		if d.SideEffect != "" {
			text = strings.TrimSuffix(text, ".") + " (side effect: " + strings.TrimSuffix(d.SideEffect, ".") + ")"
		}
		out = append(out, text)
	}
	return out
}

// About says whether a check of the defect judges elements of a kind.
func (d *Defect) About(kind string) bool {
	return slices.ContainsFunc(d.Checks, func(k Check) bool { return slices.Contains(k.Kind, kind) })
}

// DefectRules gives the defects that can be judged as rules.
func DefectRules(all []Defect) []Rule {
	return rulesOf(all, (*Defect).Rule)
}

// ConditionRules gives the same defects as rules that do not ask for the level.
func ConditionRules(all []Defect) []Rule {
	return rulesOf(all, (*Defect).ConditionRule)
}

func rulesOf(all []Defect, rule func(*Defect) Rule) []Rule {
	var rules []Rule
	for i := range all {
		if len(all[i].Checks) > 0 {
			rules = append(rules, rule(&all[i]))
		}
	}
	return rules
}
