package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"seaworthy/internal/app/past"
	"seaworthy/internal/history"
	"seaworthy/internal/ui/report/doc"
)

// PastHost says what was known of a host at a time.
func PastHost(d *Document, h *past.Host, verbose bool) {
	d.Line("%s as read at %s UTC%s", h.Name, minuteOf(h.Span.Last), choose(seen(h.Span) == wasRead, "", " ("+seen(h.Span)+")"))
	d.Gap()
	t := doc.NewWrapped("facts", doc.Left("element"), doc.Left("what"), doc.Left("running"), doc.Left("next boot"), doc.Left("default"),
		doc.Left("since UTC"))
	unread := 0
	for _, f := range h.Facts {
		if f.Unread {
			unread++
		}
		media := doc.Medium(0)
		if f.Unread && !verbose {
			media = doc.Data
		}
		t.AddOn(media, f.Element, f.What, value(f.Running), value(f.NextBoot), value(f.Default),
			minuteOf(f.Since)+choose(f.Unread, ", not read now", ""))
	}
	d.Table(t)
	if unread > 0 && !verbose {
		d.Line("%s of earlier snapshots not read in this one, so unknown (-v)", Plural(unread, "value"))
	}
	addVerdicts(d, h)
}

// value is one as a table has it; nothing where there is none.
func value(v *string) string {
	switch {
	case v == nil:
		return ""
	case *v == "":
		return "unset"
	}
	return *v
}

// addVerdicts lists the findings of a host at a time.
func addVerdicts(d *Document, h *past.Host) {
	d.Subheading("Findings")
	t := doc.NewWrapped("findings", doc.Left("rule"), doc.Left("at"), doc.Left("title"), doc.Left("since UTC"))
	for _, f := range h.Findings {
		t.Add(f.Rule, f.Ref, f.Title, minuteOf(f.Since))
	}
	if t.Empty() {
		t.Media = doc.Data
		d.Line("The rules that could be judged found nothing.")
	}
	d.Table(t)
	if h.NotAssessed > 0 {
		d.Line("%s not assessed: a fact was missing.", Plural(h.NotAssessed, "verdict"))
	}
}

// PastDiff says what changed between two times.
func PastDiff(d *Document, c *history.Comparison, verbose bool) {
	dim := func(head string) doc.Text { return doc.Styled(doc.Dim, head) }
	shown := timesOf(append([]history.Change{{LastSeen: c.From, FirstSeen: c.To}}, c.Changes...)...)
	d.Line("From %s to %s UTC: %s read before and in between", shown(c.From), shown(c.To), Plural(c.Seen, "host"))
	if len(c.Added) > 0 {
		d.Entry(dim("new"), firstNames(c.Added, verbose))
	}
	for _, h := range c.NotSeen {
		d.Entry(dim("not read in between, so unknown"), fmt.Sprintf("%s: %s", h.Host, since(h)))
	}
	if len(c.Changes) > 0 {
		d.Gap()
	}
	addChanges(d, "changes", c.Changes, true, verbose)
	if len(c.Unread) > 0 {
		d.Gap()
		if !verbose {
			d.Line("Not read at the second time, so unknown: %s (-v lists them)", Plural(len(c.Unread), "value"))
		}
		t := doc.NewTable("not read", doc.Left("at"), doc.Left("what"), doc.Left("of"), doc.Left("before"))
		if !verbose {
			t.Media = doc.Data
		}
		for _, u := range c.Unread {
			t.Add(u.Ref, u.Attribute, u.Layer.String(), u.Value)
		}
		d.Table(t)
	}
	d.Gap()
	switch {
	case len(c.Changes) > 0:
	case c.Seen == 0:
		d.Line("Nothing to compare: no host was read both before and in between. seaworthy history ls lists when each was read.")
		return
	default:
		d.Line("No changes on the hosts that were read.")
		return
	}
	d.Line("%s.", Plural(len(c.Changes), "change"))
}

// since says when a host was seen last.
func since(h history.Span) string {
	if h.Snapshots == 0 {
		return seen(h)
	}
	text := "last read " + minuteOf(h.Last) + " UTC"
	if h.NotSeen() {
		text += fmt.Sprintf(", not reached at %s: %s", minuteOf(h.Missed), h.Why)
	}
	return text
}

