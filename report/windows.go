package report

import "seaworthy/change/plan"

// Windows prints when a plan's steps can be made, and what that costs.
func Windows(p *Printer, plan *plan.Plan) {
	if len(plan.Parts) == 0 {
		return
	}
	p.Line("")
	t := Table{Head: []string{"window", " steps", "hosts", "worst", "outage"}, Wrap: true}
	for _, w := range plan.Parts {
		t.Add(string(w.Window), Count(w.Steps), hosts(w.Hosts), w.Worst, w.Outage)
	}
	t.Print(p)
}
