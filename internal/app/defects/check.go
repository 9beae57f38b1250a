package defects

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"seaworthy/internal/audit/defect"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Verdicts on a defect, beside finding.Bites and finding.MayBite.
const (
	HasIt   = "has it"         // the level has it; its conditions do not hold, or are not judged
	Cured   = "cured"          // a fix is installed
	NotRead = "level not read" // or a condition: Why says what is missing
)

var order = []string{finding.Bites, finding.MayBite, HasIt, NotRead, Cured}

// Verdict holds what is known of one defect on one host.
type Verdict struct {
	Defect   string             `json:"defect"`
	Title    string             `json:"title"`
	Host     string             `json:"host"`
	Element  string             `json:"element,omitempty"` // at which its conditions hold
	Verdict  string             `json:"verdict"`
	Why      string             `json:"why"`
	Command  string             `json:"command,omitempty"` // prints what decided, or what is missing
	Needs    string             `json:"needs"`
	Harm     string             `json:"harm"`
	Advice   []string           `json:"advice,omitempty"` // cure, then workaround
	Source   string             `json:"source"`
	Evidence []finding.Evidence `json:"evidence,omitempty"`
}

// Result holds what a check of hosts gives.
type Result struct {
	Hosts    []string  `json:"hosts"`
	Verdicts []Verdict `json:"verdicts"`
}

// Bad says that a defect bites or may bite.
func (r *Result) Bad() bool {
	return slices.ContainsFunc(r.Verdicts, func(v Verdict) bool { return v.Verdict == finding.Bites || v.Verdict == finding.MayBite })
}

// Check holds every host against every defect, those that bite first.
func Check(ctx context.Context, fleet *model.Fleet, all []knowledge.Defect) (*Result, error) {
	found, err := findings(ctx, fleet, knowledge.DefectRules(all))
	if err != nil {
		return nil, err
	}
	conditions, err := findings(ctx, fleet, knowledge.ConditionRules(all))
	if err != nil {
		return nil, err
	}
	r := &Result{Hosts: []string{}, Verdicts: []Verdict{}}
	for _, h := range fleet.Hosts {
		r.Hosts = append(r.Hosts, h.Name)
		for i := range all {
			at := onHost{all[i].ID, h.Name}
			r.judge(&all[i], h, found[at], conditions[at])
		}
	}
	slices.SortStableFunc(r.Verdicts, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)), model.Natural(a.Host, b.Host))
	})
	return r, nil
}

// onHost is a defect on a host.
type onHost struct{ defect, host string }

// findings are those that rules made of defects have, and what they could not assess.
func findings(ctx context.Context, fleet *model.Fleet, rules []knowledge.Rule) (map[onHost][]finding.Finding, error) {
	set, err := rule.Compile(rules)
	if err != nil {
		return nil, err
	}
	all, err := set.Run(ctx, fleet, rule.Options{})
	if err != nil {
		return nil, err
	}
	out := map[onHost][]finding.Finding{}
	for _, f := range all {
		if f.Verdict == finding.Found || f.Verdict == finding.NotAssessed {
			at := onHost{f.Rule, f.Element.Host}
			out[at] = append(out[at], f)
		}
	}
	return out, nil
}

// judge adds the verdicts on one defect of one host: one for each element at which it bites or may,
// else what is known of the level and of the conditions.
func (r *Result) judge(d *knowledge.Defect, h *model.Host, found, conditions []finding.Finding) {
	v := Verdict{Defect: d.ID, Title: d.Title, Host: h.Name, Needs: d.Needs, Harm: d.Harm, Advice: d.Advice(), Source: d.Source.Title}
	level := defect.LevelOf(d, h)
	v.Why, v.Command = level.Why, level.Command
	named := false
	for _, f := range found {
		if f.Verdict == finding.Found {
			x := v
			x.Element, x.Evidence, x.Verdict = f.Element.Element, f.Evidence, f.Defect
			r.Verdicts = append(r.Verdicts, x)
			named = true
		}
	}
	// An interim fix that is installed is named even where nothing was read that it is about.
	concerned := len(d.Checks) == 0 || len(conditions) > 0 || level.State == defect.Cured && level.Command == defect.InterimFixes
	if named || level.State == defect.NotAffected || !concerned && level.State != defect.Affected {
		return
	}
	unknown := slices.IndexFunc(conditions, func(f finding.Finding) bool { return f.Verdict == finding.NotAssessed })
	switch {
	case level.State == defect.Cured:
		v.Verdict = Cured
	case level.State == defect.NotRead:
		v.Verdict = NotRead
	case len(d.Checks) == 0:
		v.Verdict = HasIt
		v.Why = level.Why + "; its conditions are not judged, look at them yourself"
	case unknown >= 0:
		v.Verdict = NotRead
		v.Why, v.Command = level.Why+"; not known: "+strings.Join(conditions[unknown].Missing, "; "), ""
	default:
		v.Verdict = HasIt
		v.Why = level.Why + "; no setting that was read makes it bite"
	}
	r.Verdicts = append(r.Verdicts, v)
}
