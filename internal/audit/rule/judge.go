package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/audit/defect"
	"seaworthy/internal/audit/expr"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// judge holds a rule against an element; false if it asks nothing of its kind.
func (w *worker) judge(r *knowledge.Rule, e *graph.Element) (finding.Finding, bool) {
	w.parts = w.parts[:0]
	for i := range r.Checks {
		if slices.Contains(r.Checks[i].Kind, e.Kind) {
			w.parts = append(w.parts, w.ask(r, &r.Checks[i], e))
		}
	}
	switch len(w.parts) {
	case 0:
		return finding.Finding{}, false
	case 1:
		return w.parts[0], true
	}
	return combine(w.parts), true
}

// ask asks one check of one element. The finding has no id yet.
func (w *worker) ask(r *knowledge.Rule, k *knowledge.Check, e *graph.Element) finding.Finding {
	f := finding.Finding{
		Rule: r.ID, Title: cmp.Or(k.Says, r.Title), Severity: finding.Severity(cmp.Or(k.Severity, r.Severity)),
		Element: e.Ref(), Class: string(r.Class), Why: r.Why, Effect: r.Effect,
		Sources: r.Sources, Cautions: slices.Clip(r.Cautions), Known: r.Known != nil,
	}
	if r.ByLevel {
		excluded := w.excludes(r.Known, e.Of)
		if excluded {
			f.Verdict = finding.NotApplicable
			return f
		}
	}
	w.NextBoot, w.Failed = false, nil
	w.Seen.Clear()
	now := w.decide(k, e)
	next := now
	if !w.opts.InForce && len(w.Seen.Drifting) > 0 { // what was looked at will be different then
		w.NextBoot = true
		next = w.decide(k, e)
		w.NextBoot = false
	}
	switch {
	case w.Failed != nil:
	case now.Truth == expr.Yes || next.Truth == expr.Yes:
		for _, text := range k.Evidence {
			w.of(expr.Value, text).Text(w.Session, e)
		}
		f.Verdict, f.Evidence = finding.Found, append([]finding.Evidence(nil), w.Seen.Evidence...)
		for _, a := range w.Seen.Drifting {
			w.Claimed[a] = true
		}
		w.describe(r, k, e, &f, now.Answer, next.Answer)
	case now.Truth == expr.Unknown:
		f.Verdict, f.Missing = finding.NotAssessed, now.Missing
	case next.Truth == expr.Unknown:
		f.Verdict, f.Missing = finding.NotAssessed, next.Missing
	case now.applies || next.applies:
		f.Verdict = finding.Pass
		if w.opts.Passed == nil { // else it is counted, no more
			f.Evidence = append([]finding.Evidence(nil), w.Seen.Evidence...)
		}
	default:
		f.Verdict = finding.NotApplicable
	}
	if w.Failed != nil {
		f.Verdict, f.Missing = finding.NotAssessed, []string{fmt.Sprintf("rule %s failed on %s: %v", r.ID, e, w.Failed)}
	}
	return f
}

// excludes says whether the level of a host does not have a known defect, or is cured of it. It saves
// asking for the conditions of most defects on most hosts.
func (w *worker) excludes(d *knowledge.Defect, h *model.Host) bool {
	if w.levelsOf != h {
		w.levelsOf = h
		w.levels = map[string]bool{}
	}
	excluded, known := w.levels[d.ID]
	if !known {
		level := defect.LevelOf(d, h)
		excluded = level.State == defect.NotAffected || level.State == defect.Cured
		w.levels[d.ID] = excluded
	}
	return excluded
}

// of is an expression of a check, compiled.
func (w *worker) of(kind expr.Kind, text string) *expr.Expression {
	return w.set.compiled[source{kind, text}]
}

// holds says whether a condition is certainly true; one that is left out is.
func (w *worker) holds(condition string, e *graph.Element) bool {
	return condition == "" || w.of(expr.Condition, condition).Decide(w.Session, e).Truth == expr.Yes
}

