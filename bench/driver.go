package bench

import (
	"context"
	"slices"

	"seaworthy/probe"
)

// Driver makes the load of a trial. A new one is an entry of tools.go, or a type
// of its own, and its line in drivers.
type Driver interface {
	Name() string
	// NeedsProbe says whether From and To must run the helper.
	NeedsProbe() bool
	// Start starts a workload's load and returns when it runs. The context is
	// that of the start only. Errors name host and command.
	Start(ctx context.Context, p *Path, w Workload) (Running, error)
}

// drivers are the tools that a user can choose; the first is the default.
var drivers = []Driver{Builtin{}, Iperf3, Iperf2, Netperf, FTP, Qperf, Sockperf}

// DriverNames lists what DriverByName knows, the default first.
func DriverNames() []string {
	var names []string
	for _, d := range drivers {
		names = append(names, d.Name())
	}
	return names
}

// DriverByName finds a driver; nil: there is none of that name.
func DriverByName(name string) Driver {
	i := slices.IndexFunc(drivers, func(d Driver) bool { return d.Name() == name })
	if i < 0 {
		return nil
	}
	return drivers[i]
}

// Running is a load that runs.
type Running interface {
	// Finish is called after the measured interval, with each host's report. It
	// ends the load.
	Finish(ctx context.Context, reports map[string]*probe.Report) (*Measure, error)
	// Abort ends the load of a trial that failed. It may be called after Finish.
	Abort()
}
