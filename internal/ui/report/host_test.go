package report_test

import (
	"strings"
	"testing"

	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// asPage gives a document as a page shows it.
func asPage(t *testing.T, fill func(*report.Document)) string {
	t.Helper()
	var d report.Document
	fill(&d)
	var out strings.Builder
	err := doc.WriteHTML(&out, &d)
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Errors of an element are those that rules weigh, whatever their name has before it;
// volumes are none, and what was not read is not zero.
func TestErrorsOfAnElement(t *testing.T) {
	for _, c := range []struct {
		name     string
		counters map[string]uint64
		want     string
	}{
		{"not read", nil, "-"},
		{"none of them read", map[string]uint64{"rx.Packets": 7, "tx.Bytes": 9}, "-"},
		{"all zero", map[string]uint64{"rx.Packets": 7, "rx.Packets Dropped": 0}, "none"},
		{"of one direction", map[string]uint64{"rx.Packets Dropped": 3, "tx.Bytes": 9}, "rx Packets Dropped 3"},
		{"of either", map[string]uint64{"rx.No Resource Errors": 4}, "rx No Resource Errors 4"},
	} {
		el := &model.Element{Name: "ent0", MAC: "32:43:01:01:00:00", Counters: model.CountersOf(c.counters)}
		h := &model.Host{Name: "lpar1", Elements: map[string]*model.Element{"ent0": el}}
		got := asPage(t, func(d *report.Document) { report.Host(d, h) })
		if !strings.Contains(got, "<td>"+c.want+"</td></tr>") {
			t.Errorf("%s: want %q as errors counted in\n%s", c.name, c.want, got)
		}
	}
}

// Where the verdict stands without them, a page folds the things that could not be looked at.
func TestThingsNotSeenAreFolded(t *testing.T) {
	of := &diagnose.Diagnosis{Verdict: diagnose.Found, NotSeen: []diagnose.NotSeen{{What: "error log", Allow: "errpt", IDs: []string{"adapter-resets"}}}}
	got := asPage(t, func(d *report.Document) { report.Diagnosis(d, of, false) })
	if !strings.Contains(got, "<summary>1 thing could not be looked at</summary>") || !strings.Contains(got, "adapter-resets: error log: errpt") {
		t.Errorf("want the list folded in\n%s", got)
	}
	of.Verdict = diagnose.Inconclusive
	got = asPage(t, func(d *report.Document) { report.Diagnosis(d, of, false) })
	if strings.Contains(got, "<details>") || !strings.Contains(got, "adapter-resets: error log: errpt") {
		t.Errorf("want the list open where it is the reason in\n%s", got)
	}
}
