package cli

import (
	"fmt"
	"strings"

	"seaworthy/lab/replay"
	"seaworthy/report"
)

// marks are how answers are shown.
var marks = map[string]string{replay.Holds: "good", replay.Fails: "bad", replay.NotShown: "medium", replay.NotInLab: "dim"}

// claims prints every claim with both ratios, and why.
func claims(p *report.Printer, e *replay.Outcome) {
	if len(e.Claims) == 0 {
		return
	}
	t := report.Table{Head: []string{"claim", " source", " ours", " 95 % interval", "here"}, Wrap: true}
	for _, v := range e.Claims {
		answer := v.Answer
		if v.Less {
			answer += ", less"
		}
		ours, interval := (*float64)(nil), ""
		if v.Ours != nil {
			ours, interval = &v.Ours.Value, span(v, v.Ours)
		}
		t.Add(report.Safe(v.Claim), value(v, v.Published), value(v, ours), interval, p.Style(marks[v.Answer], answer))
	}
	t.Print(p)
	p.Line("")
	reasons(p, e)
}

// reasons prints why claims do not hold, or less. What held a case back is
// printed once, for all claims on it.
func reasons(p *report.Printer, e *replay.Outcome) {
	asked := map[string]bool{}
	for _, v := range e.Claims {
		if v.Answer == replay.Holds && !v.Less {
			continue
		}
		asked[v.Of], asked[v.To] = true, true
	}
	limits := map[string]bool{}
	for _, c := range e.Cases {
		if len(c.Limits) > 0 && asked[c.Name] {
			p.Prose("limits", c.Name+": "+strings.Join(c.Limits, "; "))
		}
		for _, l := range c.Limits {
			limits[c.Name+": "+l] = true
		}
	}
	said := map[string]bool{}
	for _, v := range e.Claims {
		var own []string
		for _, w := range v.Why {
			if !limits[w] {
				own = append(own, w)
			}
		}
		if text := strings.Join(own, "; "); text != "" && !said[text] {
			said[text] = true
			p.Prose("why", v.Claim+": "+text)
		}
	}
}

// value prints a ratio with its sign, a figure in its unit.
func value(v replay.Verdict, x *float64) string {
	if x == nil {
		return "-"
	}
	if v.To != "" {
		return fmt.Sprintf("×%.2f", *x)
	}
	return quantity(v.Figure, x)
}

func span(v replay.Verdict, s *replay.Span) string {
	if s.Low == nil {
		return ""
	}
	return strings.TrimPrefix(value(v, s.Low), "×") + " to " + strings.TrimPrefix(value(v, s.High), "×")
}
