package rehearsed

import (
	"fmt"
	"slices"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/predict"
)

// Schema names the format of a rehearsal's result.
const Schema = "seaworthy.rehearsal/1"

// Result is what a rehearsal found.
type Result struct {
	Schema  string    `json:"schema"`
	Plan    plan.ID   `json:"plan"`
	Lab     string    `json:"lab"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	// Edited says what somebody changed in the plan after it was made: apply refuses such a plan.
	Edited []string `json:"edited,omitempty"`
	// AsPlanned: all was tried, no step hurt more than its class, and each trial ended as it must.
	AsPlanned bool `json:"as_planned"`

	// Hosts are those of the plan as they were before: for a copy the hosts that were read.
	Hosts map[string]Host `json:"hosts"`
	// Noise is the longest gap of the copy while nothing changed, with one and a half packets added: what is
	// shorter says nothing of a step.
	Noise     time.Duration `json:"noise_ns"`
	Watched   []string      `json:"watched"`        // pairs of interfaces
	Pairs     int           `json:"pairs"`          // how many there are
	Steps     []Step        `json:"steps"`          // of the plan and what follows its reboots
	Phases    []Phase       `json:"phases"`         // in the order they were tried
	Copy      []Part        `json:"copy,omitempty"` // what of the network is in it, and how; nil: a lab that ran
	LeftOut   []string      `json:"left_out"`       // of the plan and its pairs, since the copy lacks them, and why
	NotTried  []string      `json:"not_tried"`      // what a lab cannot try
	TimeLines []TimeLine    `json:"time_lines"`     // what the pairs saw while the plan was applied, and while its hosts were rebooted
	Outside   []string      `json:"outside_steps"`  // gaps that began while no step was carried out

	Figures     []Figure `json:"figures"`      // of one path, before the plan and with it
	NotMeasured []string `json:"not_measured"` // figures that are missing, and why
}

// MaxSize is the size of the largest result that is read, in bytes.
const MaxSize = 64 << 20

// Parse reads a result from a file of that name.
func Parse(name string, text []byte) (*Result, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	err := decode.JSON(name, text, &head, decode.Newer)
	if err != nil {
		return nil, err
	}
	err = decode.Format(head.Schema, Schema, "rehearse again")
	if err != nil {
		return nil, fmt.Errorf("rehearsal %s: %w", name, err)
	}
	r := &Result{}
	err = decode.JSON(name, text, r, decode.Newer)
	if err != nil {
		return nil, err
	}
	for _, line := range r.TimeLines {
		if len(line.Pairs) != len(r.Watched) {
			return nil, fmt.Errorf("rehearsal %s: trial %q has %d pairs, and %d were watched (rehearse again)",
				name, line.Trial, len(line.Pairs), len(r.Watched))
		}
	}
	return r, nil
}

// TimeLine is what the pairs saw during a trial.
type TimeLine struct {
	Trial string `json:"trial"` // the name of its phase
	Watched
}

// Phase is one trial of the plan.
type Phase struct {
	Name    string        `json:"name"` // apply, rollback, lost session, step STEP fails, reboot
	What    string        `json:"what"` // in words
	Started time.Time     `json:"started"`
	Ended   time.Time     `json:"ended"`
	Outcome string        `json:"outcome"` // of the run
	Want    string        `json:"want"`    // old values, new values
	Values  string        `json:"values"`  // as they were found: old values, new values, or which differ
	Longest time.Duration `json:"longest_gap_ns"`
	Error   string        `json:"error,omitempty"`
}

// OK says whether the phase ended as it must.
func (p Phase) OK() bool { return p.Values == p.Want && p.Error == "" }

// Worse says whether a step hurt more than its class, or an end is not as planned.
func (r *Result) Worse() bool {
	step := func(s Step) bool { return len(s.Worse) > 0 }
	phase := func(p Phase) bool { return !p.OK() }
	return slices.ContainsFunc(r.Steps, step) || slices.ContainsFunc(r.Phases, phase)
}

// Ends of a phase.
const (
	OldValues = "old values"
	NewValues = "new values"
)

// Step is what a step of the plan cost when it was applied.
type Step struct {
	ID      string    `json:"id"`
	Host    string    `json:"host,omitempty"`
	Element string    `json:"element"`
	What    string    `json:"what"`
	Class   string    `json:"class"`
	Outage  string    `json:"outage"` // the class in words
	Began   time.Time `json:"began,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`

	Longest time.Duration `json:"longest_gap_ns"` // without packets, of one direction of one pair
	Lost    int           `json:"lost"`           // packets of all pairs
	Felt    []string      `json:"felt,omitempty"` // pairs that lost packets, with the longest gap of each
	Others  []string      `json:"others,omitempty"`
	Broke   []string      `json:"broke,omitempty"` // pairs whose TCP connection broke
	// Worse says in what the step hurt more than its class; empty: it did not.
	Worse []string `json:"worse,omitempty"`
	State string   `json:"state"` // as the run has it: done, failed, …
	// Pending: it writes the value of the next boot only.
	Pending bool `json:"pending,omitempty"`
}

