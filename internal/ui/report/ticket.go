package report

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// ticketWidth is how wide the text for a ticket is, wherever it is printed.
const ticketWidth = 78

var _ = register(Format{
	Name: "text",
	Fits: func(data any) bool { _, ok := data.(interface{ Ticket(*Printer) }); return ok },
	Print: func(p *Printer, r Result) error {
		p.Color, p.Width = false, ticketWidth
		r.Data.(interface{ Ticket(*Printer) }).Ticket(p)
		return p.Err
	},
})

//go:embed ticket.tmpl
var ticketText string

// Ticket prints an audit as plain text for a change ticket: nothing is left
// out, lines are at most as wide as the printer but command lines, which can be
// copied. The plan, of the same findings, gives the commands; the catalogue
// what the sources are.
func Ticket(p *Printer, hosts []string, a Audited, plan *plan.Plan, c *knowledge.Catalog) {
	open, info := a.split()
	t := template.Must(template.New("ticket").Funcs(ticketWords(plan, c)).Funcs(template.FuncMap{"item": p.item}).Parse(ticketText))
	made := ""
	if !a.At.IsZero() {
		made = "Audited " + a.At.Format(minute) + " by seaworthy " + a.Version
	}
	err := t.Execute(p.W, map[string]any{
		"Made": made, "Gone": a.Gone, "Lost": a.Lost,
		"Hosts": hosts, "NotRead": a.NotRead, "Count": a.count(open, info), "Compared": compared(a.Compared),
		"Open": open, "Info": info, "Waived": a.Waived, "Missing": finding.SummarizeMissing(a.Findings),
	})
	if p.Err == nil {
		p.Err = err
	}
}

// item is a text behind a mark, wrapped under itself.
func (p *Printer) item(indent int, mark, text string) string {
	if text == "" {
		return ""
	}
	lead := strings.Repeat(" ", indent) + Safe(mark)
	var b strings.Builder
	for _, line := range wrap(Safe(text), max(p.Columns()-len(lead), 20)) {
		b.WriteString(lead + line + "\n")
		lead = strings.Repeat(" ", len(lead))
	}
	return b.String()
}

// ticketWords are the functions of the template.
func ticketWords(of *plan.Plan, c *knowledge.Catalog) template.FuncMap {
	type part struct {
		Head, Text string
		Lines      []string
	}
	answers := func(g finding.Group, why []string) bool {
		return slices.ContainsFunc(why, func(id string) bool { return slices.Contains(g.Findings, id) })
	}
	all := func(at []model.Ref) string { return refs(at, len(at)) }
	return template.FuncMap{
		"add":     func(a, b int) int { return a + b },
		"upper":   func(s finding.Severity) string { return strings.ToUpper(string(s)) },
		"join":    strings.Join,
		"head":    func(head string, lines []string) part { return part{Head: head, Lines: lines} },
		"text":    func(head, text string) part { return part{Head: head, Text: text} },
		"command": func(head, line string) string { return fmt.Sprintf("       %-5s %s\n", head, Safe(line)) },
		"refs":    all, "waived": waived, "lack": lack, "fresh": fresh,
		"first": func(g finding.Group) *finding.Finding { return g.Members[0] },
		"others": func(g finding.Group) string {
			if g.Size() == 1 {
				return ""
			}
			return ": " + all(g.At())
		},
		"evidence": func(g finding.Group) (lines []string) {
			proof, _ := g.Evidence()
			for _, e := range proof {
				lines = append(lines, evidence(e))
			}
			return lines
		},
		"cautions": func(g finding.Group) []string {
			return common(g, func(f *finding.Finding) []string { return f.Cautions })
		},
		"advice": func(g finding.Group) []string {
			return common(g, func(f *finding.Finding) []string { return f.Advice })
		},
		"steps": func(g finding.Group) []plan.Step {
			return slices.DeleteFunc(slices.Clone(of.Steps), func(s plan.Step) bool { return !answers(g, s.Why) })
		},
		"refused": func(g finding.Group) []plan.Refusal {
			return slices.DeleteFunc(slices.Clone(of.Refused), func(r plan.Refusal) bool { return !answers(g, r.Why) })
		},
		"sources": func(g finding.Group) (out []string) {
			for _, s := range g.Members[0].Sources {
				out = append(out, sourced(c, s, ", "))
			}
			return out
		},
	}
}
