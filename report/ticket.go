package report

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/audit/finding"
	"seaworthy/catalog"
	"seaworthy/change/plan"
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

// Ticket prints an audit as plain text for a change ticket: nothing is left
// out, lines are at most as wide as the printer but command lines, which can be
// copied. The plan, of the same findings, gives the commands; the catalogue
// what the sources are.
func Ticket(p *Printer, hosts []string, a Audited, plan *plan.Plan, c *catalog.Catalog) {
	t := ticket{p, plan, c}
	open, info := a.split()
	p.Line("NETWORK AUDIT")
	t.para(0, "Hosts: "+strings.Join(hosts, ", "))
	for _, why := range a.NotRead {
		t.item(0, "NOT READ: ", why)
	}
	t.para(0, a.count(open, info))
	for _, text := range compared(a.Compared) {
		t.para(0, "Compared: "+text)
	}
	for i, g := range open {
		p.Line("")
		t.group(fmt.Sprintf("%d. %s  ", i+1, strings.ToUpper(string(g.Severity))), g)
	}
	for i, g := range info {
		p.Line("")
		t.note(fmt.Sprintf("Note %d.  ", i+1), g)
	}
	for i, w := range a.Waived {
		if i == 0 {
			p.Line("")
			p.Line("ACCEPTED BY THE SITE")
		}
		t.item(2, "- ", fmt.Sprintf("%s %s: %s (%s)", w.Rule, w.Element, w.Title, waived(w)))
	}
	for i, l := range finding.SummarizeMissing(a.Findings) {
		if i == 0 {
			p.Line("")
			p.Line("NOT ASSESSED, MISSING INFORMATION")
		}
		t.item(2, "- ", lack(l))
	}
}

type ticket struct {
	p    *Printer
	plan *plan.Plan
	c    *catalog.Catalog
}

func (t ticket) group(head string, g finding.Group) {
	first := g.Members[0]
	t.item(0, head+Safe(g.Rule)+"  ", g.Title)
	if g.Size() == 1 {
		t.para(3, "Where: "+g.Where())
	} else {
		t.para(3, "Where: "+g.Where()+": "+refs(g.At(), g.Size()))
	}
	if len(g.Affects) > 0 {
		t.para(3, "Affects: "+refs(g.Affects, len(g.Affects)))
	}
	t.head("Evidence")
	proof, _ := g.Evidence()
	for _, e := range proof {
		t.item(5, "- ", evidence(e))
	}
	t.section("Why", first.Why)
	t.section("Effect of the remedy", first.Effect)
	t.list("Cautions", common(g, func(f *finding.Finding) []string { return f.Cautions }))
	t.list("Advice", common(g, func(f *finding.Finding) []string { return f.Advice }))
	t.remedy(g)
	t.list("Sources", t.sources(first.Sources))
}

// note prints what is only worth knowing: it asks for nothing.
func (t ticket) note(head string, g finding.Group) {
	t.item(0, head+Safe(g.Rule)+"  ", g.Title)
	t.para(3, "Where: "+refs(g.At(), g.Size()))
	for _, text := range append([]string{g.Members[0].Why}, common(g, func(f *finding.Finding) []string { return f.Advice })...) {
		t.para(3, text)
	}
}

// remedy prints the commands that the plan has for a group's findings.
func (t ticket) remedy(g finding.Group) {
	if len(g.Remedy) == 0 {
		return
	}
	ofGroup := func(why []string) bool {
		return slices.ContainsFunc(why, func(id string) bool { return slices.Contains(g.Findings, id) })
	}
	t.head("Remedy, in this order")
	planned := false
	for _, s := range t.plan.Steps {
		if !ofGroup(s.Why) {
			continue
		}
		planned = true
		if s.Manual != nil {
			t.para(5, fmt.Sprintf("manual, %s: %s: %s", s.Manual.Owner, s.Manual.What, strings.Join(s.Manual.Names(), "; ")))
			continue
		}
		t.para(5, fmt.Sprintf("%s %s, outage: %s", s.Host, s.Element, s.Outage))
		t.commands("do", s.Do)
		t.commands("undo", s.Undo)
		for _, n := range s.Notes {
			t.item(7, "- ", n)
		}
	}
	for _, r := range t.plan.Refused {
		if ofGroup(r.Why) {
			planned = true
			t.para(5, fmt.Sprintf("not planned: %s %s=%s: %s", r.Setting.Ref, r.Setting.Attr, r.Setting.Value, r.Reason))
		}
	}
	if !planned {
		t.settings(g)
	}
}

// settings are what is wanted where no plan says how it is set.
func (t ticket) settings(g finding.Group) {
	for _, w := range g.Remedy {
		t.para(5, fmt.Sprintf("%s=%s on %s", w.Attr, w.Value, refs(w.At, len(w.At))))
	}
}

func (t ticket) commands(what string, lines []string) {
	for i, l := range lines {
		if i > 0 {
			what = ""
		}
		t.p.Line("       %-5s %s", what, Safe(l))
	}
}

// sources says what cited documents are.
func (t ticket) sources(cited []string) []string {
	var out []string
	for _, s := range cited {
		key, _, _ := strings.Cut(s, ":")
		if src, ok := t.c.Source(key); ok {
			s += ": " + src.Title
			if src.Where != "" {
				s += ", " + src.Where
			}
		}
		out = append(out, s)
	}
	return out
}

func (t ticket) head(text string) { t.p.Line("   %s:", text) }

// section prints a text under a heading, if there is one.
func (t ticket) section(head, text string) {
	if text != "" {
		t.head(head)
		t.para(5, text)
	}
}

func (t ticket) list(head string, lines []string) {
	if len(lines) > 0 {
		t.head(head)
	}
	for _, l := range lines {
		t.item(5, "- ", l)
	}
}

func (t ticket) para(indent int, text string) { t.item(indent, "", text) }

// item prints a text behind a mark, wrapped under itself.
func (t ticket) item(indent int, mark, text string) {
	if text == "" {
		return
	}
	lead := strings.Repeat(" ", indent) + mark
	for _, line := range wrap(Safe(text), max(t.p.Columns()-len(lead), 20)) {
		t.p.Line("%s%s", lead, line)
		lead = strings.Repeat(" ", len(lead))
	}
}
