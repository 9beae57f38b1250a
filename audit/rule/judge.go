package rule

import (
	"fmt"
	"slices"
	"strconv"

	"seaworthy/audit/expr"
	"seaworthy/audit/finding"
	"seaworthy/audit/graph"
	"seaworthy/catalog"
	"seaworthy/inventory"
)

// judge asks one check of one element. The finding has no id yet.
func (k *check) judge(s *worker, e *graph.Element, r *catalog.Rule) finding.Finding {
	f := finding.Finding{
		Rule: r.ID, Title: r.Title, Severity: finding.Severity(r.Severity),
		Element: e.Ref(), Class: string(r.Class), Why: r.Why, Effect: r.Effect,
		Sources: r.Sources, Cautions: slices.Clip(r.Cautions),
	}
	if k.Says != "" {
		f.Title = k.Says
	}
	if k.Severity != "" {
		f.Severity = finding.Severity(k.Severity)
	}
	fail := func(err error) finding.Finding {
		f.Verdict = finding.NotAssessed
		f.Missing = []string{fmt.Sprintf("rule %s failed on %s: %v", r.ID, e, err)}
		return f
	}
	s.NextBoot = false
	s.Seen.Clear()
	now, next, err := k.both(s, e)
	if err != nil {
		return fail(err)
	}
	switch {
	case now.Truth == expr.Yes || next.Truth == expr.Yes:
		for _, x := range k.evidence {
			if _, _, err := x.Text(s.Session, e); err != nil {
				return fail(err)
			}
		}
		f.Verdict, f.Evidence = finding.Found, append([]finding.Evidence(nil), s.Seen.Evidence...)
		for _, a := range s.Seen.Drifting {
			s.Claimed[a] = true
		}
		if err := k.describe(s, e, &f, now.Answer, next.Answer); err != nil {
			return fail(err)
		}
	case now.Truth == expr.Unknown:
		f.Verdict, f.Missing = finding.NotAssessed, now.Missing
	case next.Truth == expr.Unknown:
		f.Verdict, f.Missing = finding.NotAssessed, next.Missing
	case now.applies || next.applies:
		if f.Verdict = finding.Pass; s.opts.Passed == nil { // else it is counted, no more
			f.Evidence = append([]finding.Evidence(nil), s.Seen.Evidence...)
		}
	default:
		f.Verdict = finding.NotApplicable
	}
	return f
}

// outcome is what a check says of the values in force, or of the next boot's.
type outcome struct {
	expr.Answer
	applies bool
}

// both decides for the values in force and, if anything looked at will be
// different then, for those of the next boot.
func (k *check) both(s *worker, e *graph.Element) (now, next outcome, err error) {
	if now, err = k.decide(s.Session, e); err != nil || s.opts.InForce || len(s.Seen.Drifting) == 0 {
		return now, now, err
	}
	s.NextBoot = true
	next, err = k.decide(s.Session, e)
	s.NextBoot = false
	return now, next, err
}

// decide asks whether the check applies, then its condition.
func (k *check) decide(s *expr.Session, e *graph.Element) (outcome, error) {
	if k.when != nil {
		if a, err := k.when.Decide(s, e); err != nil || a.Truth != expr.Yes {
			return outcome{Answer: a}, err
		}
	}
	a, err := k.condition.Decide(s, e)
	return outcome{a, true}, err
}

