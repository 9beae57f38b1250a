package report_test

import (
	"fmt"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/ui/report"
)

// audited is an audit with everything in it that one can have.
func audited() report.Audited {
	all := findings()
	second := all[0]
	second.ID, second.Element = "R001/lpar2:en0", ref("lpar2", "en0")
	second.Evidence = []finding.Evidence{{Host: "lpar2", Text: "en0 rtt_ms = 0.243, as given"}}
	second.Remedy = []finding.Setting{{Ref: ref("lpar2", "en0"), Attr: "mtu_bypass", Value: "on"}}
	second.Cautions = append([]string{"A running value was not visible."}, second.Cautions...)
	all = append([]finding.Finding{second}, all...)
	monday := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	interval := growth.Interval{From: monday, To: monday.AddDate(0, 0, 1), Seconds: 86400}
	one, two, three := interval, interval, interval
	one.Host, two.Host, three.Host = "lpar1", "vios1", "lpar2"
	three.Notes = []string{"ent0: counters were reset 1 h before the later snapshot, and are judged since then"}
	accepted := waiver.Waived{Finding: all[2], Reason: "the " + hostile + " cannot", Until: "2027-03-31", Owner: "network team"}
	return report.Audited{Findings: all, Groups: finding.Groups(all), Passed: 7, Waived: []waiver.Waived{accepted}, Compared: []growth.Interval{one, two, three}}
}

// many is an audit with more groups than are shown in full, two of them large.
func many(details bool) report.Audited {
	var all []finding.Finding
	for i := range 12 {
		for k := range 1 + 12*(i%11/10) + 2*(i%4/3) {
			r := ref(fmt.Sprintf("lpar%02d", k), "en0")
			f := finding.Finding{Rule: fmt.Sprintf("R9%02d", i), Title: fmt.Sprintf("cause %d", i), Verdict: finding.Found, Severity: finding.Medium, Element: r,
				Why: "One cause.", Remedy: []finding.Setting{{Ref: r, Attr: "mtu", Value: "1500"}, {Ref: ref("vios1", "ent5"), Attr: "largesend", Value: "1"}}}
			for line := range 3 {
				f.Evidence = append(f.Evidence, finding.Evidence{Host: r.Host, Command: "lsattr -El en0", Line: line + 1, Text: "mtu 9000"})
			}
			f.ID = f.Rule + "/" + r.String()
			all = append(all, f)
		}
	}
	return report.Audited{Findings: all, Groups: finding.Groups(all), Details: details}
}
