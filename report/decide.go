package report

import (
	"cmp"
	"fmt"
	"time"

	"seaworthy/bench"
)

// decisions says of every workload after how many blocks it was decided, or why it was not.
func decisions(p *Printer, r *bench.Result) {
	for _, row := range r.Results {
		d := row.Decision
		if d == nil {
			continue
		}
		looks := fmt.Sprintf("look %d of at most %d; intervals allow for the looks", d.Look, d.Looks)
		switch {
		case d.Decided:
			p.Prose("decided", fmt.Sprintf("%s after %d of at most %s (%s)", row.Workload, d.Blocks, Plural(d.Most, "block"), looks))
		case d.Look == 0:
			p.Prose("open", fmt.Sprintf("%s: not decided in %s: too few for a first look", row.Workload, Plural(d.Blocks, "block")))
		default:
			spent := Plural(d.Blocks, "block")
			if b := r.Options.Budget; b > 0 && d.Blocks < d.Most {
				spent = fmt.Sprintf("%s (%s)", time.Duration(b*float64(time.Second)).Round(time.Second), spent)
			}
			p.Prose("open", fmt.Sprintf("%s: not decided in %s: %s (%s)", row.Workload, spent,
				cmp.Or(row.Effect.Reason, string(row.Effect.Verdict)), looks))
		}
	}
}
