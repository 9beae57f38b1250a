package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/change/execute"
	"seaworthy/change/task"
	"seaworthy/change/watchdog"
)

// Run prints what became of a plan's steps.
func Run(p *Printer, r *execute.Run) {
	style := "good"
	switch r.Outcome {
	case execute.Applied:
	case execute.Pending:
		style = "medium"
	default:
		style = "bad"
	}
	p.Line("Run %s of plan %s: %s", r.ID, r.Plan, p.Style(style, string(r.Outcome)))
	t := Table{Head: []string{"step", "state", "error"}, Wrap: true}
	if slices.ContainsFunc(r.Steps, func(s execute.StepRun) bool { return s.How != "" }) {
		t.Head[2] = "note"
	}
	if p.HTML { // where there is room
		t.Head = append(t.Head, "change")
	}
	for _, s := range r.Steps {
		state := s.State
		if s.PendingState != "" {
			state += ", " + string(s.PendingState)
		}
		row := []string{s.Step, state, Safe(cmp.Or(s.Error, s.Drift, s.How))}
		if p.HTML {
			row = append(row, Safe(changed(s.Prior)))
		}
		t.Add(row...)
	}
	if len(r.Steps) > 0 {
		t.Print(p)
	}
	if len(r.Waits) > 0 {
		p.Prose("next", "restart "+strings.Join(r.Waits, ", ")+"; then seaworthy status "+r.ID+" verifies it")
	}
	PendingRuns(p, r.Hosts)
	if !slices.ContainsFunc(r.Steps, func(s execute.StepRun) bool { return s.Error == r.Error }) {
		p.Prose("error", r.Error)
	}
}

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
	if len(runs) == 0 {
		p.Line("No runs.")
		return
	}
	t := Table{Head: []string{"run", "plan", "started", "outcome", " steps"}}
	ofLab := slices.ContainsFunc(runs, func(r execute.Run) bool { return r.Lookup.Lab() != "" })
	if ofLab {
		t.Head = append(t.Head, "lab")
	}
	for _, r := range runs {
		started := "-"
		if !r.Started.IsZero() {
			started = r.Started.Format("2006-01-02 15:04:05")
		}
		outcome := string(r.Outcome)
		if len(r.Waits) > 0 {
			outcome += ", waits for a restart of " + strings.Join(r.Waits, ", ")
		}
		row := []string{short[r.ID], r.Plan.String(), started, outcome, fmt.Sprint(len(r.Steps))}
		if ofLab {
			row = append(row, Safe(r.Lookup.Lab()))
		}
		t.Add(row...)
		if r.Error == "" {
			continue
		}
		for _, line := range wrap(Safe(r.Error), p.Columns()-4) {
			t.Span("    " + line)
		}
	}
	t.Print(p)
	for _, r := range runs {
		PendingRuns(p, r.Hosts)
	}
}

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