// Figure is one of a path, before the plan and with it: as measured in the copy, and as predicted for the network that
// was read. Nil: not measured, or not known.
type Figure struct {
	From            model.Ref         `json:"from"`
	To              model.Ref         `json:"to"`
	Load            string            `json:"load"`
	Name            string            `json:"figure"` // throughput in bit/s, transactions in 1/s, cores of the path
	Before          *float64          `json:"copy_before,omitempty"`
	After           *float64          `json:"copy_after,omitempty"`
	PredictedBefore *predict.Estimate `json:"predicted_before,omitempty"`
	PredictedAfter  *predict.Estimate `json:"predicted_after,omitempty"`
}

// Host is a host of a plan as its copy was made: every setting that was read, "running / next boot" by "element
// attribute", no for tunables.
type Host struct {
	Read     time.Time         `json:"read"`
	Settings map[string]string `json:"settings"`
}

// Part is a part of the network, and what became of it in the copy.
type Part struct {
	Fate string `json:"fate"` // AsRead, assumed, stands in, left out
	What string `json:"what"`
	Why  string `json:"why"`
}

// AsRead is the fate of a part that the copy has as the network does.
const AsRead = "as read"

// PageTitle heads the page of a rehearsal.
func (r *Result) PageTitle() string { return fmt.Sprintf("Rehearsal of plan %s", r.Plan) }

// PageSummary says in a few lines how it went: of each step and trial that is not as planned the first trouble.
func (r *Result) PageSummary() []string {
	const most = 5
	if r.AsPlanned {
		return []string{"All as planned."}
	}
	var out []string
	for _, s := range r.Steps {
		switch n := len(s.Worse); n {
		case 0:
		case 1:
			out = append(out, fmt.Sprintf("%s: %s", s.ID, s.Worse[0]))
		default:
			out = append(out, fmt.Sprintf("%s: %s (and %d more)", s.ID, s.Worse[0], n-1))
		}
	}
	for _, p := range r.Phases {
		out = append(out, p.troubles()...)
	}
	if len(out) == 0 {
		return []string{r.NotWhole()}
	}
	if len(out) > most {
		out = append(out[:most], fmt.Sprintf("and %d more", len(out)-most))
	}
	return out
}

// NotWhole says why a rehearsal without trouble does not show that the plan goes as planned.
func (r *Result) NotWhole() string {
	if len(r.LeftOut) > 0 {
		return "What was tried went as planned; what is left out was not tried."
	}
	return "The rehearsal did not come to its end: it does not show that the plan goes as planned."
}

// Troubles are what is not as planned, a line each.
func (r *Result) Troubles() (out []string) {
	for _, s := range r.Steps {
		for _, w := range s.Worse {
			out = append(out, fmt.Sprintf("%s: %s", s.ID, w))
		}
	}
	for _, p := range r.Phases {
		out = append(out, p.troubles()...)
	}
	return out
}

// troubles are what is not as planned in a phase.
func (p Phase) troubles() (out []string) {
	if p.Values != p.Want {
		out = append(out, fmt.Sprintf("%s: wanted %s; %s", p.Name, p.Want, p.Values))
	}
	if p.Error != "" {
		out = append(out, fmt.Sprintf("%s: %s", p.Name, p.Error))
	}
	return out
}
