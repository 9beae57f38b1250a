package replay

import (
	"time"

	"seaworthy/bench"
	"seaworthy/bench/stats"
)

// Schema names the form of a Result.
const Schema = "seaworthy.replay/1"

// Result is what a replay gave, complete in itself.
type Result struct {
	Schema      string    `json:"schema"`
	Started     time.Time `json:"started"`
	Ended       time.Time `json:"ended"`
	Machine     Machine   `json:"machine"`
	Seed        uint64    `json:"seed"` // of the order of trials
	Quick       bool      `json:"quick"`
	Experiments []Outcome `json:"experiments"`
}

// Machine is what the lab ran on.
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
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Source   string          `json:"source"`
	System   string          `json:"seed_system"`
	Tool     string          `json:"seed_tool"`
	Topology string          `json:"topology,omitempty"`
	State    string          `json:"state"`
	Reason   string          `json:"reason,omitempty"` // why it is not measured, or not to its end
	Trials   int             `json:"trials"`
	Seconds  float64         `json:"seconds"`                 // it took in all
	Rest     *float64        `json:"cores_at_rest,omitempty"` // busy before the trials, with other work
	Cases    []Case          `json:"cases"`                   // in the source's order
	Ratios   []Ratio         `json:"ratios,omitempty"`        // between cases, one for every claim that compares two
	Claims   []Verdict       `json:"claims"`                  //
	Matrix   *Matrix         `json:"matrix,omitempty"`        // E002
	Round    []Trip          `json:"round,omitempty"`         // E002: round trips
	Notes    []string        `json:"notes,omitempty"`         // on the source, and on how the replay differs
	Results  []*bench.Result `json:"bench,omitempty"`         // every trial; only in the file that is kept
}

// Case is one state that was measured.
type Case struct {
	Name    string   `json:"case"`
	Figures []Figure `json:"figures"`
	Limits  []string `json:"limits,omitempty"` // what held it back, as measured
}

// Figure is the source's and ours of one case. Figures are named and have units
// as in package bench; besides there are ours of a method.
type Figure struct {
	Figure  string         `json:"figure"`
	Seed    *float64       `json:"seed,omitempty"`
	Ours    *stats.Summary `json:"ours,omitempty"`
	Samples []float64      `json:"samples,omitempty"`
}

// Ratio compares two cases by a figure.
type Ratio struct {
	Figure string        `json:"figure"`
	Of     string        `json:"of"`
	To     string        `json:"to"`
	Seed   *float64      `json:"seed,omitempty"`
	Ours   *stats.Effect `json:"ours,omitempty"`
}

// Answers to a claim.
const (
	Holds    = "holds"
	Fails    = "does not hold"
	NotShown = "not shown"
)

// Verdict is whether a claim holds here.
type Verdict struct {
	Claim   string   `json:"claim"`
	Printed string   `json:"printed,omitempty"` // the source's words or numbers on it
	Expect  string   `json:"expect,omitempty"`
	Figure  string   `json:"figure,omitempty"`
	Of      string   `json:"of,omitempty"`
	To      string   `json:"to,omitempty"`
	Limit   *float64 `json:"limit,omitempty"` // of a claim on one case
	Seed    *float64 `json:"seed,omitempty"`  // the source's ratio, or figure
	Ours    *Span    `json:"ours,omitempty"`
	Answer  string   `json:"answer"`         // Holds, Fails, NotShown, NotInLab
	Less    bool     `json:"less,omitempty"` // it holds, but less than in the source
	Why     []string `json:"why,omitempty"`
}

// Span is a value with its 95 % interval; the ends are absent with one block.
type Span struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	N     int      `json:"n"`
}

// Matrix is a table of hosts by hosts.
type Matrix struct {
	Windows []int        `json:"windows"`
	Hosts   []MatrixHost `json:"hosts"`
	Options []string     `json:"options"`
	Cells   []MatrixCell `json:"cells"`
}

// MatrixHost is a node and what the source calls it.
type MatrixHost struct {
	Node   string `json:"node"`
	Seed   string `json:"seed"`
	System string `json:"system"`
}

// MatrixCell is one way through the matrix with one window.
type MatrixCell struct {
	From       string         `json:"from"`
	Option     string         `json:"option"`
	To         string         `json:"to"`
	Far        string         `json:"far_option"`
	Window     int            `json:"window"`
	Seed       float64        `json:"seed"` // bit/s
	Ours       *stats.Summary `json:"ours,omitempty"`
	Colour     string         `json:"colour,omitempty"` // of ours, by the source's legend
	SeedColour string         `json:"seed_colour"`
}

// Trip is a row of the table of round trips.
type Trip struct {
	Network   string         `json:"network"`
	Reference *float64       `json:"reference_ms,omitempty"`
	Seed      float64        `json:"seed_ms"`
	Ours      *stats.Summary `json:"ours_ms,omitempty"`
	Set       *float64       `json:"set_ms,omitempty"`    // part of ours that is a delay of the cables, there and back, as it was set
	Rate      uint64         `json:"line_rate,omitempty"` // bit/s of the slowest line; absent inside a system
	SeedBDP   float64        `json:"seed_bdp_bytes"`      // bandwidth-delay product
	BDP       *float64       `json:"bdp_bytes,omitempty"`
	Absent    string         `json:"absent,omitempty"`
}
