package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/past"
	"seaworthy/internal/history"
	"seaworthy/internal/ui/report/doc"
)

// someChanges is how many changes are listed; verbose lists all.
const someChanges = 40

// toTheMinute is a time in UTC, as tables have it.
const toTheMinute = "2006-01-02 15:04"

func minuteOf(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(toTheMinute)
}

// timesOf is how the times before and after changes are written: to the minute, or to the second where snapshots were taken
// within one.
func timesOf(all ...history.Change) func(time.Time) string {
	for _, c := range all {
		if !c.LastSeen.Equal(c.FirstSeen) && minuteOf(c.LastSeen) == minuteOf(c.FirstSeen) {
			return secondOf
		}
	}
	return minuteOf
}

func secondOf(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.DateTime)
}

// HistoryAdded says what became of folders that were added to a history.
func HistoryAdded(d *Document, a *past.Addition) {
	entry := func(head, text string) { d.Entry(doc.Styled(doc.Dim, fmt.Sprintf("%-7s", head)), text) }
	for _, f := range a.Failed {
		d.Entry(doc.Styled(doc.Bad, "NOT READ"), f.Error)
	}
	entry("history", a.History)
	added := Plural(a.New, "snapshot")
	if a.New > 0 {
		added += " of " + Plural(len(a.Hosts), "host")
	}
	if a.Known > 0 {
		added += fmt.Sprintf("; %d were there already", a.Known)
	}
	if a.Rebuilt > 0 {
		added += fmt.Sprintf("; %s older than others of the host", Plural(a.Rebuilt, "snapshot"))
	}
	entry("added", added)
	entry("facts", fmt.Sprintf("%d new, %d changed (findings with them)", a.Facts, a.Changed))
	if a.Runs > 0 {
		entry("runs", Plural(a.Runs, "run")+" that changed hosts")
	}
	if a.Results > 0 {
		entry("results", Plural(a.Results, "measurement")+" new")
	}
	t := doc.NewTable("added", doc.Right("snapshots"), doc.Right("known"), doc.Right("hosts"), doc.Right("facts"), doc.Right("changed"))
	t.Media = doc.Data
	t.Add(a.New, a.Known, len(a.Hosts), a.Facts, a.Changed)
	d.Table(t)
}

// HistoryResults lists what was measured.
func HistoryResults(d *Document, all []history.Result) {
	t := doc.NewWrapped("results", doc.Left("at UTC"), doc.Left("kind"), doc.Left("result"), doc.Left("hosts"))
	for _, r := range all {
		t.Add(minuteOf(r.Made), r.Kind, r.Summary, strings.Join(r.Hosts, " "))
	}
	d.Table(t)
}

// HistoryHosts lists the hosts of a history.
func HistoryHosts(d *Document, all []history.Span) {
	columns := []doc.Column{doc.Left("host"), doc.Right("snapshots"), doc.Left("first UTC"), doc.Left("last UTC"), doc.Left("state")}
	zones := slices.ContainsFunc(all, func(h history.Span) bool { return h.Zone != "" })
	if zones {
		columns = slices.Insert(columns, 1, doc.Left("zone"))
	}
	t := doc.NewWrapped("hosts", columns...)
	for _, h := range all {
		cells := []any{h.Host, h.Snapshots, minuteOf(h.First), minuteOf(h.Last), seen(h)}
		if zones {
			cells = slices.Insert(cells, 1, any(Dash(h.Zone)))
		}
		t.Add(cells...)
	}
	addOr(d, t, "No hosts: seaworthy history add DIR adds snapshots.")
}

const wasRead = "read"

// seen says how a host was read last.
func seen(h history.Span) string {
	switch {
	case h.NotSeen() && h.Snapshots == 0:
		return fmt.Sprintf("never read; not reached at %s: %s", minuteOf(h.Missed), h.Why)
	case h.NotSeen():
		return fmt.Sprintf("not seen since; not reached at %s: %s", minuteOf(h.Missed), h.Why)
	case h.Problem != "":
		return "not read to its end: " + h.Problem
	}
	return wasRead
}

