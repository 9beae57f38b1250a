package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

// benchFlags say what is measured between whom.
type benchFlags struct {
	from, to, target, driver, out string
	via                           []string
	probes                        []string
	load                          workloadFlags
	repetitions, port             int
	seed                          uint64
	counters                      bool

	fleet    *model.Fleet   // of the path, once it was read
	between  *model.Path    // the same
	path     *model.Excerpt // the same
	lineRate uint64         // bit/s of the path's slowest line, once it was read; 0: not known
}

// newBench has the defaults.
func newBench() benchFlags { return benchFlags{load: newWorkload(), repetitions: 5, counters: true} }

func (f *benchFlags) flags() command.Flags {
	return f.common().And(command.Flags{
		"from": &f.from, "to": &f.to, "via": &f.via, "target": &f.target, "driver": &f.driver, "port": &f.port,
	})
}

// common are the flags of a measurement of any number of pairs.
func (f *benchFlags) common() command.Flags {
	return f.load.flags().And(command.Flags{
		"repetitions": &f.repetitions, "seed": &f.seed, "probes": &f.probes, "counters": &f.counters, "output": &f.out,
	})
}

func driver(name string) (measure.Driver, error) {
	if name == "" {
		return nil, nil
	}
	if d := measure.DriverByName(name); d != nil {
		return d, nil
	}
	return nil, command.Usage("driver %s: expected %s", name, strings.Join(measure.DriverNames(), ", "))
}

var errAsWanted = errors.New("nothing to compare: all values are set already")

// wanted is the plan to compare with: the one given, or one of what is to be set.
func (a *app) wanted(ctx context.Context, hosts *connected, p *plan.Plan, sets []string) (*plan.Plan, error) {
	if p != nil {
		for _, h := range p.Hosts {
			if hosts.byName()[h] == nil {
				return nil, command.Usage("plan %s changes %s, which is not measured: add it with --via", p.ID, h)
			}
		}
		return p, nil
	}
	desired, err := parseSets(sets)
	if err != nil {
		return nil, err
	}
	for _, w := range desired {
		if hosts.byName()[w.Host] == nil {
			return nil, command.Usage("--set %s: this host is not measured: add it with --via", w.Host)
		}
	}
	// Also the hosts in between: the ports of the switch are theirs.
	fleet := &model.Fleet{}
	for _, h := range hosts.hosts {
		read, err := collect.Read(ctx, h, collect.Options{Platforms: hosts.platforms})
		if err != nil {
			return nil, err
		}
		fleet.Hosts = append(fleet.Hosts, read)
	}
	p, err = plan.Build(fleet, knowledge.BuiltIn(), desired)
	if err != nil {
		return nil, err
	}
	if len(p.Refused) > 0 {
		r := p.Refused[0]
		return nil, errors.New(r.String())
	}
	if len(p.Steps) == 0 {
		return nil, errAsWanted
	}
	return p, nil
}

// experiment connects the hosts and finds the address to measure.
func (a *app) experiment(ctx context.Context, f *benchFlags) (e measure.Experiment, hosts *connected, err error) {
	if f.from == "" || f.to == "" {
		return e, nil, command.Usage("bench: --from and --to are required")
	}
	if f.port < 0 || f.port > 65535 {
		return e, nil, command.Usage("bench: --port %d: expected 1 to 65535, or 0 for any", f.port)
	}
	if e, err = f.basics(ctx); err != nil {
		return e, nil, err
	}
	e.Lookup = strings.TrimSpace(a.lookupFlags())
	d, err := driver(f.driver)
	if err != nil {
		return e, nil, err
	}
	names := append([]string{hostOf(f.from), hostOf(f.to)}, f.via...)
	if names[0] == names[1] {
		return e, nil, command.Usage("bench: --from and --to are the same host")
	}
	all := names
	if len(f.via) == 0 && a.inventory != "" {
		all = nil
	}
	if hosts, err = a.open(ctx, all); err != nil {
		return e, nil, err
	}
	defer func(opened *connected) {
		if err != nil {
			opened.close()
		}
	}(hosts)
	if err := hosts.betweenEnds(ctx, a, f); err != nil {
		return e, nil, err
	}
	byName := hosts.byName()
	e.From, e.To, e.Target, e.Port, e.Driver = byName[names[0]], byName[names[1]], f.target, f.port, d
	e.LineRate, e.Excerpt = f.lineRate, f.path
	if e.From == nil || e.To == nil {
		return e, nil, command.Usage("bench: %s and %s are not both in the inventory", names[0], names[1])
	}
	for _, h := range hosts.hosts {
		if h != e.From && h != e.To {
			e.Via = append(e.Via, h)
		}
	}
	if _, err := a.require(ctx, []remote.Host{e.From, e.To}, knowledge.Benchmarking); err != nil {
		return e, nil, err
	}
	if f.counters {
		e.Counters = (&collect.Counters{Options: collect.Options{Platforms: hosts.platforms}}).Read
	}
	return e, hosts, nil
}

// basics are what every measurement has, whatever the hosts.
func (f *benchFlags) basics(ctx context.Context) (e measure.Experiment, err error) {
	if f.repetitions < 1 {
		return e, command.Usage("bench: --repetitions %d: expected 1 or more", f.repetitions)
	}
	if e.Workloads, err = f.load.workloads(); err == nil {
		err = fileio.Check(f.out)
	}
	e.Repetitions, e.Seed, e.ProbeDirs, e.Progress = f.repetitions, f.seed, f.probes, command.Measuring(ctx)
	e.Program = command.Built().String()
	return e, err
}

// measured saves and prints a result; an error does not lose finished trials.
func (a *app) measured(r *measure.Result, failed error, out string, table func(p *report.Document)) error {
	if r == nil || len(r.Trials) == 0 {
		return failed
	}
	if out != "" {
		failed = errors.Join(failed, command.SaveResult(out, r))
	}
	err := errors.Join(failed, a.Answer(r, func(p *report.Document) {
		table(p)
		report.Conditions(p, r)
	}))
	if still := measure.Still(r); err == nil && still != nil {
		return command.Exit(command.ExitInconclusive, still)
	}
	return err
}

// betweenEnds keeps the hosts between the two measured ones, and those, and finds
// the address to measure if it was not given. Hosts that were named with --via
// all stay.
func (c *connected) betweenEnds(ctx context.Context, a *app, f *benchFlags) error {
	if f.target != "" && (len(f.via) > 0 || a.inventory == "") {
		return nil
	}
	out := c.read(ctx)
	from, to := hostOf(f.from), hostOf(f.to)
	for _, o := range out {
		if o.Err != nil && (o.Host == from || o.Host == to || len(f.via) > 0) {
			return o.Err
		}
	}
	fleet, err := collect.Assemble(out)
	if err != nil {
		return err
	}
	g := graph.Of(fleet)
	p, err := g.Path(f.from, f.to)
	if err != nil {
		return fmt.Errorf("path %s to %s: %w", f.from, f.to, err)
	}
	f.fleet, f.between, f.lineRate, f.path = fleet, p, fleet.LineRate(p), drawing.Excerpt(fleet, p)
	if f.target == "" {
		if f.target, err = fleet.Target(p); err != nil {
			return err
		}
	}
	if len(f.via) == 0 {
		on := g.OnPath(p).Hosts(graph.OnPath)
		c.keep(func(host string) bool { return slices.Contains(on, host) })
	}
	return nil
}
