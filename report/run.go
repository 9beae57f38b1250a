package report

import (
	"fmt"
	"strings"

	"seaworthy/change/execute"
	"seaworthy/change/task"
	"seaworthy/change/watchdog"
)

// Run prints what became of a plan's steps.
func Run(p *Printer, r *execute.Run) { p.Lay("run", r) }

// moods are how the outcomes look; any other is bad.
var moods = map[execute.Outcome]string{execute.Applied: "good", execute.Pending: "medium"}

// changed are what a step found and what it set, in words.
func changed(all []task.Change) string {
	var out []string
	for _, c := range all {
		out = append(out, fmt.Sprintf("%s: %s → %s", c.Name(), c.Before, c.After))
	}
	return strings.Join(out, "; ")
}

// Runs lists runs, one a line.
func Runs(p *Printer, runs []execute.Run, short map[string]string) {
	p.Lay("runs", map[string]any{"Runs": runs, "Short": short})
}

// PendingRuns prints what hosts report on the runs that their watchdogs hold.
func PendingRuns(p *Printer, states []watchdog.State) { p.Lay("pending", states) }
