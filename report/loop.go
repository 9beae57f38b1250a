package report

import (
	"fmt"
	"slices"
	"time"

	"seaworthy/audit/finding"
	"seaworthy/change/plan"
	"seaworthy/loop"
	"seaworthy/report/drawing"
)

// LoopDrawing is the path of a walk through the loop, with what was found and
// changed on it, and the cores that its hosts used before.
func LoopDrawing(r *loop.Result) *drawing.Drawing {
	o := drawing.Options{Findings: r.Findings, Changes: Changes(r.Plan), Cores: map[string]float64{}}
	if r.Bench != nil {
		o.Cores = hostCores(r.Bench)
	}
	return drawing.Path(r.Fleet, r.Path, o)
}

// Changes are what a plan changes, by element.
func Changes(p *plan.Plan) map[string][]string {
	out := map[string][]string{}
	for ; p != nil; p = p.Next {
		for _, s := range p.Steps {
			for _, c := range s.Changes {
				at := s.Host + ":" + s.Element
				out[at] = append(out[at], fmt.Sprintf("%s: %s → %s", c.Name(), c.Before, c.After))
			}
		}
	}
	return out
}

// Loop prints what a walk through the loop found, changed and measured.
func Loop(p *Printer, r *loop.Result, refs []Reference) {
	p.Lay("loop", r)
	after(p, r)
	if r.Bench == nil {
		return
	}
	p.Line("")
	p.Heading("Measured before and after, on this machine's kernel")
	Comparison(p, r.Bench, refs)
	p.Line("")
	Conditions(p, r.Bench)
	Controls(p, r.Bench)
	p.Line("")
	p.Line("The whole loop took %s.", r.Ended.Sub(r.Started).Round(100*time.Millisecond))
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
	if p.HTML && r.After.Fleet != nil {
		d := drawing.Path(r.After.Fleet, r.After.Path, drawing.Options{Findings: r.After.Findings})
		p.scrolled("Path after the change", d.Inline(), nil)
	}
}
