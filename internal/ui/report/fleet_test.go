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
			{Zone: control.Zone{Name: "cut"}, Hosts: 9, Held: 1, Reading: 4, Collector: "box-1", Seen: seen},
			{Zone: control.Zone{Name: "dmz"}, Hosts: 8, Waiting: 3, Held: 4, Reading: 2, Collector: "box-2", Connected: true, Seen: seen},
		})
	}, doc.Screen{})
	want := "zone  hosts  waiting  reading  spooled  collector  last heard UTC\n" +
		"cut       9        0        4        0  box-1      2026-11-27 10:00\n" +
		"dmz       8        5        2        0  box-2      now\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
