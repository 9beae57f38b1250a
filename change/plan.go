package change

import (
	"time"

	"seaworthy/audit"
)

// SchemaPlan names the format of plan.json.
const SchemaPlan = "seaworthy.plan/1"

// Plan is an ordered list of steps. It is stable to the byte for unchanged
// hosts: nothing in it depends on the time or on map order.
type Plan struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"` // digest of the content below
	Hosts   []string  `json:"hosts"`
	Steps   []Step    `json:"steps"`
	Refused []Refusal `json:"refused,omitempty"` // wanted but cannot be planned, with the reason
}

// Step changes one attribute of one element (or several that must change in
// one command) on one host.
type Step struct {
	ID       string          `json:"id"` // stable: lpar1:en0:mtu_bypass
	Host     string          `json:"host"`
	Element  string          `json:"element"`
	Settings []audit.Setting `json:"settings"`
	Before   []audit.Setting `json:"before"`            // values the plan was made against (running)
	Pending  bool            `json:"pending,omitempty"` // ODM only: takes effect at the next boot
	Class    string          `json:"class"`
	Outage   string          `json:"outage"`        // in words
	Why      []string        `json:"why,omitempty"` // finding ids
	Do       []string        `json:"do"`            // exact command lines, in order
	Verify   []Check         `json:"verify"`
	Undo     []string        `json:"undo"`
}

// Check reads a value back.
type Check struct {
	Command string `json:"command"`
	Attr    string `json:"attr"`
	Want    string `json:"want"`
}

// Refusal says why a wanted setting is not in the plan.
type Refusal struct {
	Setting audit.Setting `json:"setting"`
	Reason  string        `json:"reason"`
}

// Outcome of a run.
type Outcome string

const (
	Applied    Outcome = "applied"
	RolledBack Outcome = "rolled-back" // a step failed or was interrupted; what was done is undone
	Partial    Outcome = "partial"     // the undo itself failed: the journal says where
	Running    Outcome = "running"
)

// Run is the state of a plan being applied, as its journal tells it.
type Run struct {
	ID      string    `json:"id"`
	Plan    string    `json:"plan"`
	Started time.Time `json:"started"`
	Outcome Outcome   `json:"outcome"`
	Steps   []StepRun `json:"steps"`
}

// StepRun is what became of one step.
type StepRun struct {
	Step  string `json:"step"`
	State string `json:"state"` // waiting, doing, done, failed, undone, undo-failed
	Error string `json:"error,omitempty"`
}
