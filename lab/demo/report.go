package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// PathDrawing is the path of a walk through the loop, with what was found and
// changed on it, and the cores that its hosts used before.
func PathDrawing(r *Result) *drawing.Drawing {
	o := drawing.Options{Findings: r.Findings, Changes: report.Changes(r.Plan), Cores: map[string]float64{}}
	if r.Bench != nil {
		o.Cores = report.HostCores(r.Bench)
	}
	return drawing.Path(r.Fleet, r.Path, o)
}

// Report says what a walk through the loop found, changed and measured.
func Report(d *report.Document, r *Result, refs []report.Reference) {
	busy := r.Machine.Busy()
	if busy != "" {
		d.Line("This machine had other work (%s): figures are lower and scatter, and nothing is called worse.", busy)
	}
	d.On(doc.Terminal, func(d *report.Document) { addPath(d, r) })
	d.Gap()
	d.Heading("Findings on it")
	for _, f := range r.Findings {
		report.AddFinding(d, doc.Textf("  %s", severity(f, fmt.Sprintf("%-8s", f.Severity))), f)
		if len(f.Evidence) > 0 {
			e := f.Evidence[0]
			d.Code("", fmt.Sprintf("%s $ %s: %s", e.Host, e.Command, e.Text))
		}
	}
	addPlan(d, r)
	addAfter(d, r)
	if r.Bench == nil {
		return
	}
	d.Gap()
	d.Heading("Measured before and after, on this machine's kernel")
	report.Comparison(d, r.Bench, refs)
	d.Gap()
	report.Conditions(d, r.Bench)
	report.Controls(d, r.Bench)
	d.Gap()
	d.Line("The whole loop took %s.", r.Ended.Sub(r.Started).Round(100*time.Millisecond))
	summary := InShort(r)
	if summary != "" {
		d.Gap()
		d.Line("In short: %s", summary)
	}
}

// InShort says in a sentence what was changed and what it brought; empty if nothing was measured.
func InShort(r *Result) string {
	if r.Plan == nil || r.Bench == nil {
		return ""
	}
	var gains []string
	for _, row := range r.Bench.Results {
		if row.Before.BPS == nil || row.After.BPS == nil || row.Effect == nil {
			continue
		}
		gain := fmt.Sprintf("%s %.1f → %.1f Gbit/s", row.Workload, *row.Before.BPS/1e9, *row.After.BPS/1e9)
		if row.Effect.Verdict != stats.Improved {
			gain += " (" + string(row.Effect.Verdict) + ")"
		}
		gains = append(gains, gain)
	}
	if len(gains) == 0 {
		return ""
	}
	return report.Total(r.Plan) + ": " + strings.Join(gains, ", ") + "."
}

func severity(f finding.Finding, text string) doc.Text {
	return doc.Styled(doc.Style(f.Severity), text)
}

// addPath lists the hops of the path; a page has its drawing instead.
func addPath(d *report.Document, r *Result) {
	d.Gap()
	d.Heading("Path")
	for i, h := range r.Path.Hops {
		name := "·"
		if h.Ref != nil {
			name = h.Ref.String()
		}
		d.Line("  %2d  %-12s %s", i+1, name, h.Kind)
	}
}

// addPlan adds the steps of the plan with their commands.
func addPlan(d *report.Document, r *Result) {
	d.Gap()
	d.Heading("Plan " + string(r.Plan.ID))
	for i, s := range r.Plan.Steps {
		if s.Manual != nil {
			report.AddManual(d, s, i+1)
			continue
		}
		d.Line("  %d. %s %s, outage: %s", i+1, s.Host, s.Element, s.Outage)
		d.Commands("   do", s.Do...)
		d.Commands("   undo", s.Undo...)
	}
	for _, x := range r.Plan.Refused {
		d.Entry(doc.Textf("  not planned:"), x.String())
	}
}

// addAfter says which findings the change made go away, and which are new.
func addAfter(d *report.Document, r *Result) {
	if r.After == nil {
		return
	}
	d.Gap()
	d.Heading("Findings after the change")
	t := doc.NewWrapped("after", doc.Left("").Keyed("state"), doc.Left("severity"), doc.Left("rule"), doc.Left("element"), doc.Left("title"))
	add := func(style doc.Style, mark string, f finding.Finding) {
		t.Add(doc.StyledCell(style, mark), doc.StyledCell(doc.Style(f.Severity), string(f.Severity)), f.Rule, f.Element, f.Title)
	}
	gone := 0
	for _, f := range r.Findings {
		if among(r.After.Findings, f) {
			add(doc.Warn, "still there", f)
			continue
		}
		add(doc.Good, "gone", f)
		gone++
	}
	for _, f := range r.After.Findings {
		if !among(r.Findings, f) {
			add(doc.Bad, "new", f)
		}
	}
	d.Table(t)
	d.Line("%d of %s gone, by reading the hosts again.", gone, report.Plural(len(r.Findings), "finding"))
	if r.After.Fleet != nil {
		after := drawing.Path(r.After.Fleet, r.After.Path, drawing.Options{Findings: r.After.Findings})
		d.Add(doc.Figure{Title: "Path after the change", Draw: after.Inline})
	}
}

// among reports whether a finding is in a list.
func among(list []finding.Finding, f finding.Finding) bool {
	return slices.ContainsFunc(list, func(o finding.Finding) bool { return o.Rule == f.Rule && o.Element == f.Element })
}
