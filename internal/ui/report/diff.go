package report

import (
	"fmt"
	"strings"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/doc"
)

// someCounters is how many counters are listed; verbose lists all.
const someCounters = 10

// kindHeads begin the parts of a diff.
var kindHeads = map[diff.Kind]string{
	diff.Active: "Who is active", diff.Setting: "Settings", diff.Level: "Levels", diff.Topology: "Topology", diff.Link: "Links",
}

// Diff says what changed between two readings: first what was not read, last
// how much error counters grew.
func Diff(d *Document, of *diff.Diff, notRead []string, verbose bool) {
	for _, text := range notRead {
		d.Entry(doc.Styled(doc.Bad, "NOT READ"), text)
	}
	dim := func(head string) doc.Text { return doc.Styled(doc.Dim, head) }
	if len(of.Added) > 0 {
		d.Entry(dim("only in the later reading"), strings.Join(of.Added, ", "))
	}
	if len(of.Removed) > 0 {
		d.Entry(dim("only in the earlier reading"), strings.Join(of.Removed, ", "))
	}
	for _, text := range compared(of.Compared) {
		d.Entry(dim("compared"), strings.Replace(text, "counters by their growth from", "from", 1))
	}
	all := doc.NewTable("changes", doc.Left("kind"), doc.Left("at"), doc.Left("what"), doc.Left("before"), doc.Left("now"), doc.Left("note"))
	all.Media = doc.Data
	for _, kind := range diff.Kinds {
		t := changesTable(of, kind)
		addBelow(d, kindHeads[kind], t)
		for _, r := range t.Rows {
			all.Rows = append(all.Rows, doc.Row{Cells: append([]doc.Cell{{Text: string(kind)}}, r.Cells...)})
		}
	}
	d.Table(all)
	addUnread(d, of.Unread, verbose)
	addFindings(d, of)
	addCounters(d, of, verbose)
	d.Gap()
	d.Line("%s", tally(of))
}

// addBelow adds a table below a heading; nothing if it is empty.
func addBelow(d *Document, head string, t *doc.Table) {
	if !t.Empty() {
		d.Subheading(head)
		d.Table(t)
	}
}

func changesTable(of *diff.Diff, kind diff.Kind) *doc.Table {
	t := doc.NewWrapped(string(kind), doc.Left("at"), doc.Left("what"), doc.Left("before"), doc.Left("now"), doc.Left(""))
	t.Media = doc.Terminal | doc.Page
	if kind == diff.Active {
		for _, f := range of.Failovers {
			t.AddTexts(failover(f)...)
		}
	}
	for _, c := range of.Changes {
		if c.Kind == kind {
			t.Add(c.Ref, c.What, or(c.Before, "unset"), or(c.After, "unset"), c.Value)
		}
	}
	return t
}

// addUnread says which values are unknown because they were not read this time.
func addUnread(d *Document, unread []diff.Unread, verbose bool) {
	switch {
	case len(unread) == 0:
	case verbose:
		d.Subheading("Not read this time, so unknown")
		for _, u := range unread {
			d.Entry(doc.Textf("  %s", u.Ref.String()), strings.Join(u.What, ", "))
		}
	default:
		d.Gap()
		d.Line("Not read this time, so unknown: %s of %s (-v lists them)", Plural(values(unread), "value"), Plural(len(unread), "element"))
	}
}

// addFindings adds the findings that came, went or are no longer known.
func addFindings(d *Document, of *diff.Diff) {
	t := doc.NewTable("findings", doc.Left("change"), doc.Left("severity"), doc.Left("rule"), doc.Left("at"), doc.Left("title"))
	t.Media = doc.Data
	add := func(kind string, list []finding.Finding) {
		for _, f := range list {
			change := kind
			if f.Change == diff.Assessed {
				change = "new or not assessed before"
			}
			severity := doc.Styled(doc.Style(f.Severity), fmt.Sprintf("%-8s", f.Severity.Word()))
			AddFinding(d, doc.Textf("%-4s  %s", change, severity), f)
			t.Add(change, f.Severity, f.Rule, f.Element, f.Title)
		}
	}
	if f := of.Findings; len(f.New)+len(f.Gone)+len(f.Lost) > 0 {
		d.Subheading("Findings")
		add("new", f.New)
		add("gone", f.Gone)
		add("not assessed now", f.Lost)
	}
	d.Table(t)
}

// failover is one as a row.
func failover(f diff.Failover) []string {
	where := "VLAN " + ranges(f.VLANs)
	if f.VSwitch != "" {
		where += " on " + f.VSwitch
	}
	note := "failed over"
	switch {
	case len(f.After) == 0:
		note = "no SEA bridges them now"
	case len(f.After) > 1:
		note = "several SEAs bridge them now"
	}
	return []string{f.System, where, elements(f.Before), elements(f.After), note}
}

func elements(at []model.Ref) string {
	if len(at) == 0 {
		return "none"
	}
	return allRefs(at)
}

func values(all []diff.Unread) int {
	n := 0
	for _, u := range all {
		n += len(u.What)
	}
	return n
}

// addCounters says by how much error counters grew.
func addCounters(d *Document, of *diff.Diff, verbose bool) {
	if len(of.Counters) == 0 {
		return
	}
	d.Subheading("Error counters that grew")
	t := doc.NewWrapped("counters", doc.Left("at"), doc.Left("counter"), doc.Left("by").On(doc.Terminal|doc.Page),
		doc.Right("growth").On(doc.Data))
	listed, more, rare := 0, 0, 0
	var events uint64
	for _, c := range of.Counters {
		media := doc.Data // which has all
		switch {
		case !verbose && c.Rare():
			rare++
			events += c.Growth
		case !verbose && listed == someCounters:
			more++
		default:
			listed++
			media = 0
		}
		t.AddOn(media, c.Ref, c.Name, c.Text, c.Growth)
	}
	if listed == 0 {
		t.Media = doc.Data
	}
	d.Table(t)
	if more > 0 {
		d.Line("… and %s (-v)", Plural(more, "counter"))
	}
	if rare > 0 {
		d.Line("%s grew by less than one in a million packets, by %d in all (-v)", Plural(rare, "counter"), events)
	}
}

// tally is a diff in a line.
func tally(d *diff.Diff) string {
	f := d.Findings
	if !d.Changed() {
		return fmt.Sprintf("No changes. %s still there.", Plural(len(f.Still), "finding"))
	}
	return fmt.Sprintf("%s, %s. Findings: %d new, %d gone, %d still there.",
		Plural(len(d.Failovers), "failover"), Plural(len(d.Changes), "change"), len(f.New), len(f.Gone), len(f.Still))
}
