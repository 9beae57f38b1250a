package report_test

import (
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/ui/report"
)

// An audit in which no check could run says so first, and what to save; it never says that there are no findings.
func TestNothingJudged(t *testing.T) {
	lacking := finding.Finding{Rule: "R115", Verdict: finding.NotAssessed, Missing: []string{"rx_missed_errors"}}
	passed := finding.Finding{Rule: "R116", Verdict: finding.Pass}
	for _, c := range []struct {
		findings []finding.Finding
		want     bool
	}{{[]finding.Finding{lacking}, true}, {[]finding.Finding{lacking, passed}, false}, {nil, false}} {
		a := report.Audited{Findings: c.findings, Platforms: []string{"linux", "linux"}}
		if got := a.NothingJudged(); got != c.want {
			t.Errorf("%d findings: nothing judged is %t, want %t", len(c.findings), got, c.want)
		}
		text := strings.Join(a.Summary(), " ")
		if strings.Contains(text, "No findings") == c.want {
			t.Errorf("%d findings: the summary is %q", len(c.findings), text)
		}
	}
}
