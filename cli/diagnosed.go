package cli

import (
	"fmt"

	"seaworthy/audit/finding"
	"seaworthy/change/pathmtu"
	"seaworthy/diagnose"
	"seaworthy/inventory"
	"seaworthy/report"
	"seaworthy/report/drawing"
)

// diagnosed is a diagnosis as it is printed, with what it judged.
type diagnosed struct {
	*diagnose.Diagnosis
	in diagnose.Input
}

// PageTitle heads the page of -f html.
func (d diagnosed) PageTitle() string { return fmt.Sprintf("%s → %s: why it is slow", d.From, d.To) }

// PageSummary names the causes.
func (d diagnosed) PageSummary() []string { return report.Diagnosed(d.Diagnosis) }

// severities of causes in a drawing, by their certainty.
var severities = map[string]finding.Severity{"proved": finding.High, "likely": finding.Medium, "possible": finding.Low}

// Drawing is the path with the causes as notes, and the largest packet that was
// seen to pass both ways; nil if an end was not reached.
func (d diagnosed) Drawing() *drawing.Drawing {
	if d.in.Path == nil {
		return nil
	}
	var o drawing.Options
	for _, c := range d.Causes {
		o.Findings = append(o.Findings, finding.Finding{Verdict: finding.Found, Severity: severities[c.Certainty], Rule: c.ID, Title: c.Title,
			Element: inventory.Ref{Host: c.Host, Element: c.Element}})
	}
	ways := 0
	for _, m := range d.Measured {
		if m.MTU == nil || m.MTU.Verdict != pathmtu.Whole {
			continue
		}
		ways++
		if o.Proved == 0 || m.MTU.Largest < o.Proved {
			o.Proved = m.MTU.Largest
		}
	}
	if ways < 2 { // one direction is no proof of the other
		o.Proved = 0
	}
	return drawing.Path(d.in.Fleet, d.in.Path, o)
}
