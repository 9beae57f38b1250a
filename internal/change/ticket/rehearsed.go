package ticket

import "time"

// Evidence is what a plan's CHANGE.md rests on beside the plan.
type Evidence struct {
	Read      map[string]time.Time // when each host was read that the plan was made for; nil: not known
	Rehearsal *Rehearsal           // nil: the plan was not rehearsed
}

// Rehearsal is what was measured when a plan was tried in a copy of its network.
type Rehearsal struct {
	Ended  time.Time
	Pairs  int           // pairs of interfaces that were watched
	Noise  time.Duration // the longest gap of the copy while nothing changed
	Steps  []RehearsedStep
	Trials []RehearsedTrial
	// Path and what it carries, before the plan and with it; empty: not measured.
	Path    string
	Figures []RehearsedFigure

	Wrong  []string // what did not go as planned, a line each; empty: all did
	Limits []string // what the copy stands in for, assumes, leaves out or cannot try, with its reason
}

// RehearsedStep is what a step cost the traffic of the copy.
type RehearsedStep struct {
	On, What, Class string
	Milliseconds    string // the longest time without packets
	Lost            int    // packets of all pairs
	FeltBy, Result  string
}

// RehearsedTrial is one way in which the plan was tried.
type RehearsedTrial struct {
	What, Milliseconds, EndedWith, Result string
}

// RehearsedFigure is one of a path: as measured in the copy, and as predicted for the network itself.
type RehearsedFigure struct {
	Load, Figure, Before, After, PredictedBefore, PredictedAfter string
}
