package report_test

import (
	"strings"
	"testing"
	"time"

	"seaworthy/internal/app/past"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// A change between two snapshots of one minute is told to the second.
func TestTimesOfChanges(t *testing.T) {
	at := time.Date(2026, 11, 27, 10, 0, 2, 0, time.UTC)
	for _, x := range []struct {
		apart time.Duration
		want  []string
	}{
		{3 * time.Second, []string{" 2026-11-27 10:00:02  2026-11-27 10:00:05 ", "of lpar1:en0 (2026-11-27 10:00:02 – 2026-11-27 10:00:05)"}},
		{time.Hour, []string{" 2026-11-27 10:00  2026-11-27 11:00 ", "of lpar1:en0 (2026-11-27 10:00 – 2026-11-27 11:00)"}},
	} {
		c := history.Change{Ref: model.Ref{Host: "lpar1", Element: "en0"}, Attribute: "mtu", Before: new("1500"), After: new("9000"),
			LastSeen: at, FirstSeen: at.Add(x.apart)}
		s := &past.Since{Since: &history.Since{Attribute: "mtu", Changes: []history.Change{c}}, Beside: []history.Change{c}}
		got := printed(t, func(d *report.Document) { report.HistorySince(d, s, false) }, doc.Screen{})
		for _, w := range x.want {
			if !strings.Contains(strings.Join(strings.Split(got, "   "), "  "), w) {
				t.Errorf("%s apart: no %q in\n%s", x.apart, w, got)
			}
		}
	}
}