// describe fills in what a finding says beyond its rule.
func (k *check) describe(s *worker, e *graph.Element, f *finding.Finding, now, next expr.Answer) error {
	seen := s.Seen
	// What remedies and grades read is not evidence.
	s.Seen = expr.Trace{}
	s.NextBoot = now.Truth != expr.Yes // where the values in force are right, those of the next boot decide
	defer func() { s.Seen, s.NextBoot = seen, false }()
	grades, err := holding(s.Session, e, k.grades)
	if err != nil {
		return err
	}
	if len(grades) > 0 {
		f.Severity = finding.Severity(k.Grades[grades[0]].Severity)
	}
	if k.Totals != "" && seen.Totals && f.Severity.Rank() < finding.Severity(k.Totals).Rank() {
		f.Severity = finding.Severity(k.Totals)
		f.Cautions = append(f.Cautions, "Counters are totals since they were last reset: a second snapshot shows whether they still grow.")
	}
	if seen.ODM {
		f.Cautions = append(f.Cautions, "A running value was not visible; the value of the ODM was judged.")
	}
	advice, err := holding(s.Session, e, k.advice)
	if err != nil {
		return err
	}
	for _, i := range advice {
		f.Advice = append(f.Advice, k.Advice[i].Text)
	}
	switch {
	case k.Certainty != "":
		f.Certainty = k.Certainty
	case seen.Totals:
		f.Certainty = "likely"
	case seen.Grew:
		f.Certainty = "proved"
	}
	if k.harm != nil {
		text, _, err := k.harm.Text(s.Session, e)
		if err != nil {
			return err
		}
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			f.Harm = min(1, max(0, n))
		}
	}
	if k.affects != nil {
		affected, err := k.affects.Elements(s.Session, e)
		if err != nil {
			return err
		}
		for _, x := range affected {
			if r := x.Ref(); r != f.Element && !slices.Contains(f.Affects, r) {
				f.Affects = append(f.Affects, r)
			}
		}
	}
	if now.Truth != expr.Yes {
		f.Advice = append(f.Advice, "The running value is right; the next boot sets the wrong one.")
	}
	if err := k.resolveRemedy(s, e, f); err != nil || now.Truth != expr.Yes || next.Truth != expr.No {
		return err
	}
	// What waits for the next boot need not wait where it can be set at once.
	f.Remedy = slices.DeleteFunc(f.Remedy, func(x finding.Setting) bool { return !s.dynamic(x) })
	if len(f.Remedy) == 0 {
		f.Advice = append(f.Advice, "The next-boot value is right already. It takes effect when the device is reconfigured, or at the next boot.")
	}
	return nil
}

// holding gives the indexes of the conditions that certainly hold.
func holding(s *expr.Session, e *graph.Element, conditions []*expr.Expression) (which []int, err error) {
	for i, c := range conditions {
		ok, err := c.Holds(s, e)
		if err != nil {
			return nil, err
		}
		if ok {
			which = append(which, i)
		}
	}
	return which, nil
}

// dynamic says whether a setting can take effect now: of a tunable or an
// adapter what is dynamic, of an interface all, since it can be bounced.
func (s *worker) dynamic(x finding.Setting) bool {
	layer := "no"
	if e := s.graph.At(x.Ref); e != nil && (e.Kind != graph.KindTunables || e.Linux()) {
		layer = e.Kind
	}
	if layer == string(inventory.Interface) || layer == string(inventory.SEA) {
		return true
	}
	a, ok := s.Catalog.Attribute(layer, x.Attr)
	return ok && (a.Class == catalog.O0 || a.Class == catalog.O1)
}

// resolveRemedy turns the remedy into settings, without those that hold already.
func (k *check) resolveRemedy(s *worker, e *graph.Element, f *finding.Finding) error {
	for _, m := range k.remedy {
		ok, err := m.when.Holds(s.Session, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		targets := []*graph.Element{e}
		if m.of != nil {
			if targets, err = m.of.Elements(s.Session, e); err != nil {
				return err
			}
		}
		value := m.Value
		if m.value != nil {
			if value, ok, err = m.value.Text(s.Session, e); err != nil {
				return err
			}
			if !ok {
				continue
			}
		}
		for _, t := range targets {
			if !holds(t.Is.Attrs[m.Attr], value) {
				f.Remedy = append(f.Remedy, finding.Setting{Ref: t.Ref(), Attr: m.Attr, Value: value, AtLeast: m.AtLeast})
			}
		}
	}
	return nil
}

// holds says that an attribute has a value now and will after a boot, as far
// as either is known.
func holds(a *inventory.Attr, value string) bool {
	if a == nil || a.Running == nil && a.NextBoot == nil {
		return false
	}
	return (a.Running == nil || *a.Running == value) && (a.NextBoot == nil || *a.NextBoot == value)
}
