package measure

import (
	"time"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/internal/measure/probe/sock"
	"seaworthy/internal/measure/stats"
)

// Schema names the form of a Result.
const Schema = "seaworthy.result/1"

// Result is an experiment's outcome, complete in itself: what was asked, in
// which order it ran, every trial's raw figures, and what they amount to.
type Result struct {
	Schema   string         `json:"schema"`
	Mode     string         `json:"mode"` // run, compare, matrix, mesh
	Name     string         `json:"name,omitempty"`
	Started  time.Time      `json:"started"`
	Ended    time.Time      `json:"ended"`
	Options  Options        `json:"options"`
	Hosts    []HostInfo     `json:"hosts"`
	Path     *model.Excerpt `json:"path,omitempty"`    // as it was before the first trial; nil: not read
	Figures  []Figure       `json:"figures"`           // by workload, variant and figure
	Results  []Row          `json:"results,omitempty"` // compare: before and after
	Pairs    []PairFigure   `json:"pairs,omitempty"`   // mesh: by workload
	Controls []Contrast     `json:"controls,omitempty"`
	Contrast []Contrast     `json:"contrasts,omitempty"` // compare, matrix: every figure's effect
	Trials   []Trial        `json:"trials"`              // in the order they ran
	Error    string         `json:"error,omitempty"`     // why it ended early; what is above is what was finished
}

// Options hold what the experiment was asked to do.
type Options struct {
	From         string            `json:"from"`
	To           string            `json:"to"`
	Via          []string          `json:"via,omitempty"`
	Target       string            `json:"target"`
	Port         int               `json:"port,omitempty"`
	Driver       string            `json:"driver"`
	DriverReason string            `json:"driver_reason,omitempty"` // why it is not the built-in one, if nobody chose it
	Repetitions  int               `json:"repetitions"`
	Further      int               `json:"further_blocks,omitempty"`           // at most, for workloads whose effect was inconclusive
	UntilDecided bool              `json:"until_decided,omitempty"`            // repetitions are the most blocks
	Looks        []int             `json:"looks_after_blocks,omitempty"`       // at which it was judged whether to go on
	Budget       float64           `json:"budget_s,omitempty"`                 // that blocks had
	OutOfTime    int               `json:"out_of_time_after_blocks,omitempty"` // the budget ended after this many
	Control      int               `json:"control_blocks,omitempty"`
	Seed         uint64            `json:"seed"`
	LineRate     uint64            `json:"line_rate_bps,omitempty"` // of the slowest line of the path, if known
	Program      string            `json:"seaworthy,omitempty"`     // version
	Lookup       string            `json:"hosts_by,omitempty"`      // flags that find the hosts again: -i lab
	Variants     []string          `json:"variants,omitempty"`
	Changes      []Change          `json:"changes,omitempty"` // what the variants are
	Workloads    []Workload        `json:"workloads"`
	Snapshots    map[string]string `json:"snapshots,omitempty"`
	Confidence   float64           `json:"confidence"`
	Margin       float64           `json:"no_difference_margin"`
}

// AllVariants are the variants, "" alone of an experiment that has none.
func (o *Options) AllVariants() []string {
	if len(o.Variants) == 0 {
		return []string{""}
	}
	return o.Variants
}

// Change holds what a variant changes on the path as it was found.
type Change struct {
	Variant string   `json:"variant"`
	Plan    string   `json:"plan"`
	Values  []string `json:"values"` // lpar1:en0 mtu_bypass: off → on
}

// HostInfo is a host as its meter saw it.
type HostInfo struct {
	Name  string `json:"name"`
	Role  string `json:"role"`         // from, to, via; of a mesh of more than two hosts end, via
	OS    string `json:"os,omitempty"` // of the helper
	Arch  string `json:"arch,omitempty"`
	Scope string `json:"scope,omitempty"` // hosts of one scope share the CPU that is metered
	Meter string `json:"meter"`           // probe, copied probe, lparstat, /proc/stat, none: REASON
}

// Names of figures.
const (
	Throughput   = "bps"               // bit/s read by the receiving end
	Transactions = "tps"               // transactions/s
	Cores        = "cores"             // of the whole path, every scope once
	CoresOther   = "cores_other"       // part of the path's cores that no host accounts as its own: switches, hypervisors, other work
	PerCore      = "gbps_per_core"     // Gbit/s per core
	PerGbps      = "cores_per_gbps"    // cores per Gbit/s
	PerTrans     = "core_us_per_trans" // core-microseconds per transaction
	LatencyP50   = "latency_p50_us"
	LatencyP99   = "latency_p99_us"
	Retransmits  = "retransmits_per_s"
	Fairness     = "fairness" // of a mesh: Jain's index over the pairs, 1/n to 1
)

