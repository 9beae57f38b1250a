package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/history"
	"seaworthy/internal/ui/chart"
	"seaworthy/internal/ui/report/doc"
)

// SavedTitle says in a line what a saved result is.
func SavedTitle(s history.Saved) string {
	what := "replay"
	if r := s.Result; r != nil {
		what = fmt.Sprintf("%s, %s → %s", Dash(r.Mode), r.Options.From, r.Options.To)
		if r.Name != "" {
			what = r.Name + ": " + what
		}
	}
	return fmt.Sprintf("%s  %s, %s", s.File, what, day(s.Started))
}

// MeasuredTitle says which paths were measured, and on which days.
func MeasuredTitle(all []history.Saved) string {
	var paths, days []string
	for _, s := range all { // in the order of time
		if r := s.Result; r != nil {
			paths = append(paths, r.Options.From+" → "+r.Options.To)
		}
		if !s.Started.IsZero() {
			days = append(days, s.Started.UTC().Format(time.DateOnly))
		}
	}
	slices.Sort(paths)
	title := "Measurements"
	paths = slices.Compact(paths)
	if len(paths) > 0 {
		title = strings.Join(paths[:min(len(paths), 3)], ", ")
	}
	if n := len(paths) - 3; n > 0 {
		title += fmt.Sprintf(" and %d more", n)
	}
	if len(days) == 0 {
		return title
	}
	if first, last := days[0], days[len(days)-1]; first != last {
		return title + ", " + first + " to " + last
	}
	return title + ", " + days[0]
}

func day(t time.Time) string {
	if t.IsZero() {
		return "time unknown"
	}
	return t.UTC().Format("2006-01-02 15:04 MST")
}

// Series lists questions that were asked more than once: every answer, and its
// effect against the first.
func Series(d *Document, all []history.Series) {
	if len(all) == 0 {
		return
	}
	d.Heading("Measured more than once")
	d.Prose("note", "effects are relative to the first measurement. They include whatever else changed between the "+
		"measurements; seaworthy bench compare excludes that.")
	for _, s := range all {
		if !slices.Contains(brief, s.Figure) {
			continue
		}
		x := shownAs(s.Figure)
		title := fmt.Sprintf("%s → %s, %s: %s", s.From, s.To, strings.TrimSpace(s.Workload+" "+s.Variant), x.brief)
		d.Subheading(title)
		d.Table(seriesTable(title, s, x))
		Chart(d, trend(s, x))
	}
}

func seriesTable(name string, s history.Series, x *shownFigure) *doc.Table {
	t := doc.NewTable(name, doc.Left("measured"), doc.Left("file"), doc.Right("median").In(x.heading()), doc.Interval("median"),
		doc.Right("n"), doc.Right("effect"), doc.Interval("effect"), doc.Left("verdict"))
	t.Drop = []int{4, 1}
	for _, q := range s.Points {
		f := &measure.Figure{Summary: q.Summary}
		t.Add(day(q.Started), filepath.Base(q.File), x.median(f), x.bounds(f), q.N, ratio(q.Effect), effectBounds(q.Effect), verdict(q.Effect))
	}
	return t
}

// PassedOver names the files that are no results, and why.
func PassedOver(d *Document, all []history.Passed) {
	const shown = 10
	for i, x := range all {
		if i == shown {
			d.Prose("skipped", fmt.Sprintf("%d more", len(all)-shown))
			return
		}
		d.Prose("skipped", x.File+": "+x.Reason)
	}
}

// trend has the answers to one question that was asked more than once.
func trend(s history.Series, x *shownFigure) *chart.Trials {
	c := &chart.Trials{Name: strings.TrimSpace(s.Workload+" "+s.Variant) + ": " + x.label, Unit: x.unit, Groups: []chart.Group{{}}}
	for _, q := range s.Points {
		c.Groups[0].Rows = append(c.Groups[0].Rows, chart.Row{Name: day(q.Started),
			Median: q.Median * x.scale, Low: scaled(q.Low, x.scale), High: scaled(q.High, x.scale)})
	}
	return c
}
