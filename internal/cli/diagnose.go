package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/ui/report"
)

type diagnoseFlags struct {
	since, symptom string
	watch          time.Duration
	noPing, load   bool
	probes         []string
	verbose        bool
}

func (a *app) diagnose() *cobra.Command {
	flags := diagnoseFlags{watch: 5 * time.Second}
	c := a.command("diagnose", command.Flags{
		"since": &flags.since, "symptom": &flags.symptom, "for": &flags.watch, "no-ping": &flags.noPing,
		"load": &flags.load, "probes": &flags.probes, "verbose": &flags.verbose,
	}, func(c *cobra.Command, argv []string) error {
		if flags.symptom != "" && !slices.Contains(knowledge.Symptoms, flags.symptom) {
			return command.Usage("--symptom %s: expected one of %s", flags.symptom, strings.Join(knowledge.Symptoms, ", "))
		}
		ends, rest := argv[:2], argv[2:]
		diagnosis := a.diagnoseLive
		if flags.since != "" || slices.ContainsFunc(rest, isSnapshot) {
			diagnosis = a.diagnoseSaved
		}
		d, err := diagnosis(c.Context(), ends, rest, &flags)
		if err != nil {
			return err
		}
		var status error
		switch d.Verdict {
		case diagnose.Found, diagnose.Settings:
			status = command.Exit(command.ExitNo, nil)
		case diagnose.Inconclusive:
			status = command.Exit(command.ExitInconclusive, nil)
		}
		return a.Conclude(status, d, func(p *report.Document) { report.Diagnosis(p, d.Diagnosis, flags.verbose) })
	})
	return a.Prints(c, diagnosed{})
}

// diagnoseSaved judges folders, and what collect measured between their hosts.
func (a *app) diagnoseSaved(ctx context.Context, ends, dirs []string, f *diagnoseFlags) (none diagnosed, err error) {
	if f.load {
		return none, command.Usage("diagnose: --load needs live hosts, not folders")
	}
	if len(dirs) == 0 {
		return none, command.Usage("diagnose: name the folder of the later snapshots")
	}
	got, err := a.fleetOver(ctx, dirs, f.since)
	if err != nil {
		return none, err
	}
	in := diagnose.Input{Fleet: got.fleet, Before: got.before, Symptom: f.symptom, Failed: map[string]string{},
		Ends: a.commandLine(ends), Hosts: a.commandLine(dirs[len(dirs)-1:])}
	for _, x := range got.failed {
		if x.Host != "" {
			in.Failed[x.Host] = x.Error
		}
	}
	if in.Path, err = graph.Of(got.fleet).Path(ends[0], ends[1]); err != nil {
		return none, fmt.Errorf("path %s to %s: %w", ends[0], ends[1], err)
	}
	later, earlier, err := a.measuredIn(ctx, dirs, f.since)
	if err != nil {
		return none, err
	}
	in.Measured = diagnose.Between(later, in.Fleet, in.Path)
	if in.Before != nil {
		in.Earlier = diagnose.Between(earlier, in.Before, in.Path)
	}
	in.Predict = forecaster(in.Fleet, in.Path, a.costs())
	d, err := diagnose.Judge(ctx, in)
	if err == nil {
		d.Seconds = between(got, in.Path.From.Host)
	}
	return diagnosed{d, in}, err
}

// commandLine is arguments of a command line, with the options that find hosts.
func (a *app) commandLine(args []string) string {
	var words []string
	for _, arg := range args {
		words = append(words, shellword.Quote(arg))
	}
	return strings.TrimSpace(strings.Join(words, " ") + a.lookupFlags())
}

// measuredIn gives what collect measured for the later and the earlier folder.
func (a *app) measuredIn(ctx context.Context, dirs []string, since string) (later, earlier []diagnose.Measured, err error) {
	order := dirs
	if since != "" {
		order = append([]string{since}, dirs...)
	}
	for _, dir := range order {
		got, err := diagnose.Load(ctx, filepath.Clean(dir))
		if err != nil {
			return nil, nil, err
		}
		if got != nil {
			later, earlier = got, later
		}
	}
	return later, earlier, nil
}

func between(got *fleet, host string) float64 {
	if got.before == nil {
		return 0
	}
	now, then := got.fleet.Host(host), got.before.Host(host)
	if now == nil || then == nil {
		return 0
	}
	return now.Taken.Sub(then.Taken).Seconds()
}

