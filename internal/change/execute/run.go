package execute

import (
	"cmp"
	"slices"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
)

// Outcome of a run.
type Outcome string

const (
	Running    Outcome = "running" // or killed: see Run.Gone
	Applied    Outcome = "applied"
	RolledBack Outcome = "rolled-back" // what was done is undone
	Partial    Outcome = "partial"     // an undo failed: the steps say where
	Pending    Outcome = "pending"     // done and verified; the hosts take it back unless somebody confirms
)

// Run is the state of a plan being applied, as its journal has it.
type Run struct {
	ID      string    `json:"id"`
	Plan    plan.ID   `json:"plan"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
	Outcome Outcome   `json:"outcome"`
	Steps   []StepRun `json:"steps"`
	Error   string    `json:"error,omitempty"`
	Lookup  Lookup    `json:"lookup,omitzero"`
	// The journal has no end and no process of this machine writes it: the one that
	// carried the run out was killed.
	Gone bool `json:"process_gone,omitempty"`
	// Of a run that is to be confirmed: how long the hosts wait, and what they
	// say of it now, if they were asked.
	Within string           `json:"confirm_within,omitempty"`
	Hosts  []watchdog.State `json:"hosts,omitempty"`
	// Of a run that is to be confirmed: where its hosts were when it began, and which of them
	// were moved, rebooted or updated live since, if they were asked.
	Placed []Placement `json:"placed,omitempty"`
	Moves  []Move      `json:"moves,omitempty"`
	// Hosts that must be rebooted before all of an applied run is in force.
	Waits []string `json:"waits_for_reboot,omitempty"`
}

// StepRun holds what became of one step.
type StepRun struct {
	Step  string        `json:"step"`
	State string        `json:"state"` // waiting, doing, done, failed, undoing, undone, undo-failed
	Prior []task.Change `json:"prior,omitempty"`
	How   string        `json:"how,omitempty"` // of a manual step: how it is known that it is done
	Error string        `json:"error,omitempty"`
	// When its commands began, and when it was done or had failed; zero: not yet.
	Began time.Time `json:"began,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
	// Of values for the next boot: whether they are in force, and if not, what
	// runs until then.
	PendingState PendingState `json:"next_boot,omitempty"`
	Drift        string       `json:"drift,omitempty"`
}

// Over reports whether nothing is left to do for a run: it was rolled back, or applied and no
// host has to be rebooted for it.
func (r *Run) Over() bool {
	return r.Outcome == RolledBack || r.Outcome == Applied && len(r.Waits) == 0
}

func newRun(id string, p *plan.Plan) *Run {
	r := &Run{ID: id, Plan: p.ID, Outcome: Running}
	for _, s := range p.Steps {
		r.Steps = append(r.Steps, StepRun{Step: s.ID, State: "waiting"})
	}
	return r
}

// replay replays one event.
func (r *Run) replay(e event) {
	switch e.Event {
	case evBegin:
		r.Started, r.Within, r.Lookup = e.Time, e.Within, e.Lookup
		r.Placed = e.Placed
	case evMoved:
		r.Moves = e.Moves
	case evPending:
		r.Outcome = Pending
	case evEnd:
		r.Outcome, r.Ended = e.Outcome, e.Time
		r.Error = cmp.Or(e.Error, r.Error)
		r.undone()
	}
	i := slices.IndexFunc(r.Steps, func(s StepRun) bool { return s.Step == e.Step })
	switch {
	case i < 0:
	case e.Event == evPrior:
		r.Steps[i].Prior = e.Prior
	case e.Event == evBoot:
		r.Steps[i].PendingState, r.Steps[i].Drift = e.PendingState, ""
	default:
		s := &r.Steps[i]
		s.State, s.How, s.Error = e.Event, cmp.Or(e.How, s.How), cmp.Or(e.Error, s.Error)
		s.time(e)
	}
}

// time notes when the step was carried out.
func (s *StepRun) time(e event) {
	switch e.Event {
	case evDoing:
		s.Began = e.Time
	case evDone, evFailed:
		s.Ended = e.Time
	}
}

// undone notes the steps of a run that was taken back: hosts that did that by
// themselves did not write it into the journal.
func (r *Run) undone() {
	for i := range r.Steps {
		if r.Outcome == RolledBack && r.Steps[i].undoable() {
			r.Steps[i].State = evUndone
		}
	}
}

// undoable says whether a step may have changed its host and must be undone.
func (s StepRun) undoable() bool {
	switch s.State {
	case evDoing, evDone, evFailed, evUndoing, evNotUndid:
		return s.Prior != nil
	}
	return false
}

// wait gives the steps of an applied plan that left values for the next boot
// their state, unless the journal has one.
func (r *Run) wait(p *plan.Plan) {
	r.Waits = nil
	if r.Outcome == RolledBack {
		r.waitForUndone(p)
	}
	if r.Outcome != Applied {
		return
	}
	for i, s := range p.Steps {
		if s.Pending && r.Steps[i].State == evDone && r.Steps[i].PendingState == "" {
			r.Steps[i].PendingState = Waiting
		}
		if r.Steps[i].PendingState == Waiting && !slices.Contains(r.Waits, s.Host) {
			r.Waits = append(r.Waits, s.Host)
		}
	}
}

// waitForUndone says of steps that were undone whether a reboot is needed for that: only for
// those whose values were in force.
func (r *Run) waitForUndone(p *plan.Plan) {
	for i, s := range p.Steps {
		step := &r.Steps[i]
		step.Drift = ""
		switch {
		case !s.Pending || step.State != evUndone:
		case step.PendingState == InForce || step.PendingState == StillActive:
			step.PendingState = StillActive
			if !slices.Contains(r.Waits, s.Host) {
				r.Waits = append(r.Waits, s.Host)
			}
		case step.PendingState != NeverActive:
			step.PendingState = ""
		}
	}
}
