package audit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/expr-lang/expr"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// judge asks one check of one element.
func (k *check) judge(s *session, e *element, r catalog.Rule) Finding {
	f := Finding{
		ID: r.ID + "/" + e.ref().String(), Rule: r.ID, Title: r.Title, Severity: Severity(r.Severity),
		Element: e.ref(), Class: string(r.Class), Why: r.Why, Effect: r.Effect,
		Sources: r.Sources, Cautions: slices.Clone(r.Cautions),
	}
	if k.Says != "" {
		f.Title = k.Says
	}
	if k.Severity != "" {
		f.Severity = Severity(k.Severity)
	}
	env := s.words
	env["el"] = e
	fail := func(err error) Finding {
		f.Verdict = NotAssessed
		f.Missing = []string{fmt.Sprintf("rule %s failed on %s: %v", r.ID, e, err)}
		return f
	}
	s.nextBoot, s.seen = false, newTrace()
	if k.when != nil {
		a, err := k.when.decide(env)
		switch {
		case err != nil:
			return fail(err)
		case a.truth == no:
			f.Verdict = NotApplicable
			return f
		case a.truth == open:
			f.Verdict, f.Missing = NotAssessed, a.missing
			return f
		}
	}
	now, next, err := k.both(s, env)
	if err != nil {
		return fail(err)
	}
	f.Evidence = s.seen.evidence
	switch {
	case now.truth == yes || next.truth == yes:
		f.Verdict = Found
		if err := k.describe(s, env, &f, now, next); err != nil {
			return fail(err)
		}
	case now.truth == open:
		f.Verdict, f.Missing = NotAssessed, now.missing
	case next.truth == open:
		f.Verdict, f.Missing = NotAssessed, next.missing
	default:
		f.Verdict = Pass
	}
	return f
}

// both decides the condition for the values in force and, if anything it
// looked at will be different then, for those of the next boot.
func (k *check) both(s *session, env map[string]any) (now, next answer, err error) {
	if now, err = k.condition.decide(env); err != nil || !s.seen.drift {
		return now, now, err
	}
	s.nextBoot = true
	next, err = k.condition.decide(env)
	s.nextBoot = false
	return now, next, err
}

// describe fills in what a finding says beyond its rule.
func (k *check) describe(s *session, env map[string]any, f *Finding, now, next answer) error {
	seen := s.seen
	// What remedies and grades look at is no evidence.
	s.seen = newTrace()
	defer func() { s.seen = seen }()
	for i, g := range k.grades {
		a, err := g.decide(env)
		if err != nil {
			return err
		}
		if a.truth == yes {
			f.Severity = Severity(k.Grades[i].Severity)
			break
		}
	}
	if k.Totals != "" && seen.totals && rank(f.Severity) < rank(Severity(k.Totals)) {
		f.Severity = Severity(k.Totals)
		f.Cautions = append(f.Cautions, "Counters are totals since they were last reset: a second snapshot tells whether they still grow.")
	}
	if seen.odm {
		f.Cautions = append(f.Cautions, "A running value was not visible; the value of the ODM was judged.")
	}
	for i, c := range k.advice {
		if c != nil {
			a, err := c.decide(env)
			if err != nil {
				return err
			}
			if a.truth != yes {
				continue
			}
		}
		f.Advice = append(f.Advice, k.Advice[i].Text)
	}
	if k.affects != nil {
		list, err := elementsOf(k.affects, env)
		if err != nil {
			return err
		}
		for _, e := range list {
			if r := e.ref(); r != f.Element && !slices.Contains(f.Affects, r) {
				f.Affects = append(f.Affects, r)
			}
		}
	}
	switch {
	case now.truth == yes && next.truth == no:
		f.Advice = append(f.Advice, "The next-boot value is right already. It takes effect when the device is configured again, or at the reboot.")
		return nil
	case now.truth != yes:
		f.Advice = append(f.Advice, "The running value is right; the next boot brings the wrong one.")
	}
	return k.settle(s, env, f)
}

// settle turns the remedy into settings, without those that hold already.
func (k *check) settle(s *session, env map[string]any, f *Finding) error {
	for _, m := range k.remedy {
		if m.when != nil {
			a, err := m.when.decide(env)
			if err != nil {
				return err
			}
			if a.truth != yes {
				continue
			}
		}
		targets := []*element{env["el"].(*element)}
		if m.of != nil {
			var err error
			if targets, err = elementsOf(m.of, env); err != nil {
				return err
			}
		}
		value := m.Value
		if m.value != nil {
			v, err := expr.Run(m.value, env)
			if u := (*unknown)(nil); errors.As(err, &u) {
				continue
			}
			if err != nil {
				return err
			}
			value = fmt.Sprint(v)
		}
		for _, t := range targets {
			if !holds(t.is.Attrs[m.Attr], value) {
				f.Remedy = append(f.Remedy, Setting{Ref: t.ref(), Attr: m.Attr, Value: value})
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
