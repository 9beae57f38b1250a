package report_test

import (
	"testing"
	"time"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// A collector that was cut off last said what it read then, while the queue tells what it holds now: no number is below zero.
func TestFleetZones(t *testing.T) {
	seen := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
	got := printed(t, func(d *report.Document) {
		report.FleetZones(d, []control.ZoneState{
			{Zone: control.Zone{Name: "cut"}, Hosts: 9, Held: 1, Reading: 4, Collector: "box-1", Seen: seen, Silent: true},
			{Zone: control.Zone{Name: "dmz"}, Hosts: 8, Waiting: 3, Held: 4, Reading: 2, Collector: "box-2", Connected: true, Seen: seen},
		})
	}, doc.Screen{})
	want := "zone  hosts  waiting  reading  spooled  collector  last heard UTC\n" +
		"cut       9        0        4        0  box-1      2026-11-27 10:00\n" +
		"dmz       8        5        2        0  box-2      now\n" +
		"zone cut is silent: last heard of at 2026-11-27 10:00:00 UTC; jobs and results wait until seaworthy fleet join there reaches the hub\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A sweep that waits for a silent zone says so, and does not say how long it takes.
func TestFleetSweepWaits(t *testing.T) {
	begun := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
	s := control.Sweep{ID: "s1", Words: []string{}, Begun: begun, All: 5, Read: 2, Zones: []control.Part{
		{Zone: "cut", All: 3, Silent: true, Seen: begun.Add(7 * time.Second)}, {Zone: "dmz", All: 2, Done: 2}}}
	got := printed(t, func(d *report.Document) { report.FleetSweep(d, &s) }, doc.Screen{})
	want := "sweep   s1 of all hosts\n" +
		"begun   2026-11-27 10:00 UTC\n" +
		"hosts   5: 2 read, 0 read in part, 0 not read, 3 to come\n\n" +
		"zone  hosts  done\n" +
		"cut       3     0\n" +
		"dmz       2     2\n" +
		"zone cut is silent, 3 hosts to come: last heard of at 2026-11-27 10:00:07 UTC\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	got = printed(t, func(d *report.Document) { report.FleetSweeps(d, []control.Sweep{s}) }, doc.Screen{})
	want = "sweep  begun UTC         hosts  read  in part  not read  state\n" +
		"s1     2026-11-27 10:00      5     2        0         0  under way, silent: cut\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
