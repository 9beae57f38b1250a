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
	if r.After != nil && r.After.Fleet != nil && p.HTML {
		d := drawing.Path(r.After.Fleet, r.After.Path, drawing.Options{Findings: r.After.Findings})
		p.scrolled("Path after the change", d.Inline(), nil)
	}
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

// among says whether a finding is in a list.
func among(list []finding.Finding, f finding.Finding) bool {
	return slices.ContainsFunc(list, func(o finding.Finding) bool { return o.Rule == f.Rule && o.Element == f.Element })
}
