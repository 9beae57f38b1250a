package findings

import (
	"slices"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
)

// Schema names the format of a Document.
const Schema = "seaworthy.findings/1"

// Document is the result of an audit as programs read it. Its lists are never nil.
type Document struct {
	Schema   string            `json:"schema"`
	Version  string            `json:"version"` // of the program
	Time     time.Time         `json:"time"`    // of the audit
	Failed   []fleet.Failure   `json:"failed"`  // hosts that were not read, or not to their end
	Hosts    []string          `json:"hosts"`
	Findings []finding.Finding `json:"findings"` // verdict FINDING, most severe first
	Notes    []finding.Finding `json:"notes"`    // the same of severity info: worth knowing, nothing wrong
	Groups   []finding.Group   `json:"groups"`   // findings and notes by cause, those of greatest impact first
	Others   []finding.Finding `json:"not_assessed"`
	Waived   []waiver.Waived   `json:"waived"`   // findings that the site accepts
	Waivers  []string          `json:"waivers"`  // waivers that do not work: expired, or matching nothing
	Compared []growth.Interval `json:"compared"` // hosts whose counters are compared with an earlier snapshot
	Gone     []finding.Finding `json:"gone"`     // found in the earlier snapshot, and no more
	Lost     []finding.Finding `json:"lost"`     // found there, and not assessed now
	Passed   int               `json:"passed"`
	Gaps     []Gap             `json:"gaps"` // what a host did not report
	// LevelsNotRead are known defects that may bite, and what has to be asked to know.
	LevelsNotRead []rule.UnreadLevel `json:"levels_not_read,omitempty"`
}

// Gap is something that a host did not report.
type Gap struct {
	Host string `json:"host"`
	model.Gap
}

// Result is a Document with what it was made of.
type Result struct {
	Document
	All     []finding.Finding // Findings, Notes and Others in one list
	Path    *model.Path       // that alone is reported on; nil: everything is
	Reading *fleet.Reading
	Rules   *rule.Set
}

// document sorts findings into their lists. They come sorted by verdict and
// severity, so that each list is a part of the whole.
func document(got *fleet.Reading, all []finding.Finding) Document {
	d := Document{Schema: Schema, Time: time.Now().UTC(), Failed: got.Failed, Hosts: []string{}, Gaps: []Gap{},
		Waived: []waiver.Waived{}, Waivers: []string{}, Compared: []growth.Interval{}}
	if got.Before != nil {
		d.Compared = append(d.Compared, growth.Intervals(got.Fleet, got.Before)...)
	}
	for _, h := range got.Fleet.Hosts {
		d.Hosts = append(d.Hosts, h.Name)
		for _, g := range h.Gaps {
			d.Gaps = append(d.Gaps, Gap{h.Name, g})
		}
	}
	rest := all
	d.Findings, rest = leading(rest, func(x finding.Finding) bool { return x.Verdict == finding.Found && x.Severity != finding.Info })
	d.Notes, rest = leading(rest, func(x finding.Finding) bool { return x.Verdict == finding.Found })
	d.Others, _ = leading(rest, func(x finding.Finding) bool { return x.Verdict == finding.NotAssessed })
	d.Groups = finding.Groups(all)
	if d.Groups == nil {
		d.Groups = []finding.Group{}
	}
	return d
}

// leading splits a list after the leading findings that belong to a kind; the
// first part is never nil.
func leading(all []finding.Finding, belongs func(finding.Finding) bool) (first, rest []finding.Finding) {
	n := slices.IndexFunc(all, func(x finding.Finding) bool { return !belongs(x) })
	if n < 0 {
		n = len(all)
	}
	if n == 0 {
		return []finding.Finding{}, all
	}
	return all[:n:n], all[n:]
}
