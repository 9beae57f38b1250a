package report

import "seaworthy/bench"

// MatrixDelta prints what every variant of a matrix does against the first one.
func MatrixDelta(p *Printer, r *bench.Result) {
	t := Table{Head: []string{"workload", "variant", "figure", " effect", " 95 % interval", "verdict"}, Wrap: true}
	for _, c := range r.Contrast {
		switch c.Figure {
		case bench.Throughput, bench.Transactions, bench.PerCore, bench.PerTrans:
		default:
			continue
		}
		t.Add(Safe(c.Workload), Safe(c.Variant), label(c.Figure), ratio(&c.Effect), ratios(&c.Effect), p.verdict(&c.Effect))
	}
	if len(t.Rows) == 0 {
		return
	}
	p.Line("")
	p.Line("%s", p.Style("head", "against "+Safe(r.Options.Variants[0])))
	t.Print(p)
}