// firstNames are the first names of a list; verbose gives all.
func firstNames(names []string, verbose bool) string {
	const most = 10
	if len(names) <= most || verbose {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more (-v)", strings.Join(names[:most], ", "), len(names)-most)
}

// PastWhere lists the elements on which an expression holds.
func PastWhere(d *Document, w *past.Where, verbose bool) {
	for _, why := range w.NotRead {
		d.Entry(doc.Styled(doc.Bad, "NOT READ"), why)
	}
	t := doc.NewWrapped("matches", doc.Left("at"), doc.Left("kind"), doc.Left("read UTC"), doc.Left("because"))
	for i, m := range w.Matches {
		media := doc.Medium(0)
		if i >= someChanges && !verbose {
			media = doc.Data
		}
		var lines []string
		for _, e := range m.Evidence {
			lines = append(lines, strings.Join(strings.Fields(e.Text), " "))
		}
		t.AddOn(media, m.Ref, m.Kind, minuteOf(m.Taken), cmp.Or(strings.Join(lines, "; "), "-"))
	}
	if t.Empty() {
		t.Media = doc.Data
	}
	d.Table(t)
	if len(w.Matches) > someChanges && !verbose {
		d.Line("… and %s (-v)", Plural(len(w.Matches)-someChanges, "element"))
	}
	if len(w.Undecided) > 0 {
		d.Gap()
		more := choose(verbose, ":", " (-v lists them)")
		d.Line("Not known on %s, of which something was not read%s", Plural(len(w.Undecided), "element"), more)
		if verbose {
			for _, u := range w.Undecided {
				d.Entry(doc.Textf("  %s", u.Ref.String()), strings.Join(u.Missing, "; "))
			}
		}
	}
	d.Gap()
	rest := "."
	if w.Looked < w.Hosts {
		rest = ", the kinds and values of the others rule it out."
	}
	d.Line("%s of %s; %d of %s looked at%s", Plural(len(w.Matches), "element"), Plural(hostsOf(w), "host"), w.Looked,
		Plural(w.Hosts, "host"), rest)
	switch {
	case w.Looked == 0:
	case w.Read == 0:
		d.Line("Facts decided: no raw text was read, so no lines of outputs are given.")
	default:
		d.Line("The raw text of %s was read.", Plural(w.Read, "host"))
	}
	addMissed(d, w.Missed)
}

// hostsOf counts the hosts with a match.
func hostsOf(w *past.Where) int {
	names := map[string]bool{}
	for _, m := range w.Matches {
		names[m.Host] = true
	}
	return len(names)
}

// PastSimilar lists the hosts that are most like one, and in what they differ.
func PastSimilar(d *Document, host string, all []history.Likeness, verbose bool) {
	t := doc.NewTable("hosts", doc.Left("host"), doc.Right("alike"), doc.Right("differ"), doc.Right("only one has"))
	for _, l := range all {
		t.Add(l.Host, l.Alike, len(l.Differs), l.Only)
	}
	d.Table(t)
	if t.Empty() {
		d.Line("The history has no other host with facts like those of %s.", host)
		return
	}
	differ := doc.NewWrapped("differences", doc.Left("host"), doc.Left("element"), doc.Left("what"), doc.Left("of"),
		doc.Left(host).Keyed("own"), doc.Left("there").Keyed("other"))
	for _, l := range all {
		for i, x := range l.Differs {
			media := doc.Medium(0)
			if i >= 15 && !verbose {
				media = doc.Data
			}
			differ.AddOn(media, l.Host, x.Element, x.Attribute, x.Layer.String(), cmp.Or(x.Own, "unset"), cmp.Or(x.Other, "unset"))
		}
	}
	addBelow(d, "In what they differ", differ)
	if !verbose {
		d.Line("Of each host the first 15 differences; -v lists all.")
	}
}

// PastPruned says what was removed from a history.
func PastPruned(d *Document, p *history.Pruned) {
	d.Line("%s before %s UTC: raw text removed, %s with %.1f MB compressed. Their facts and findings stay.",
		Plural(int(p.Snapshots), "snapshot"), p.Before.Format(time.DateTime), Plural(int(p.Outputs), "output"), float64(p.Bytes)/1e6)
	d.Line("%s still with raw text; the last one of each host always.", Plural(int(p.Kept), "snapshot"))
}

// PastRestored lists hosts that were written as folders.
func PastRestored(d *Document, all []past.Restored) {
	t := doc.NewWrapped("hosts", doc.Left("host"), doc.Left("read UTC"), doc.Left("folder"), doc.Left("problem"))
	for _, r := range all {
		t.Add(r.Host, minuteOf(r.Taken), Dash(r.Dir), Dash(r.Error))
	}
	d.Table(t)
}
