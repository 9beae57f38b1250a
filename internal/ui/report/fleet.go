package report

import (
	"fmt"
	"strings"
	"time"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/ui/report/doc"
)

// FleetSweep says how far a sweep is, and which hosts were not read.
func FleetSweep(d *Document, s *control.Sweep) {
	entry := func(head, text string) { d.Entry(doc.Styled(doc.Dim, fmt.Sprintf("%-6s", head)), text) }
	which := "all hosts"
	if len(s.Words) > 0 {
		which = strings.Join(s.Words, " ")
	}
	if s.By != "" {
		which += ", by schedule " + s.By
	}
	if s.User != "" {
		which += ", by " + s.User
	}
	entry("sweep", s.ID+" of "+which)
	entry("begun", minuteOf(s.Begun)+" UTC"+ending(s))
	entry("hosts", fmt.Sprintf("%d: %d read, %d read in part, %d not read, %d to come", s.All, s.Read, s.Partial, s.Failed, s.All-s.Done()))
	if len(s.Zones) > 1 {
		t := doc.NewTable("zones", doc.Left("zone"), doc.Right("hosts"), doc.Right("done"))
		for _, z := range s.Zones {
			t.Add(z.Zone, z.All, z.Done)
		}
		d.Gap()
		d.Table(t)
	}
	for _, z := range s.Silent() {
		d.Line("zone %s is silent, %s to come: %s", z.Zone, Plural(z.All-z.Done, "host"), lastHeard(z.Seen))
	}
	if len(s.Not) == 0 {
		return
	}
	d.Gap()
	t := doc.NewWrapped("not read", doc.Left("host"), doc.Left("zone"), doc.Left("outcome"), doc.Left("why"))
	for _, o := range s.Not {
		t.Add(o.Host, o.Zone, outcomeWords[o.Verdict], strings.TrimPrefix(o.Reason, o.Host+": "))
	}
	d.Table(t)
	more := s.Partial + s.Failed - len(s.Not)
	if more > 0 {
		d.Line("and %s more: seaworthy history ls lists when each was seen", Plural(more, "host"))
	}
}

// lastHeard says when a silent zone was heard of.
func lastHeard(at time.Time) string {
	if at.IsZero() {
		return "no collector was heard of since the hub began"
	}
	return "last heard of at " + at.UTC().Format(time.DateTime) + " UTC"
}

var outcomeWords = map[control.Verdict]string{control.Read: "read", control.Partial: "read in part", control.Failed: "not read"}

// ending is when a sweep ended, or may.
func ending(s *control.Sweep) string {
	switch {
	case !s.Ended.IsZero():
		return fmt.Sprintf(", ended after %s", s.Ended.Sub(s.Begun).Round(time.Second))
	case s.Left > 0:
		return fmt.Sprintf(", about %s left", s.Left)
	}
	return ""
}

// FleetSweeps lists sweeps.
func FleetSweeps(d *Document, all []control.Sweep) {
	if len(all) == 0 {
		d.Line("No sweeps: seaworthy fleet sweep begins one.")
		return
	}
	t := doc.NewTable("sweeps", doc.Left("sweep"), doc.Left("begun UTC"), doc.Right("hosts"), doc.Right("read"), doc.Right("in part"),
		doc.Right("not read"), doc.Left("state"))
	for _, s := range all {
		state := "ended"
		if s.Ended.IsZero() {
			state = "under way" + ofSilent(&s)
		}
		t.Add(s.ID, minuteOf(s.Begun), s.All, s.Read, s.Partial, s.Failed, state)
	}
	d.Table(t)
}

// ofSilent names the silent zones that a sweep waits for.
func ofSilent(s *control.Sweep) string {
	var names []string
	for _, z := range s.Silent() {
		names = append(names, z.Zone)
	}
	if len(names) == 0 {
		return ""
	}
	return ", silent: " + strings.Join(names, ", ")
}

// FleetZones lists zones.
func FleetZones(d *Document, all []control.ZoneState) {
	if len(all) == 0 {
		d.Line("No zones: seaworthy fleet token ZONE -o FILE makes one, seaworthy fleet join --token FILE is its collector.")
		return
	}
	t := doc.NewWrapped("zones", doc.Left("zone"), doc.Right("hosts"), doc.Right("waiting"), doc.Right("reading"), doc.Right("spooled"),
		doc.Left("collector"), doc.Left("last heard UTC"))
	for _, z := range all {
		heard := minuteOf(z.Seen)
		if z.Connected {
			heard = "now"
		}
		// What it holds is the queue's number now, what it reads its own, as last heard.
		waiting := z.Waiting + max(z.Held-z.Reading, 0)
		t.Add(z.Name, z.Hosts, waiting, z.Reading, z.Spooled, Dash(z.Collector), heard)
	}
	d.Table(t)
	for _, z := range all {
		if z.Silent {
			d.Line("zone %s is silent: %s; jobs and results wait until seaworthy fleet join there reaches the hub", z.Name, lastHeard(z.Seen))
		}
		if z.Refused > 0 {
			d.Line("zone %s: %s refused since the hub began; the last: %s", z.Name, Plural(z.Refused, "message"), z.LastReason)
		}
	}
}

// FleetSchedules lists schedules.
func FleetSchedules(d *Document, all []control.Schedule) {
	if len(all) == 0 {
		d.Line("No schedules: seaworthy fleet schedule put NAME CRON makes one.")
		return
	}
	t := doc.NewWrapped("schedules", doc.Left("schedule"), doc.Left("cron"), doc.Left("hosts"), doc.Left("next UTC"), doc.Left("last sweep"),
		doc.Left("note"))
	for _, s := range all {
		which := strings.Join(s.Words, " ")
		if which == "" {
			which = "all"
		}
		t.Add(s.Name, s.Cron, which, minuteOf(s.Next), Dash(s.Last), s.Note)
	}
	d.Table(t)
}