// diagnoseLive reads the hosts, pings, and reads them again.
func (a *app) diagnoseLive(ctx context.Context, ends, more []string, f *diagnoseFlags) (none diagnosed, err error) {
	names := a.ofPath(slices.Concat(ends, more))
	c, err := a.open(ctx, names)
	if err != nil {
		return none, err
	}
	defer c.close()
	begun := time.Now()
	in := diagnose.Input{Symptom: f.symptom, Live: true, Failed: map[string]string{},
		Ends: a.commandLine(slices.Concat(ends, more)), Hosts: a.commandLine(names)}
	if in.Before, err = a.reading(ctx, c, in.Failed); err != nil {
		return none, err
	}
	for _, end := range ends {
		if _, down := in.Failed[hostOf(end)]; down {
			d, err := diagnose.Unreachable(ends[0], ends[1], in)
			return diagnosed{Diagnosis: d}, err
		}
	}
	if in.Path, err = graph.Of(in.Before).Path(ends[0], ends[1]); err != nil {
		return none, fmt.Errorf("path %s to %s: %w", ends[0], ends[1], err)
	}
	c.keep(func(host string) bool { return in.Failed[host] == "" }) // asking them again would only wait
	watch, err := a.observe(ctx, c, &in, f, begun)
	if err != nil {
		return none, err
	}
	c.keep(in.Concerns())
	if in.Fleet, err = a.reading(ctx, c, in.Failed); err != nil {
		return none, err
	}
	for _, h := range graph.Of(in.Before).Near(in.Path).Hosts { // who has the same address, or another netmask
		if in.Fleet.Host(h.Name) == nil && in.Failed[h.Name] == "" {
			in.Fleet.Hosts = append(in.Fleet.Hosts, h)
		}
	}
	in.Links = watch.End(ctx, in.Fleet)
	if path, err := graph.Of(in.Fleet).Path(ends[0], ends[1]); err == nil {
		in.Path = path // an SEA may have failed over
	}
	in.Predict = forecaster(in.Fleet, in.Path, a.costs())
	d, err := diagnose.Judge(ctx, in)
	if err == nil {
		d.Took(time.Since(begun).Seconds(), in.Path, in.Fleet)
	}
	return diagnosed{d, in}, err
}

// observe measures the path and lets the time between the readings pass. A link that
// comes and goes ends the measuring: nothing else could be learned from it.
func (a *app) observe(ctx context.Context, c *connected, in *diagnose.Input, f *diagnoseFlags, begun time.Time) (*diagnose.Watch, error) {
	p := diagnose.Prober{Fleet: in.Before, Hosts: c.byName()}
	in.Clocks = p.Clocks(ctx)
	measuring, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	links := p.Watch(ctx, in.Path, begun.Add(f.watch), stop)
	p.Lost = links.Lost
	var watching sync.WaitGroup
	watch := func() { in.Activity = p.Activity(ctx, in.Path) }
	if !f.load {
		watching.Go(watch)
	}
	if !f.noPing {
		t := progress.Begin(ctx, "pinging both ways", "", 0)
		in.Measured = p.Path(measuring, in.Path)
		t.End()
	}
	if f.load { // after the pings, which would wait behind it
		watching.Go(watch)
		t := progress.Begin(ctx, "sending streams", "", 0)
		in.Load = a.load(measuring, p, in.Path, f.probes)
		t.End()
	}
	watching.Wait()
	t := progress.Begin(ctx, "waiting for counters to move", "", 0)
	t.Until(begun.Add(f.watch))
	defer t.End()
	timer := time.NewTimer(f.watch - time.Since(begun))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-timer.C:
		return links, nil
	}
}

// reading reads all hosts once; why a host could not be read is noted.
func (a *app) reading(ctx context.Context, c *connected, failed map[string]string) (*model.Fleet, error) {
	out := c.read(ctx)
	var errs []error
	for _, o := range out {
		if o.Err != nil {
			failed[o.Host] = o.Err.Error()
			errs = append(errs, o.Err)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(errs) == len(c.hosts) {
		return nil, errors.Join(errs...)
	}
	fleet, err := collect.Assemble(out)
	if fleet == nil {
		return nil, err
	}
	fleet.MergeHMC()
	return fleet, nil
}
