package report

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report/doc"
)

// ticketWidth is how wide the text for a ticket is, wherever it is printed.
const ticketWidth = 78

// ticketed is a result that has a text for a ticket.
type ticketed interface{ Ticket(d *Document) }

var _ = register(Format{
	Name: "text",
	Fits: func(data any) bool { _, ok := data.(ticketed); return ok },
	Print: func(to Output, r Result) error {
		var d Document
		r.Data.(ticketed).Ticket(&d)
		return doc.WriteText(to.W, &d, doc.Screen{Width: ticketWidth})
	},
})

// ticket is a document of items behind marks, which a change ticket keeps as plain text.
type ticket struct {
	*Document
	plan    *plan.Plan // gives the commands
	catalog *knowledge.Catalog
}

// Ticket is an audit as plain text for a change ticket: nothing is left out;
// command lines are not wrapped, so that they can be copied. The plan, of the same
// findings, gives the commands; the catalogue what the sources are.
func Ticket(d *Document, hosts []string, a Audited, of *plan.Plan, c *knowledge.Catalog) {
	open, info := a.split()
	t := ticket{d, of, c}
	t.item(0, "", "NETWORK AUDIT")
	for _, text := range a.NotRead {
		t.item(0, "NOT READ: ", text)
	}
	t.item(0, "", "Hosts: "+strings.Join(hosts, ", "))
	if !a.At.IsZero() {
		t.item(0, "", "Audited "+a.At.Format(minute)+" by seaworthy "+a.Version)
	}
	t.item(0, "", a.count(open, info))
	for _, text := range compared(a.Compared) {
		t.item(0, "", "Compared: "+text)
	}
	for i, g := range open {
		t.Gap()
		t.group(i+1, g)
	}
	for i, g := range info {
		t.Gap()
		t.note(i+1, g)
	}
	t.list("GONE SINCE THE EARLIER SNAPSHOT", a.Gone)
	t.list("FOUND IN THE EARLIER SNAPSHOT, NOT ASSESSED NOW", a.Lost)
	t.waived(a.Waived)
	if missing := finding.SummarizeMissing(a.Findings); len(missing) > 0 {
		t.part("NOT ASSESSED, MISSING INFORMATION")
		for _, m := range missing {
			t.item(2, "- ", lack(m))
		}
	}
}

// item adds a text behind a mark; an empty one adds nothing.
func (t ticket) item(indent int, mark, text string) {
	if text != "" {
		t.Add(doc.Item{Indent: indent, Mark: mark, Text: text})
	}
}

// part begins a part with a heading.
func (t ticket) part(head string) {
	t.Gap()
	t.item(0, "", head)
}

// section adds a heading and lines below it, each behind a mark; nothing without lines.
func (t ticket) section(head, mark string, lines ...string) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l == "" })
	if len(lines) == 0 {
		return
	}
	t.item(3, "", head+":")
	for _, l := range lines {
		t.item(5, mark, l)
	}
}

// group adds a group of findings with all that is known of it.
func (t ticket) group(number int, g finding.Group) {
	first := g.Members[0]
	t.item(0, fmt.Sprintf("%d. %s  %s  ", number, strings.ToUpper(g.Severity.Word()), g.Rule), g.Title+fresh(g))
	where := g.Where()
	if g.Size() > 1 {
		where += ": " + allRefs(g.At())
	}
	t.item(3, "", "Where: "+where)
	if len(g.Affects) > 0 {
		t.item(3, "", "Affects: "+allRefs(g.Affects))
	}
	proof, _ := g.Evidence()
	var lines []string
	for _, e := range proof {
		lines = append(lines, evidence(e))
	}
	t.section("Evidence", "- ", lines...)
	t.section("Why", "", first.Why)
	t.section("Effect of the remedy", "", first.Effect)
	t.section("Cautions", "- ", common(g, func(f *finding.Finding) []string { return f.Cautions })...)
	t.section("Advice", "- ", common(g, (*finding.Finding).AdviceText)...)
	if len(g.Remedy) > 0 {
		t.remedy(g)
	}
	var sources []string
	for _, s := range first.Sources {
		sources = append(sources, sourced(t.catalog, s, ", "))
	}
	t.section("Sources", "- ", sources...)
}

// remedy adds the plan's steps for a group, or what to set where the plan has none.
func (t ticket) remedy(g finding.Group) {
	answers := func(why []string) bool {
		return slices.ContainsFunc(why, func(id string) bool { return slices.Contains(g.Findings, id) })
	}
	t.item(3, "", "Remedy, in this order:")
	planned := false
	for _, s := range t.plan.Steps {
		if answers(s.Why) {
			planned = true
			t.step(s)
		}
	}
	for _, r := range t.plan.Refused {
		if answers(r.Why) {
			planned = true
			t.item(5, "", "not planned: "+r.String())
		}
	}
	if planned {
		return
	}
	for _, w := range g.Remedy {
		t.item(5, "", fmt.Sprintf("%s=%s on %s", w.Attr, w.Value, allRefs(w.At)))
	}
}

// step adds a step with its commands.
func (t ticket) step(s plan.Step) {
	if s.Manual != nil {
		t.item(5, "", fmt.Sprintf("manual, %s: %s: %s", s.Manual.Owner, s.Manual.What, strings.Join(s.Manual.Names(), "; ")))
		return
	}
	t.item(5, "", fmt.Sprintf("%s %s, outage: %s", s.Host, s.Element, s.Outage))
	t.commands("do", s.Do)
	t.commands("undo", s.Undo)
	for _, note := range s.Notes {
		t.item(7, "- ", note)
	}
}

// commands adds command lines as they are; only the first has the label.
func (t ticket) commands(label string, lines []string) {
	for _, l := range lines {
		t.Add(doc.Item{Indent: 7, Mark: fmt.Sprintf("%-5s ", label), Text: l, Unbroken: true})
		label = ""
	}
}

// note adds a group that is only worth knowing.
func (t ticket) note(number int, g finding.Group) {
	t.item(0, fmt.Sprintf("Note %d.  %s  ", number, g.Rule), g.Title)
	t.item(3, "", "Where: "+allRefs(g.At()))
	t.item(3, "", g.Members[0].Why)
	for _, text := range common(g, (*finding.Finding).AdviceText) {
		t.item(3, "", text)
	}
}

// list adds findings in a line each; nothing without any.
func (t ticket) list(head string, all []finding.Finding) {
	if len(all) == 0 {
		return
	}
	t.part(head)
	for _, f := range all {
		t.item(2, "- ", fmt.Sprintf("%s %s: %s", f.Rule, f.Element, f.Title))
	}
}

// waived adds the findings that the site accepts.
func (t ticket) waived(all []waiver.Waived) {
	if len(all) == 0 {
		return
	}
	t.part("ACCEPTED BY THE SITE")
	for _, w := range all {
		t.item(2, "- ", fmt.Sprintf("%s %s: %s (%s)", w.Rule, w.Element, w.Title, waived(w)))
	}
}
