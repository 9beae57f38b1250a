package cli

import (
	"slices"

	"seaworthy/audit"
	"seaworthy/audit/waiver"
	"seaworthy/cli/command"
	"seaworthy/inventory"
	"seaworthy/report"
)

// SchemaFindings names the format of audit -f json.
const SchemaFindings = "seaworthy.findings/1"

// findings is what audit prints as JSON.
type findings struct {
	Schema   string           `json:"schema"`
	Hosts    []string         `json:"hosts"`
	Findings []audit.Finding  `json:"findings"` // verdict FINDING, most severe first
	Notes    []audit.Finding  `json:"notes"`    // the same of severity info: worth knowing, nothing wrong
	Groups   []audit.Group    `json:"groups"`   // findings and notes by cause, those of greatest impact first
	Others   []audit.Finding  `json:"not_assessed"`
	Waived   []waiver.Waived  `json:"waived"`   // findings that the site accepts
	Waivers  []string         `json:"waivers"`  // waivers that do not work: expired, or matching nothing
	Compared []audit.Interval `json:"compared"` // hosts whose counters are compared with an earlier snapshot
	Passed   int              `json:"passed"`
	Gaps     []hostGap        `json:"gaps"` // what a host did not report
	Failed   []failedHost     `json:"failed"`

	ticket func(*report.Printer)
}

// Ticket prints the text for a ticket.
func (f findings) Ticket(p *report.Printer) { f.ticket(p) }

type hostGap struct {
	Host string `json:"host"`
	inventory.Gap
}

type failedHost struct {
	Host  string `json:"host,omitempty"` // not known if its folder is broken
	Error string `json:"error"`
}

// summary sorts findings into their lists. They come sorted by verdict and
// severity, so that each list is a part of the whole.
func summary(got *fleet, all []audit.Finding, passed int) findings {
	f := findings{Schema: SchemaFindings, Hosts: []string{}, Passed: passed, Gaps: []hostGap{}, Failed: got.failed,
		Waived: []waiver.Waived{}, Waivers: []string{}, Compared: []audit.Interval{}}
	if got.before != nil {
		f.Compared = append(f.Compared, audit.Intervals(got.fleet, got.before)...)
	}
	for _, h := range got.fleet.Hosts {
		f.Hosts = append(f.Hosts, h.Name)
		for _, g := range h.Gaps {
			f.Gaps = append(f.Gaps, hostGap{h.Name, g})
		}
	}
	rest := all
	take := func(belongs func(audit.Finding) bool) []audit.Finding {
		n := slices.IndexFunc(rest, func(x audit.Finding) bool { return !belongs(x) })
		if n < 0 {
			n = len(rest)
		}
		list := rest[:n:n]
		rest = rest[n:]
		if list == nil {
			list = []audit.Finding{} // printed as [], not as null
		}
		return list
	}
	f.Findings = take(func(x audit.Finding) bool { return x.Verdict == audit.Found && x.Severity != audit.Info })
	f.Notes = take(func(x audit.Finding) bool { return x.Verdict == audit.Found })
	f.Others = take(func(x audit.Finding) bool { return x.Verdict == audit.NotAssessed })
	if f.Groups = audit.Groups(all); f.Groups == nil {
		f.Groups = []audit.Group{}
	}
	return f
}

// verdict turns findings into an exit status. A host that could not be read
// makes a clean audit inconclusive: silence is not health.
func (a *app) verdict(got *fleet, all []audit.Finding, failOn string) error {
	if failOn != "never" {
		for _, f := range all {
			if f.Verdict == audit.Found && f.Severity.AtLeast(audit.Severity(failOn)) {
				return command.Exit(command.ExitNo, nil)
			}
		}
	}
	if len(got.failed) > 0 {
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}
