package report

import (
	"fmt"
	"slices"

	"seaworthy/audit/finding"
	"seaworthy/loop"
	"seaworthy/report/drawing"
)

// afterDrawing is the path as it was read again while the change was in effect.
func afterDrawing(r *loop.Result) *drawing.Drawing {
	if r.After == nil || r.After.Fleet == nil {
		return nil
	}
	return drawing.Path(r.After.Fleet, r.After.Path, drawing.Options{Findings: r.After.Findings})
}

// after prints what the same rules find while the change is in effect: what is
// gone, what is still there, what is new.
func after(p *Printer, r *loop.Result) {
	if r.After == nil {
		return
	}
	among := func(list []finding.Finding, f finding.Finding) bool {
		return slices.ContainsFunc(list, func(o finding.Finding) bool { return o.Rule == f.Rule && o.Element == f.Element })
	}
	p.Line("")
	p.Heading("Findings after the change")
	gone := 0
	t := Table{Head: []string{"", "severity", "rule", "element", "title"}, Wrap: true}
	row := func(mark string, f finding.Finding) {
		t.Add(mark, p.Style(string(f.Severity), string(f.Severity)), Safe(f.Rule), Safe(f.Element.String()), Safe(f.Title))
	}
	for _, f := range r.Findings {
		if among(r.After.Findings, f) {
			row(p.Style("medium", "still there"), f)
			continue
		}
		gone++
		row(p.Style("good", "gone"), f)
	}
	for _, f := range r.After.Findings {
		if !among(r.Findings, f) {
			row(p.Style("bad", "new"), f)
		}
	}
	t.Print(p)
	p.Line("%s", fmt.Sprintf("%d of %s gone, by reading the hosts again.", gone, Plural(len(r.Findings), "finding")))
	if d := afterDrawing(r); d != nil && p.HTML {
		p.scrolled("Path after the change", d.Inline(), nil)
	}
}
