package report

import (
	"seaworthy/bench"
	"seaworthy/bench/stats"
)

// MatrixDelta prints what every variant of a matrix does against the first one.
func MatrixDelta(p *Printer, r *bench.Result) {
	t := Table{Head: []string{"workload", "variant", "figure", " effect", " 95 % interval", "verdict"}, Wrap: true}
	styles := map[int]string{}
	for _, c := range r.Contrast {
		switch c.Figure {
		case bench.Throughput, bench.Transactions, bench.PerCore, bench.PerTrans:
		default:
			continue
		}
		styles[len(t.Rows)] = map[stats.Verdict]string{stats.Improved: "good", stats.Worse: "bad"}[c.Verdict]
		t.Add(Safe(c.Workload), Safe(c.Variant), label(c.Figure), ratio(&c.Effect), ratios(&c.Effect), string(c.Verdict))
	}
	if len(t.Rows) == 0 {
		return
	}
	t.Means = func(row, col int) string {
		if col == 5 {
			return styles[row]
		}
		return ""
	}
	p.Line("")
	p.Line("%s", p.Style("head", "against "+Safe(r.Options.Variants[0])))
	t.Print(p)
}
