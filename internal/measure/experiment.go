// Package measure measures a path between two hosts: throughput or
// transactions, and the CPU that every host on the path spent on them.
//
// Run measures the path as it is. Compare measures it under two
// variants, A and B, in randomised interleaved blocks: what drifts with time
// (other load, temperature) falls on both and cancels in the ratio of a block.
// Blocks may hold a second trial of A: the ratio of A to A is the control that
// shows how far apart two equal variants come out on this path.
//
// How many blocks are enough may be left open: until each workload is decided
// (Experiment.UntilDecided), by intervals that allow for the looks in between.
//
// Mesh measures several pairs of hosts at once.
//
// The load comes from a Driver: the project's own helper, or iperf3, iperf 2,
// netperf, qperf or sockperf where a host has them. Whatever the driver, CPU is read from the
// kernel's or hypervisor's own accounting on every host of the path, over an
// interval within which the load runs steadily, and a kernel that several
// hosts share is counted once.
//
// Units: bit/s, transactions/s, cores (CPU-seconds per second), seconds,
// bytes, microseconds. A figure that could not be measured is absent.
package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// MostBlocks is how many blocks a comparison until it is decided takes at most if
// nothing else is said.
const MostBlocks = 40

// Counters reads a host's counters: element -> counter -> value.
type Counters func(ctx context.Context, host remote.Host) (map[string]map[string]uint64, error)

// Experiment holds what to measure, between whom, how often.
type Experiment struct {
	Name        string
	From, To    remote.Host   // connections go from From to To
	Via         []remote.Host // hosts between them, metered only
	Target      string        // address of To as From reaches it
	Port        int           // the measured port; 0: any free one
	Workloads   []Workload
	Repetitions int    // trials of each workload; in Compare, blocks. 0 means 5
	Control     int    // Compare: blocks that hold a second trial of A; 0 means all, below 0 none
	Seed        uint64 // of the order of trials; 0: chosen and recorded

	// Further bounds the blocks that Compare adds to Repetitions for the workloads
	// whose effect is inconclusive: these alone, until it is decided. To look at
	// results before stopping makes an interval somewhat too narrow. 0: none.
	Further int

	// UntilDecided has Compare go on, a workload at a time, until throughput or transactions are
	// improved, worse, or no different beyond stats.Margin; Repetitions is then the most blocks, 0
	// meaning MostBlocks. Its intervals, of every figure, allow for the looks: of comparisons of
	// equal states at most 5 % say different, however often it looked. Further is not used.
	UntilDecided bool

	// Budget bounds the time that blocks take: none begins that would not end
	// within it, going by the longest so far. 0: none.
	Budget time.Duration

	Driver    Driver   // nil: the built-in one or, where an end cannot run it, a tool that both have
	ProbeDirs []string // folders with helpers to copy to hosts that have none
	Program   string   // version of the program that measures, kept in the result
	Lookup    string   // flags that find the hosts again, such as "-i lab", kept in the result
	LineRate  uint64   // bit/s of the slowest line of the path: no throughput is above it; 0: not known, or there is no line

	Counters  Counters          // nil: none are read
	Excerpt   *model.Excerpt    // the path, kept in the result; nil: not read
	Snapshots map[string]string // host -> id of the snapshot that shows its settings, kept in the result
	Progress  func(Event)       // called before and after every trial, never concurrently; may be nil

	watching func(Glance) error // see Trials.Measure
	pairs    []Pair             // every one has a load; several in a mesh

	// Restore is called when Compare has applied a variant and is about to return,
	// for whatever reason. nil: variant A is applied once more, so that B is not
	// what stays.
	Restore func(ctx context.Context) error
}

// Variant is a state of the path.
type Variant struct {
	Name  string
	Apply func(ctx context.Context) error // nil: the path as it is

	Plan   string   // id of the plan that Apply applies; "": none
	Values []string // that it sets, in words
}

// Event says how far an experiment is.
type Event struct {
	Done, Total int       // trials
	Blocks      int       // that were asked for
	AtMost      bool      // there may be fewer trials and blocks
	Until       time.Time // no block begins that would end later; zero: nothing bounds it
	Variants    []string  // in the order they were given; none of a run
	Trial       *Trial    // without figures before it ran
	Finished    bool
}

