package demo

import (
	"time"

	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
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

// Report prints what a walk through the loop found, changed and measured.
func Report(p *report.Printer, r *Result, refs []report.Reference) {
	p.Lay("loop", r)
	if r.After != nil && r.After.Fleet != nil && p.HTML {
		d := drawing.Path(r.After.Fleet, r.After.Path, drawing.Options{Findings: r.After.Findings})
		p.Scrolled("Path after the change", d.Inline(), nil)
	}
	if r.Bench == nil {
		return
	}
	p.Line("")
	p.Heading("Measured before and after, on this machine's kernel")
	report.Comparison(p, r.Bench, refs)
	p.Line("")
	report.Conditions(p, r.Bench)
	report.Controls(p, r.Bench)
	p.Line("")
	p.Line("The whole loop took %s.", r.Ended.Sub(r.Started).Round(100*time.Millisecond))
}
