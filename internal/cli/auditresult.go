package cli

import (
	"slices"
	"strings"
	"time"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

// SchemaFindings names the format of audit -f json.
const SchemaFindings = "seaworthy.findings/1"

// findings is what audit prints as JSON.
type findings struct {
	Schema   string            `json:"schema"`
	Version  string            `json:"version"` // of the program
	Time     time.Time         `json:"time"`    // of the audit
	Failed   []failedHost      `json:"failed"`  // hosts that were not read, or not to their end
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
	Gaps     []hostGap         `json:"gaps"` // what a host did not report

	ticket  func(*report.Document)
	title   string
	summary []string
	drawing *drawing.Drawing
}

// PageTitle heads the page of -f html.
func (f findings) PageTitle() string { return f.title }

// PageSummary says what the audit comes to.
func (f findings) PageSummary() []string { return f.summary }

// Drawing is the path of --path with its findings; nil without one.
func (f findings) Drawing() *drawing.Drawing { return f.drawing }

// Ticket prints the text for a ticket.
func (f findings) Ticket(p *report.Document) { f.ticket(p) }

type hostGap struct {
	Host string `json:"host"`
	model.Gap
}

type failedHost struct {
	Host  string `json:"host,omitempty"` // not known if its folder is broken
	Error string `json:"error"`
}

// summary sorts findings into their lists. They come sorted by verdict and
// severity, so that each list is a part of the whole.
func summary(got *fleet, all []finding.Finding, passed int) findings {
	f := findings{Schema: SchemaFindings, Version: command.Built().ID(), Time: time.Now().UTC(), Failed: got.failed,
		Hosts: []string{}, Passed: passed, Gaps: []hostGap{},
		Waived: []waiver.Waived{}, Waivers: []string{}, Compared: []growth.Interval{}}
	if got.before != nil {
		f.Compared = append(f.Compared, growth.Intervals(got.fleet, got.before)...)
	}
	for _, h := range got.fleet.Hosts {
		f.Hosts = append(f.Hosts, h.Name)
		for _, g := range h.Gaps {
			f.Gaps = append(f.Gaps, hostGap{h.Name, g})
		}
	}
	rest := all
	take := func(belongs func(finding.Finding) bool) []finding.Finding {
		n := slices.IndexFunc(rest, func(x finding.Finding) bool { return !belongs(x) })
		if n < 0 {
			n = len(rest)
		}
		list := rest[:n:n]
		rest = rest[n:]
		if list == nil {
			list = []finding.Finding{} // printed as [], not as null
		}
		return list
	}
	f.Findings = take(func(x finding.Finding) bool { return x.Verdict == finding.Found && x.Severity != finding.Info })
	f.Notes = take(func(x finding.Finding) bool { return x.Verdict == finding.Found })
	f.Others = take(func(x finding.Finding) bool { return x.Verdict == finding.NotAssessed })
	if f.Groups = finding.Groups(all); f.Groups == nil {
		f.Groups = []finding.Group{}
	}
	return f
}

// verdict turns findings into an exit status. A host that could not be read
// makes a clean audit inconclusive: silence is not health.
func (a *app) verdict(got *fleet, all []finding.Finding, failOn string) error {
	level, fresh := strings.CutPrefix(failOn, onlyNew)
	if failOn != "never" {
		for _, f := range all {
			if f.Verdict == finding.Found && f.Severity.AtLeast(finding.Severity(level)) && (!fresh || f.Change != diff.Still) {
				return command.Exit(command.ExitNo, nil)
			}
		}
	}
	if len(got.failed) > 0 {
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}