// HistorySince says when an attribute or a rule's verdict changed, and what else changed then.
func HistorySince(d *Document, s *past.Since, verbose bool) {
	if s.Title != "" {
		d.Line("%s  %s", s.Attribute, s.Title)
		d.Gap()
	}
	if len(s.Changes) == 0 {
		d.Line("%s did not change in the snapshots of the history.", s.Attribute)
	}
	addChanges(d, "changes", s.Changes, false, verbose)
	addNow(d, s)
	if len(s.Changes) > 0 {
		latest := s.Changes[0]
		shown := timesOf(latest)
		from, to := shown(latest.LastSeen), shown(latest.FirstSeen)
		head := fmt.Sprintf("What else changed within an hour of %s (%s – %s)", latest.Ref, from, to)
		d.Subheading(head)
		if len(s.Beside) == 0 {
			d.Line("Nothing else that the history has.")
		}
		addChanges(d, "beside", s.Beside, true, verbose)
		switch {
		case s.Others > 0:
			d.Line("… and %s of other hosts; history diff shows all of them", Plural(s.More, "change"))
		case s.More > 0:
			d.Line("… and %s", Plural(s.More, "change"))
		}
	}
	addMissed(d, s.Missed)
}

// addMissed names the hosts whose facts may not hold any more.
func addMissed(d *Document, missed []history.Span) {
	if len(missed) == 0 {
		return
	}
	d.Subheading("Not seen since")
	for _, h := range missed {
		d.Entry(doc.Textf("%s", h.Host), fmt.Sprintf("%s; not reached at %s: %s", minuteOf(h.Last), minuteOf(h.Missed), h.Why))
	}
}

// addChanges lists changes, with or without the attribute.
func addChanges(d *Document, name string, all []history.Change, attributes, verbose bool) {
	if len(all) == 0 {
		return
	}
	t := doc.NewWrapped(name, doc.Left("at"), doc.Left("what"), doc.Left("before"), doc.Left("after"), doc.Left("last seen UTC"),
		doc.Left("first seen UTC"), doc.Left("by"))
	if !attributes {
		t.Columns[1] = doc.Left("value").Keyed("value")
	}
	listed, shown := 0, timesOf(all...)
	for _, c := range all {
		media := doc.Medium(0)
		if listed >= someChanges && !verbose {
			media = doc.Data
		}
		listed++
		what := layerOf(c)
		if attributes {
			what = strings.TrimSpace(c.Attribute + " " + layerNote(c))
		}
		t.AddOn(media, c.Ref, what, or(c.Before, "unset"), or(c.After, "unset"), shown(c.LastSeen), shown(c.FirstSeen), by(c))
	}
	d.Table(t)
	if !verbose && listed > someChanges {
		d.Line("… and %s (-v)", Plural(listed-someChanges, "change"))
	}
}

// layerOf says of which value a change is.
func layerOf(c history.Change) string {
	if c.Both {
		return "running and next boot"
	}
	return c.Layer.String()
}

// layerNote is the same beside an attribute: nothing where it goes without saying.
func layerNote(c history.Change) string {
	if c.Both || c.Layer == history.Running || c.Layer == history.Finding {
		return ""
	}
	return "(" + c.Layer.String() + ")"
}

// by names the runs that made a change.
func by(c history.Change) string {
	var out []string
	for _, r := range c.Runs {
		text := fmt.Sprintf("run %s at %s", r.Run, minuteOf(r.At))
		if c.After == nil || r.Value != *c.After {
			text += " set " + r.Value
		}
		out = append(out, text+" ("+r.Outcome+")")
	}
	return cmp.Or(strings.Join(out, "; "), "-")
}

// addNow lists the values of an attribute as they were read last.
func addNow(d *Document, s *past.Since) {
	if len(s.Values) == 0 {
		return
	}
	d.Subheading("As last read")
	t := doc.NewTable("now", doc.Left("value"), doc.Left("of"), doc.Right("elements"), doc.Right("hosts"), doc.Left("seen since UTC"))
	for _, v := range s.Values {
		t.Add(cmp.Or(v.Value, "unset"), v.Layer.String(), v.Elements, v.Hosts, minuteOf(v.Since))
	}
	d.Table(t)
}
