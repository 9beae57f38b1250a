package finding

import (
	"slices"
	"strings"
	"testing"
)

func FuzzParseSeverity(f *testing.F) {
	f.Add("High")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSeverity(text)
		if err == nil && !strings.EqualFold(string(s), text) {
			t.Errorf("ParseSeverity(%q): got %q", text, s)
		}
	})
}

// Of one severity, what was seen comes before what is presumed: a known defect whose sign other causes leave too, or that left
// none, and totals that are too few to be felt.
func TestByImpactPutsSignsFirst(t *testing.T) {
	all := []Finding{
		{Rule: "IJ00001", Verdict: Found, Severity: Low, Defect: MayBite},
		{Rule: "R900", Verdict: Found, Severity: Low},
		{Rule: "IJ00002", Verdict: Found, Severity: High, Defect: MayBite},
		{Rule: "IJ00003", Verdict: Found, Severity: Low, Defect: MayBite, Signed: true},
		{Rule: "IJ00004", Verdict: Found, Severity: Low, Defect: MayBite, Signed: true, Specific: true},
		{Rule: "R800", Verdict: Found, Severity: Low, Rare: true},
	}
	slices.SortFunc(all, ByImpact)
	var got []string
	for _, f := range all {
		got = append(got, f.Rule)
	}
	if want := "IJ00002 IJ00004 R900 IJ00003 R800 IJ00001"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
}

// What only known defects ask for comes behind what rules ask for, however many defects there are.
func TestMissingFactsOfDefectsComeLater(t *testing.T) {
	var all []Finding
	for _, id := range []string{"IJ00001", "IJ00002", "IJ00003"} {
		all = append(all, Finding{Rule: id, Verdict: NotAssessed, Known: true, Missing: []string{"a: fix (instfix -ik)"}})
	}
	all = append(all, Finding{Rule: "R900", Verdict: NotAssessed, Missing: []string{"a: netstat (netstat -s)"}},
		Finding{Rule: "R901", Verdict: NotAssessed, Missing: []string{"a: rtt"}})
	var got []string
	for _, m := range SummarizeMissing(all) {
		got = append(got, m.What)
	}
	if want := "netstat fix rtt"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
