package tune

import (
	"fmt"
	"math"
	"strings"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune/space"
)

// Goal holds what a study improves.
type Goal struct {
	Name   string
	Figure string  // of bench
	Unit   string  // that people read
	Scale  float64 // of the figure, in that unit
	Kind   load.Kind
	Better stats.Direction
}

// Goals are all there are.
var Goals = []Goal{
	{"throughput", measure.Throughput, "Mbit/s", 1e-6, load.Stream, stats.HigherIsBetter},
	{"tps", measure.Transactions, "transactions/s", 1, load.RequestResponse, stats.HigherIsBetter},
	{"latency", measure.LatencyP99, "µs (p99)", 1, load.RequestResponse, stats.LowerIsBetter},
	{"latency-p50", measure.LatencyP50, "µs (median)", 1, load.RequestResponse, stats.LowerIsBetter},
	{"cores-per-gbit", measure.PerGbps, "cores per Gbit/s", 1, load.Stream, stats.LowerIsBetter},
}

// GoalNames are the names of all goals.
func GoalNames() string {
	var out []string
	for _, g := range Goals {
		out = append(out, g.Name)
	}
	return strings.Join(out, ", ")
}

// GoalByName finds a goal.
func GoalByName(name string) (Goal, error) {
	for _, g := range Goals {
		if g.Name == name {
			return g, nil
		}
	}
	return Goal{}, fmt.Errorf("goal %q: expected %s", name, GoalNames())
}

// response is how much better a value is than another, on the log scale: +0.1 is
// 10 % better, whichever way the goal goes.
func (g Goal) response(value, than float64) float64 {
	return float64(g.Better) * math.Log(value/than)
}

// Schema names the form of a Result.
const Schema = "seaworthy.tune/1"

// Stage of a study.
type Stage string

const (
	Calibrate Stage = "calibrate"
	Screen    Stage = "screen"
	Race      Stage = "race"
	Refine    Stage = "refine"
	Prune     Stage = "prune"
	Confirm   Stage = "confirm"
)

// Result holds what a study found.
type Result struct {
	Schema  string    `json:"schema"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Goal    string    `json:"goal"`
	Unit    string    `json:"unit"` // of values below
	Started time.Time `json:"started"`
	Budget  float64   `json:"budget_s"`
	Seconds float64   `json:"seconds"` // of all trials
	Trials  int       `json:"trials"`
	Seed    uint64    `json:"seed"`
	Study   string    `json:"study,omitempty"` // file

	Space   *space.Space `json:"space"`
	Noise   Noise        `json:"noise"`
	Design  *Design      `json:"design,omitempty"`
	Effects []Effect     `json:"effects"`      // of each factor, the largest first
	Pairs   []Effect     `json:"interactions"` // of pairs of factors, where the design can tell
	Raced   []Candidate  `json:"race"`
	Cells   []Cell       `json:"cells"` // every combination that was measured
	Barred  []Barred     `json:"barred,omitempty"`
	// Guard rails that nothing that was measured could show to be broken.
	Unwatched []string `json:"unwatched,omitempty"`

	Found    bool       `json:"found"`            // a better state, confirmed on fresh blocks
	Winner   *Winner    `json:"winner,omitempty"` // nil: nothing went into confirmation
	Margin   float64    `json:"margin"`           // smallest gain that counts, as a share
	Plan     *plan.Plan `json:"plan,omitempty"`   // nil unless Found
	PlanFile string     `json:"plan_file,omitempty"`
	Reason   string     `json:"reason,omitempty"` // why nothing was found
}

// Noise holds what two trials of the same state differ by.
type Noise struct {
	Blocks int     `json:"blocks"`
	Share  float64 `json:"noise"`           // standard deviation of a trial, as a share of its value
	Drift  float64 `json:"drift,omitempty"` // over the stage, as a share; 0: none shown
	Value  float64 `json:"value"`           // present state, geometric mean, in the result's unit
	// That the screen can show in 4 of 5 studies, as a share; nil: there was none.
	Smallest *float64 `json:"smallest_effect,omitempty"`
}

// Effect holds what a factor, or two together, do to the goal: the ratio of better to
// worse is above 1 whichever way the goal goes.
type Effect struct {
	Factors []string `json:"factors"`
	Level   string   `json:"level,omitempty"` // that was screened against the present one
	Ratio   float64  `json:"ratio"`
	Low     *float64 `json:"low,omitempty"` // 95 % interval
	High    *float64 `json:"high,omitempty"`
	P       float64  `json:"p"`                 // of this effect alone
	Shown   bool     `json:"shown"`             // corrected for all effects that were looked at
	Aliases []string `json:"aliases,omitempty"` // that it cannot be told from
}

// Candidate is a combination in the race.
type Candidate struct {
	Settings string   `json:"settings"`
	Blocks   int      `json:"blocks"`          // until it was dropped, or to the end
	Ratio    *float64 `json:"ratio,omitempty"` // against the present state; nil: in no block
	Dropped  bool     `json:"dropped"`
}

// Cell holds what the trials of one combination gave.
type Cell struct {
	Settings string         `json:"settings"`
	N        int            `json:"n"`
	Median   float64        `json:"median"` // in the result's unit
	Low      *float64       `json:"low,omitempty"`
	High     *float64       `json:"high,omitempty"`
	Ratio    *stats.Summary `json:"ratio,omitempty"` // to the present state in the same block; above 1 is better
}

// Barred is a combination that was not tried again.
type Barred struct {
	Settings string `json:"settings"`
	Why      string `json:"why"`
}

// Winner is the combination that went into confirmation.
type Winner struct {
	Settings map[string]string `json:"settings"` // level by factor
	Words    string            `json:"words"`
	Run      space.Run         `json:"-"`
	Parts    []Part            `json:"parts"`
	Before   float64           `json:"before"` // median of the fresh blocks, in the result's unit
	After    float64           `json:"after"`
	Look     *stats.Look       `json:"confirmation"` // a ratio above 1 is better
	Most     int               `json:"most_blocks"`
	Also     []Also            `json:"also"` // what else the settings change, in the same blocks
}

// Also is a figure that is not the goal's.
type Also struct {
	Figure string   `json:"figure"` // of bench, in its unit
	Before float64  `json:"before"` // median
	After  float64  `json:"after"`
	Ratio  float64  `json:"ratio"`         // after to before
	Low    *float64 `json:"low,omitempty"` // 95 % interval
	High   *float64 `json:"high,omitempty"`
}

// Part is a setting of the race's leader, and what taking it back alone costs.
type Part struct {
	Factor string   `json:"factor"`
	Level  string   `json:"level"`
	Kept   bool     `json:"kept"`            // it contributes
	Ratio  *float64 `json:"ratio,omitempty"` // with it to without it; nil: it was not tested
	Low    *float64 `json:"low,omitempty"`   // 95 % interval
	High   *float64 `json:"high,omitempty"`
}