// outcome holds what a check says of the values in force, or of the next boot's.
type outcome struct {
	expr.Answer
	applies bool
}

// decide asks whether the check applies, then its condition.
func (w *worker) decide(k *knowledge.Check, e *graph.Element) outcome {
	if k.When != "" {
		if a := w.of(expr.Condition, k.When).Decide(w.Session, e); a.Truth != expr.Yes {
			return outcome{Answer: a}
		}
	}
	return outcome{w.of(expr.Condition, k.Condition).Decide(w.Session, e), true}
}

// describe fills in what a finding says beyond its rule.
func (w *worker) describe(r *knowledge.Rule, k *knowledge.Check, e *graph.Element, f *finding.Finding, now, next expr.Answer) {
	seen := w.Seen
	// What remedies and grades read is not evidence.
	w.Seen = expr.Trace{}
	w.NextBoot = now.Truth != expr.Yes // where the values in force are right, those of the next boot decide
	defer func() { w.Seen, w.NextBoot = seen, false }()
	w.grade(k, e, f, seen.Totals)
	if seen.ODM {
		f.Cautions = append(f.Cautions, "A running value was not visible; the value of the ODM was judged.")
	}
	if r.Known != nil {
		w.showsDefect(r, k, e, f)
	}
	for _, a := range k.Advice {
		if w.holds(a.When, e) {
			f.Advice = append(f.Advice, a.Text)
		}
	}
	switch {
	case k.Certainty != "":
		f.Certainty = k.Certainty
	case seen.Totals:
		f.Certainty = "likely"
	case seen.Grew:
		f.Certainty = "proved"
	}
	w.weigh(k, e, f)
	if k.Affects != "" {
		for _, x := range w.of(expr.Related, k.Affects).Elements(w.Session, e) {
			if r := x.Ref(); r != f.Element && !slices.Contains(f.Affects, r) {
				f.Affects = append(f.Affects, r)
			}
		}
	}
	if now.Truth != expr.Yes {
		f.Advice = append(f.Advice, "The running value is right; the next boot sets the wrong one.")
	}
	f.Remedy = w.remedy(k, e)
	if now.Truth != expr.Yes || next.Truth != expr.No {
		return
	}
	// What waits for the next boot need not wait where it can be set at once.
	f.Remedy = slices.DeleteFunc(f.Remedy, func(x finding.Setting) bool { return !w.dynamic(x) })
	if len(f.Remedy) == 0 {
		f.Advice = append(f.Advice, "The next-boot value is right already. It takes effect when the device is reconfigured, or at the next boot.")
	}
}

// weigh says which share of a stream's throughput it costs.
func (w *worker) weigh(k *knowledge.Check, e *graph.Element, f *finding.Finding) {
	if k.Harm == "" {
		return
	}
	text, _ := w.of(expr.Value, k.Harm).Text(w.Session, e)
	n, _ := strconv.ParseFloat(text, 64) // 0 if it is not known
	f.Harm = min(1, max(0, n))
}

// grade sets how severe a finding is; totals: it rests on counters whose growth is not known.
func (w *worker) grade(k *knowledge.Check, e *graph.Element, f *finding.Finding, totals bool) {
	if i := slices.IndexFunc(k.Grades, func(g knowledge.Grade) bool { return w.holds(g.When, e) }); i >= 0 {
		f.Severity = finding.Severity(k.Grades[i].Severity)
	}
	if k.Totals != "" && totals && f.Severity.Rank() < finding.Severity(k.Totals).Rank() {
		f.Severity = finding.Severity(k.Totals)
		f.Cautions = append(f.Cautions, "Counters are totals since they were last reset: a second snapshot shows whether they still grow.")
	}
	f.Rare = k.Rare != "" && totals && w.holds(k.Rare, e)
	if f.Rare && f.Severity.Rank() < finding.Low.Rank() {
		f.Severity = finding.Low
	}
}

