// Package replay runs the experiments that the project's sources report on a
// lab of its own, and compares what they measured with what this machine does.
//
// Every experiment is data (experiments/*.yaml): paths through topologies,
// variants as command lines for the nodes, workloads that bench measures or
// commands whose printed figures are found by expressions, the published
// figures, and the claims that were drawn from them. Run starts the topology,
// measures every path in every variant in randomised blocks, and takes the lab
// down. A new experiment is an entry there; it needs no Go.
//
// A claim is judged by our own interval, in the direction in which it was made:
// it holds, it does not, or the trials did not show it. Both ratios are given.
// Why a claim holds less, or not, follows from what the trials measured: the
// line that was full, the processors that were busy, the window that held the
// sender back, and from what the lab says its attributes do. What a lab cannot
// do is "not in this lab", with the reason; nothing is scaled to resemble the
// source's machines.
//
// Results keep the seed of their order, samples and limits. An interrupted run
// keeps the trials that were finished.
package replay

import (
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
)

// Schema names the form of a Result.
const Schema = "seaworthy.replay/3"

// Result is the complete result of a replay.
type Result struct {
	Schema      string    `json:"schema"`
	Started     time.Time `json:"started"`
	Ended       time.Time `json:"ended"`
	Machine     Machine   `json:"machine"`
	Seed        uint64    `json:"seed"` // of the order of trials
	Quick       bool      `json:"quick"`
	Experiments []Outcome `json:"experiments"`
}

// Machine is the machine that the lab ran on.
type Machine struct {
	Kernel   string `json:"kernel"`
	Arch     string `json:"arch"`
	CPUs     int    `json:"cpus"`
	Rootless bool   `json:"rootless"` // the lab had no privilege
}

// States of an outcome.
const (
	Measured    = "measured"
	Interrupted = "interrupted" // what is there was finished before
	Failed      = "failed"      // likewise
	NotInLab    = "not in this lab"
)

// Outcome is one experiment, replayed.
type Outcome struct {
	About
	State   string            `json:"state"`
	Reason  string            `json:"reason,omitempty"` // why it is not measured, or not to its end
	Trials  int               `json:"trials"`
	Seconds float64           `json:"seconds"`               // it took in all
	Load    *float64          `json:"load_before,omitempty"` // load average, from other work
	Cases   []Case            `json:"cases"`                 // in the source's order
	Claims  []Verdict         `json:"claims"`
	Results []*measure.Result `json:"bench,omitempty"` // every trial; only in the file that is kept
}

// Case is one state that was measured.
type Case struct {
	Name    string   `json:"case"`
	Figures []Figure `json:"figures"`
	Limits  []string `json:"limits,omitempty"` // what held it back, as measured
}

// Figure is the source's and ours of one case. Figures are named and have units
// as in package bench; commands of an experiment add their own.
type Figure struct {
	Figure    string         `json:"figure"`
	Published *float64       `json:"published,omitempty"`
	Ours      *stats.Summary `json:"ours,omitempty"`
	Samples   []float64      `json:"samples,omitempty"`
}

// Answers to a claim.
const (
	Holds    = "holds"
	Fails    = "does not hold"
	NotShown = "not shown"
)

// Verdict is whether a claim holds here.
type Verdict struct {
	Claim
	Limit     *float64 `json:"limit,omitempty"`     // of a claim on one case
	Published *float64 `json:"published,omitempty"` // the source's ratio, or figure
	Ours      *Span    `json:"ours,omitempty"`
	Answer    string   `json:"answer"`         // Holds, Fails, NotShown, NotInLab
	Less      bool     `json:"less,omitempty"` // it holds, but less than in the source
	Why       []string `json:"why,omitempty"`
}

// Span is a value with its 95 % interval; the ends are absent with one block.
type Span struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	N     int      `json:"n"`
}
