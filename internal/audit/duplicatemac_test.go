package audit

import (
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
)

// However many copies there are, each finding names a few.
func TestManyDuplicateMACs(t *testing.T) {
	const most = 4
	f := crowd(t, "two-systems", 40, nil, nil)
	for _, h := range f.Hosts {
		if strings.HasPrefix(h.Name, "more") {
			h.Elements["ent0"].MAC = "02:00:00:01:00:00"
		}
	}
	found := 0
	for _, x := range run(t, f, rule.Options{}) {
		if x.Rule != "R089" || x.Verdict != finding.Found {
			continue
		}
		found++
		if len(x.Evidence) > most+1 || len(x.Affects) > most+1 {
			t.Errorf("%s: got %d lines of evidence, %d affected, want %d at most", x.ID, len(x.Evidence), len(x.Affects), most)
		}
	}
	if found != 40 {
		t.Errorf("got %d findings, want one on each of 40", found)
	}
}
