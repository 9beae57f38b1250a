package report_test

import (
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
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

// An audit of which most checks lacked outputs gives one block to paste for each platform, beside what it found.
func TestMostlyLacking(t *testing.T) {
	lacking := finding.Finding{Rule: "R115", Verdict: finding.NotAssessed, Missing: []string{"rx_missed_errors"}}
	for passed, want := range map[int]bool{1: true, 5: false} {
		a := report.Audited{Findings: []finding.Finding{lacking, lacking}, Passed: passed, Platforms: []string{"linux", "vios", "aix"}}
		var d report.Document
		report.Audit(&d, a)
		var b strings.Builder
		if err := doc.WriteText(&b, &d, doc.Screen{Width: 120}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if got := strings.Count(text, "Paste them into a shell") == 2 && strings.Contains(text, "ethtool $o $d"); got != want {
			t.Errorf("%d checks passed: got a block for each platform %t, want %t:\n%s", passed, got, want, text)
		}
	}
}
