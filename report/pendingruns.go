package report

import (
	"strings"
	"time"

	"seaworthy/change/watchdog"
)

// PendingRuns prints what hosts report on the runs that their watchdogs hold.
func PendingRuns(p *Printer, states []watchdog.State) {
	if len(states) == 0 {
		return
	}
	t := Table{Head: []string{"host", "run", "state", "left", "note"}, Wrap: true}
	for _, s := range states {
		left, note := "-", ""
		if s.Phase == watchdog.Armed {
			left = (time.Duration(s.Left) * time.Second).String()
			if s.Watchers == 0 {
				left, note = "-", "no watchdog is running: confirm or roll back"
			}
		}
		if s.Phase == watchdog.Failed || s.Phase == watchdog.Reverted {
			note = strings.Join(s.Log, "; ")
		}
		t.Add(Safe(s.Host), Safe(s.Run), string(s.Phase), left, Safe(note))
	}
	t.Print(p)
}
