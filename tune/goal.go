package tune

import (
	"fmt"
	"math"
	"strings"

	"seaworthy/bench"
	"seaworthy/bench/stats"
	"seaworthy/probe/load"
)

// Goal is what a study improves.
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
	{"throughput", bench.Throughput, "Mbit/s", 1e-6, load.Stream, stats.HigherIsBetter},
	{"tps", bench.Transactions, "transactions/s", 1, load.RequestResponse, stats.HigherIsBetter},
	{"latency", bench.LatencyP99, "µs (p99)", 1, load.RequestResponse, stats.LowerIsBetter},
	{"latency-p50", bench.LatencyP50, "µs (median)", 1, load.RequestResponse, stats.LowerIsBetter},
	{"cores-per-gbit", bench.PerGbps, "cores per Gbit/s", 1, load.Stream, stats.LowerIsBetter},
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