// check fills in defaults and says what is wrong.
func (e Experiment) check() (Experiment, error) {
	var err error
	switch {
	case e.From == nil || e.To == nil:
		return e, errors.New("an experiment needs two hosts, From and To")
	case e.Target == "":
		return e, fmt.Errorf("experiment %s to %s: the address to connect to is missing", e.From.Name(), e.To.Name())
	case e.Port < 0 || e.Port > 65535:
		return e, fmt.Errorf("experiment %s to %s: port is %d, must be 0 to 65535", e.From.Name(), e.To.Name(), e.Port)
	case e.Repetitions < 0:
		return e, fmt.Errorf("experiment %s to %s: %d repetitions", e.From.Name(), e.To.Name(), e.Repetitions)
	}
	if e.pairs == nil {
		e.pairs = []Pair{{e.From, e.To, e.Target}}
	}
	if e.UntilDecided {
		e.Repetitions = cmp.Or(e.Repetitions, MostBlocks)
	}
	e.Repetitions = cmp.Or(e.Repetitions, 5)
	e.Workloads, err = workloads(e.Workloads)
	if err != nil {
		return e, fmt.Errorf("experiment %s to %s: %w", e.From.Name(), e.To.Name(), err)
	}
	return e, nil
}

// names are those of the hosts that connect, or of those that are connected to.
func (e *Experiment) names(of func(Pair) remote.Host) string {
	var all []string
	for _, p := range e.pairs {
		all = append(all, of(p).Name())
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// hosts are all hosts of the path, each once: To first, since its clock is
// the one that throughput is measured by.
func (e *Experiment) hosts() (all []remote.Host) {
	for _, p := range e.pairs {
		all = append(all, p.To, p.From)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(append(all, e.Via...), func(h remote.Host) bool {
		had := seen[h.Name()]
		seen[h.Name()] = true
		return had
	})
}

// Run measures every workload Repetitions times, in random order within each
// repetition. On an error the result holds the trials that were finished; it
// is nil only if the experiment itself is wrong.
func Run(ctx context.Context, e Experiment) (*Result, error) {
	return conduct(ctx, e, "run", Variant{})
}

// Compare measures every workload under A and under B in blocks. A block holds
// one turn of A, one of B and, in as many blocks as Control says, a second one
// of A, in random order; each turn applies its variant and measures all
// workloads. The effect is B/A paired by block, A being the geometric mean of
// the block's turns of A; the control is the ratio of those two.
//
// On an error the result holds the finished trials and what the complete
// blocks among them show. The path is put back in any case, see
// Experiment.Restore.
func Compare(ctx context.Context, e Experiment, variants ...Variant) (*Result, error) {
	return conduct(ctx, e, "compare", variants...)
}

// Matrix measures every workload under each variant in blocks, as Compare does
// but without a control. The contrasts are those of every variant against the
// first one.
func Matrix(ctx context.Context, e Experiment, variants ...Variant) (*Result, error) {
	return conduct(ctx, e, "matrix", variants...)
}

// conduct measures the variants, which have names unless the mode is "run" or "mesh".
func conduct(ctx context.Context, e Experiment, mode string, variants ...Variant) (*Result, error) {
	e, err := e.check()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, v := range variants {
		if mode != "run" && mode != "mesh" && (v.Name == "" || slices.Contains(names, v.Name)) {
			return nil, fmt.Errorf("%s: variant %q: each needs a name of its own", mode, v.Name)
		}
		names = append(names, v.Name)
	}
	switch {
	case len(variants) == 0, mode == "compare" && len(variants) != 2:
		return nil, fmt.Errorf("%s: %d variants do not make one", mode, len(variants))
	case mode != "compare":
		e.Control, e.Further, e.UntilDecided = 0, 0, false
	case e.Control == 0 || e.Control > e.Repetitions:
		e.Control = e.Repetitions
	}
	e.Control = max(0, e.Control)
	if e.UntilDecided {
		e.Further = 0
	}
	s := newSession(&e, mode)
	if mode != "run" && mode != "mesh" {
		s.result.Options.Variants = names
	}
	for _, v := range variants {
		if v.Plan != "" {
			s.result.Options.Changes = append(s.result.Options.Changes, Change{v.Name, v.Plan, v.Values})
		}
	}
	s.total = (len(variants)*e.Repetitions + e.Control) * len(e.Workloads)
	err = s.run(ctx, variants)
	for _, b := range names[1:] {
		s.contrast(names[0], b)
	}
	return s.finish(err)
}
