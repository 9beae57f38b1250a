package audit

import (
	"fmt"
	"slices"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// judge asks one check of one element. The finding has no id yet.
func (k *check) judge(s *session, e *element, r *catalog.Rule) Finding {
	f := Finding{
		Rule: r.ID, Title: r.Title, Severity: Severity(r.Severity),
		Element: e.ref(), Class: string(r.Class), Why: r.Why, Effect: r.Effect,
		Sources: r.Sources, Cautions: slices.Clip(r.Cautions),
	}
	if k.Says != "" {
		f.Title = k.Says
	}
	if k.Severity != "" {
		f.Severity = Severity(k.Severity)
	}
	fail := func(err error) Finding {
		f.Verdict = NotAssessed
		f.Missing = []string{fmt.Sprintf("rule %s failed on %s: %v", r.ID, e, err)}
		return f
	}
	s.nextBoot = false
	s.seen.reset()
	now, next, err := k.both(s, e)
	if err != nil {
		return fail(err)
	}
	switch {
	case now.truth == yes || next.truth == yes:
		for _, x := range k.evidence {
			if _, err := x.eval(s, e); err != nil {
				return fail(err)
			}
		}
		f.Verdict, f.Evidence = Found, append([]Evidence(nil), s.seen.evidence...)
		s.claim(s.seen.drifting)
		if err := k.describe(s, e, &f, now.answer, next.answer); err != nil {
			return fail(err)
		}
	case now.truth == open:
		f.Verdict, f.Missing = NotAssessed, now.missing
	case next.truth == open:
		f.Verdict, f.Missing = NotAssessed, next.missing
	case now.applies || next.applies:
		if f.Verdict = Pass; s.opts.Passed == nil { // else it is counted, no more
			f.Evidence = append([]Evidence(nil), s.seen.evidence...)
		}
	default:
		f.Verdict = NotApplicable
	}
	return f
}

// outcome is what a check says of the values in force, or of the next boot's.
type outcome struct {
	answer
	applies bool
}

// both decides for the values in force and, if anything looked at will be
// different then, for those of the next boot.
func (k *check) both(s *session, e *element) (now, next outcome, err error) {
	if now, err = k.decide(s, e); err != nil || len(s.seen.drifting) == 0 {
		return now, now, err
	}
	s.nextBoot = true
	next, err = k.decide(s, e)
	s.nextBoot = false
	return now, next, err
}

// decide asks whether the check applies, then its condition.
func (k *check) decide(s *session, e *element) (outcome, error) {
	if k.when != nil {
		if a, err := k.when.decide(s, e); err != nil || a.truth != yes {
			return outcome{answer: a}, err
		}
	}
	a, err := k.condition.decide(s, e)
	return outcome{a, true}, err
}

// describe fills in what a finding says beyond its rule.
func (k *check) describe(s *session, e *element, f *Finding, now, next answer) error {
	seen := s.seen
	// What remedies and grades look at is no evidence.
	s.seen = newTrace()
	s.nextBoot = now.truth != yes // where the values in force are right, those of the next boot decide
	defer func() { s.seen, s.nextBoot = seen, false }()
	for i, g := range k.grades {
		ok, err := g.holds(s, e)
		if err != nil {
			return err
		}
		if ok {
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
		ok, err := c.holds(s, e)
		if err != nil {
			return err
		}
		if ok {
			f.Advice = append(f.Advice, k.Advice[i].Text)
		}
	}
	if k.affects != nil {
		list, err := k.affects.elements(s, e)
		if err != nil {
			return err
		}
		for _, x := range list {
			if r := x.ref(); r != f.Element && !slices.Contains(f.Affects, r) {
				f.Affects = append(f.Affects, r)
			}
		}
	}
	if now.truth != yes {
		f.Advice = append(f.Advice, "The running value is right; the next boot brings the wrong one.")
	}
	if err := k.settle(s, e, f); err != nil || now.truth != yes || next.truth != no {
		return err
	}
	// What waits for the next boot need not wait where it can be set at once.
	f.Remedy = slices.DeleteFunc(f.Remedy, func(x Setting) bool { return !s.dynamic(x) })
	if len(f.Remedy) == 0 {
		f.Advice = append(f.Advice, "The next-boot value is right already. It takes effect when the device is configured again, or at the reboot.")
	}
	return nil
}

// dynamic says whether a setting can take effect now: of a tunable or an
// adapter what is dynamic, of an interface all, since it can be bounced.
func (s *session) dynamic(x Setting) bool {
	layer := "no"
	if e := s.joins.at(x.Ref); e != nil {
		layer = e.Kind
	}
	if layer == string(inventory.Interface) || layer == string(inventory.SEA) {
		return true
	}
	a, ok := s.cat.Attribute(layer, x.Attr)
	return ok && (a.Class == catalog.O0 || a.Class == catalog.O1)
}

// settle turns the remedy into settings, without those that hold already.
func (k *check) settle(s *session, e *element, f *Finding) error {
	for _, m := range k.remedy {
		ok, err := m.when.holds(s, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		targets := []*element{e}
		if m.of != nil {
			if targets, err = m.of.elements(s, e); err != nil {
				return err
			}
		}
		value := m.Value
		if m.value != nil {
			if value, ok, err = m.value.text(s, e); err != nil {
				return err
			}
			if !ok {
				continue
			}
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