// showsDefect says whether a known defect left a sign. One that could have and did not
// is less severe, unless it destroys data; one of which the level is not known may bite, whatever the sign.
func (w *worker) showsDefect(r *knowledge.Rule, k *knowledge.Check, e *graph.Element, f *finding.Finding) {
	f.Defect = finding.MayBite
	if k.Sign == "" {
		return
	}
	switch w.of(expr.Condition, k.Sign).Decide(w.Session, e).Truth {
	case expr.Yes:
		f.Signed, f.Specific = true, k.SpecificSign != "" && w.holds(k.SpecificSign, e)
		switch level := defect.LevelOf(r.Known, e.Of); {
		case level.State == defect.Affected:
			f.Defect = finding.Bites
		case !f.Specific && !level.Unpublished && f.Severity != finding.Critical && f.Severity.Rank() < finding.Low.Rank():
			f.Severity = finding.Low // other causes leave the same sign, and the level was not read
		}
		for _, e := range w.Seen.Evidence {
			if !slices.Contains(f.Evidence, e) {
				f.Evidence = append(f.Evidence, e)
			}
		}
	case expr.No:
		if f.Severity != finding.Critical {
			f.Severity = f.Severity.Below()
		}
	}
}

// dynamic says whether a setting can take effect now: of a tunable or an
// adapter what is dynamic, of an interface all, since it can be bounced.
func (w *worker) dynamic(x finding.Setting) bool {
	layer, class := w.outage(x)
	if layer == string(model.Interface) || layer == string(model.SEA) {
		return true
	}
	return class == knowledge.O0 || class == knowledge.O1
}

// outage is the outage class of a setting, empty if it is not known, and the layer of its attribute.
func (w *worker) outage(x finding.Setting) (layer string, class knowledge.Class) {
	layer, driver := "no", ""
	if e := w.graph.At(x.Ref); e != nil && (e.Kind != graph.KindTunables || e.Linux()) {
		layer, driver = e.Kind, e.Is.Driver
	}
	a, ok := w.Catalog.Attribute(layer, x.Attr)
	if !ok {
		return layer, ""
	}
	return layer, a.ClassOf(driver)
}

// class is the outage class of what a finding wants set: the rule's where nothing is, where it stands for work at
// the switch, and where the class of a setting is not known.
func (w *worker) class(r *knowledge.Rule, settings []finding.Setting) string {
	if len(settings) == 0 || r.Class == knowledge.O6 {
		return string(r.Class)
	}
	most := knowledge.O0
	for _, x := range settings {
		_, class := w.outage(x)
		if class == "" {
			return string(r.Class)
		}
		most = max(most, class)
	}
	return string(most)
}

// remedy returns what to set, without what holds already.
func (w *worker) remedy(k *knowledge.Check, e *graph.Element) (all []finding.Setting) {
	for _, m := range k.Remedy {
		if !w.holds(m.When, e) {
			continue
		}
		targets, value := []*graph.Element{e}, m.Value
		if m.Of != "" {
			targets = w.of(expr.Related, m.Of).Elements(w.Session, e)
		}
		if text, computed := strings.CutPrefix(value, "="); computed {
			var known bool
			value, known = w.of(expr.Value, text).Text(w.Session, e)
			if !known {
				continue
			}
		}
		for _, t := range targets {
			if !holds(t.Is.Attrs[m.Attr], value) {
				all = append(all, finding.Setting{Ref: t.Ref(), Attr: m.Attr, Value: value, AtLeast: m.AtLeast})
			}
		}
	}
	return all
}

// holds says that an attribute has a value now and will after a boot, as far
// as either is known.
func holds(a *model.Attr, value string) bool {
	if a == nil || a.Running == nil && a.NextBoot == nil {
		return false
	}
	return (a.Running == nil || *a.Running == value) && (a.NextBoot == nil || *a.NextBoot == value)
}