// Figure is one repeated figure.
type Figure struct {
	Workload string `json:"workload"`
	Variant  string `json:"variant,omitempty"`
	Figure   string `json:"figure"`         // one of the names above
	Host     string `json:"host,omitempty"` // cores of one host; absent for the path
	stats.Summary
	Samples []float64 `json:"samples"`
}

// Row is a workload's comparison in short. The effect is that of bps for
// streams and of tps for request/response.
type Row struct {
	Workload string        `json:"workload"`
	Before   Short         `json:"before"`
	After    Short         `json:"after"`
	Effect   *stats.Effect `json:"effect,omitempty"`
	Cost     *stats.Effect `json:"cost_effect,omitempty"` // of cores_per_gbps or core_us_per_trans
	Decision *Decision     `json:"decision,omitempty"`    // of a comparison until it is decided
}

// Short holds medians; absent ones were not measured.
type Short struct {
	BPS   *float64 `json:"bps,omitempty"`
	TPS   *float64 `json:"tps,omitempty"`
	Cores *float64 `json:"cores,omitempty"`
}

// Contrast is one figure's effect: B against A, or in Controls the later
// against the earlier of two trials of A. In a matrix A is the first variant.
type Contrast struct {
	Workload string `json:"workload"`
	Variant  string `json:"variant,omitempty"` // matrix: which one is B
	Figure   string `json:"figure"`
	stats.Effect
	Ratios []float64 `json:"ratios"` // by block
}

// Trial is one measurement.
type Trial struct {
	Number   int       `json:"number"` // from 1, in the order they ran
	Block    int       `json:"block"`  // from 1
	Variant  string    `json:"variant,omitempty"`
	Control  bool      `json:"control,omitempty"` // the block's second trial of A
	Workload string    `json:"workload"`
	Started  time.Time `json:"started"`

	Measure
	Cores    *float64           `json:"cores,omitempty"`         // whole path
	Other    *float64           `json:"cores_other,omitempty"`   // part of Cores that is in no host's own account
	NoCores  []string           `json:"cores_unknown,omitempty"` // hosts that kept Cores from being known, and why
	CPU      map[string]HostCPU `json:"cpu,omitempty"`           // by host
	Counters []CounterDelta     `json:"counters,omitempty"`      // that moved
	NoCount  []string           `json:"counters_unknown,omitempty"`
}

// HostCPU is a host's CPU over the measured interval. Where hosts share a
// kernel, Usage.Own is the host's part of it, if that is known.
type HostCPU struct {
	meter.Usage
	Counted bool             `json:"counted"`          // false: Cores has it from another host of the same scope
	Shared  bool             `json:"shared,omitempty"` // other hosts of the path have the same scope: Usage is of all of them
	Self    *meter.SelfUsage `json:"probe,omitempty"`
}

// Measure holds what a driver reports about a trial. What it cannot report is absent.
type Measure struct {
	Seconds     float64                 `json:"seconds"` // that the figures below cover
	BPS         *float64                `json:"bps,omitempty"`
	TPS         *float64                `json:"tps,omitempty"`
	Bytes       *uint64                 `json:"bytes,omitempty"`       // read by the receiving end
	Connections []uint64                `json:"connections,omitempty"` // bytes, or transactions, of each
	Retransmits *uint64                 `json:"retransmits,omitempty"` // by the sending end
	Latency     *load.Latency           `json:"latency,omitempty"`
	Sockets     map[string][]sock.State `json:"sockets,omitempty"`  // by host
	Commands    []string                `json:"commands,omitempty"` // a tool's, as they ran
	Pairs       []PairMeasure           `json:"pairs,omitempty"`    // mesh; the figures above are of all of them
	Course      *Course                 `json:"course,omitempty"`   // of throughput or transactions within the trial
}

// Course is a figure over a trial's measured time, at most 60 points. Slices are of
// one length.
type Course struct {
	Until []float64 `json:"until_s"` // end of each point's interval, in s from the begin; the first begins at 0
	Rates []float64 `json:"rates"`   // in that interval: bit/s, or transactions/s
}

// CounterDelta is a counter that moved during a trial.
type CounterDelta struct {
	Host    string `json:"host"`
	Element string `json:"element"`
	Counter string `json:"counter"`
	Before  uint64 `json:"before"`
	After   uint64 `json:"after"`
	Delta   uint64 `json:"delta"`
	Reset   bool   `json:"reset,omitempty"` // it went backwards: reset or wrapped, Delta is 0
}
