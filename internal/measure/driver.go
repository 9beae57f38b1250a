package measure

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/measure/probe"
	"seaworthy/internal/remote"
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

// choose gives the built-in load or, where an end cannot run it, the first tool
// that both ends have and that can make all workloads. The reason is empty for
// the built-in one.
func (p *Path) choose(ctx context.Context, workloads []Workload) (d Driver, why string, err error) {
	a, b := p.from.Runs(), p.to.Runs()
	switch from, to := p.From.Name(), p.To.Name(); {
	case a == nil && b == nil:
		return Builtin{}, "", nil
	case b == nil:
		why = fmt.Sprintf("%s: %v", from, a)
	case a == nil:
		why = fmt.Sprintf("%s: %v", to, b)
	case a.Error() == b.Error():
		why = fmt.Sprintf("%s and %s: %v", from, to, a)
	default:
		why = fmt.Sprintf("%s: %v; %s: %v", from, a, to, b)
	}
	if p.from.Padmin || p.to.Padmin {
		return nil, "", fmt.Errorf("%s; padmin runs no other tool: log in as root", why)
	}
	client, err := programs(ctx, p.From, p.from)
	server, serr := programs(ctx, p.To, p.to)
	if err := cmp.Or(err, serr); err != nil {
		return nil, "", err
	}
	var names []string
	for _, d := range drivers {
		t, ok := d.(*toolDriver)
		if !ok || t.server == "" || slices.ContainsFunc(workloads, func(w Workload) bool { return t.check(w) != nil }) {
			continue
		}
		if client[program(t.client)] && server[program(t.server)] {
			return t, fmt.Sprintf("%s; both ends have %s", why, t.name), nil
		}
		names = append(names, t.name)
	}
	if len(names) == 0 {
		return nil, "", fmt.Errorf("%s; and no other tool makes these workloads together: measure streams and sessions apart", why)
	}
	return nil, "", fmt.Errorf("%s; install one of %s on both %s and %s (for AIX they are in the AIX Toolbox for Open Source Software), "+
		"or measure streams by --driver ftp", why, strings.Join(names, ", "), p.From.Name(), p.To.Name())
}

// program is the one that a command line starts.
func program(line string) string {
	name, _, _ := strings.Cut(line, " ")
	return name
}

// programs says which of the tools' programs a host has.
func programs(ctx context.Context, host remote.Host, system deploy.System) (map[string]bool, error) {
	line := "for p in"
	for _, d := range drivers {
		if t, ok := d.(*toolDriver); ok && t.server != "" {
			line += " " + program(t.server) + " " + program(t.client)
		}
	}
	r, err := host.Run(ctx, system.Command(line+`; do command -v "$p" >/dev/null && echo "$p"; done; :`))
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for name := range strings.FieldsSeq(string(r.Stdout)) {
		out[name] = true
	}
	return out, nil
}
