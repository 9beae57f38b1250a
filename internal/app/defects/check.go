package defects

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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

// Verdict is what is known of one defect on one host.
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

// Result is what a check of hosts gives.
type Result struct {
	Hosts    []string  `json:"hosts"`
	Verdicts []Verdict `json:"verdicts"`
	// Unpublished counts, by host, the defects of its platform of which no source gives the levels.
	Unpublished map[string]int `json:"unpublished"`
}

// Bad says that a defect bites or may bite.
func (r *Result) Bad() bool {
	return slices.ContainsFunc(r.Verdicts, func(v Verdict) bool { return v.Verdict == finding.Bites || v.Verdict == finding.MayBite })
}

// Check holds every host against every defect, those that bite first.
func Check(ctx context.Context, fleet *model.Fleet, all []knowledge.Defect) (*Result, error) {
	set, err := rule.Compile(knowledge.DefectRules(all))
	if err != nil {
		return nil, err
	}
	found, err := set.Run(ctx, fleet, rule.Options{})
	if err != nil {
		return nil, err
	}
	r := &Result{Hosts: []string{}, Verdicts: []Verdict{}, Unpublished: map[string]int{}}
	for _, h := range fleet.Hosts {
		r.Hosts = append(r.Hosts, h.Name)
		for i := range all {
			r.judge(&all[i], h, found)
		}
	}
	slices.SortStableFunc(r.Verdicts, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)), model.Natural(a.Host, b.Host))
	})
	return r, nil
}

// judge adds the verdicts on one defect of one host: one for each element at which its
// conditions hold, else what is known of the level.
func (r *Result) judge(d *knowledge.Defect, h *model.Host, found []finding.Finding) {
	v := Verdict{Defect: d.ID, Title: d.Title, Host: h.Name, Needs: d.Needs, Harm: d.Harm, Advice: d.Advice(), Source: d.Source.Title}
	named := false
	for _, f := range found {
		if f.Rule == d.ID && f.Element.Host == h.Name && f.Verdict == finding.Found {
			x := v
			x.Element, x.Verdict, x.Evidence, x.Why = f.Element.Element, f.Defect, f.Evidence, "its conditions hold"
			r.Verdicts = append(r.Verdicts, x)
			named = true
		}
	}
	if named {
		return
	}
	level := defect.LevelOf(d, h)
	v.Why, v.Command = level.Why, level.Command
	switch level.State {
	case defect.NotAffected:
		return
	case defect.Cured:
		v.Verdict = Cured
	case defect.Affected:
		v.Verdict = HasIt
		v.Why = fmt.Sprintf("%s; no setting that was read makes it bite", level.Why)
		if len(d.Checks) == 0 {
			v.Why = level.Why + "; its conditions are not judged, look at them yourself"
		}
	case defect.NotRead:
		v.Verdict = NotRead
		if level.Command == "" {
			r.Unpublished[h.Name]++
			return
		}
	}
	r.Verdicts = append(r.Verdicts, v)
}
