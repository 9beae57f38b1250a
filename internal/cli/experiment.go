package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/past"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/history"
	"seaworthy/internal/measure"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

// benchFlags say what is measured between whom.
type benchFlags struct {
	setup       bench.Setup
	driver, out string
	history     string // to keep the result in
	probes      []string
	load        workloadFlags
	repetitions int
	port        int
	seed        uint64
}

// newBenchFlags have the defaults.
func newBenchFlags() benchFlags {
	return benchFlags{load: newWorkload(), repetitions: 5, setup: bench.Setup{Counters: true}}
}

func (f *benchFlags) flags() command.Flags {
	return f.common().And(command.Flags{
		"from": &f.setup.From, "to": &f.setup.To, "via": &f.setup.Via, "target": &f.setup.Target, "driver": &f.driver, "port": &f.port,
	})
}

// common are the flags of a measurement of any number of pairs.
func (f *benchFlags) common() command.Flags {
	return f.load.flags().And(command.Flags{
		"repetitions": &f.repetitions, "seed": &f.seed, "probes": &f.probes, "counters": &f.setup.Counters, "output": &f.out,
		"history": &f.history,
	})
}

func driver(name string) (measure.Driver, error) {
	if name == "" {
		return nil, nil
	}
	d := measure.DriverByName(name)
	if d == nil {
		return nil, command.Usage("driver %s: expected %s", name, strings.Join(measure.DriverNames(), ", "))
	}
	return d, nil
}

// openBench checks the flags, connects the hosts and finds the address to measure.
func (a *commandLine) openBench(ctx context.Context, f *benchFlags) (*bench.Bench, error) {
	if f.setup.From == "" || f.setup.To == "" {
		return nil, command.Usage("bench: --from and --to are required")
	}
	if f.port < 0 || f.port > 65535 {
		return nil, command.Usage("bench: --port %d: expected 1 to 65535, or 0 for any", f.port)
	}
	e, err := f.experiment(ctx)
	if err != nil {
		return nil, err
	}
	e.Port = f.port
	e.Driver, err = driver(f.driver)
	if err != nil {
		return nil, err
	}
	f.setup.Experiment = e
	b, err := f.setup.Open(ctx, a.access())
	if err != nil {
		return nil, err
	}
	if b.Path != nil {
		b.Experiment.Excerpt = drawing.Excerpt(b.Fleet, b.Path)
	}
	return b, nil
}

// experiment returns what every measurement has, whatever the hosts.
func (f *benchFlags) experiment(ctx context.Context) (measure.Experiment, error) {
	e := measure.Experiment{Repetitions: f.repetitions, Seed: f.seed, ProbeDirs: f.probes, Progress: command.Measuring(ctx),
		Program: command.Built().String()}
	if f.repetitions < 1 {
		return e, command.Usage("bench: --repetitions %d: expected 1 or more", f.repetitions)
	}
	var err error
	e.Workloads, err = f.load.workloads()
	if err != nil {
		return e, err
	}
	return e, fileio.Check(f.out)
}

// measured saves and prints a result; an error does not lose finished trials.
func (a *commandLine) measured(ctx context.Context, r *measure.Result, failed error, f *benchFlags, table func(p *report.Document)) error {
	if r == nil || len(r.Trials) == 0 {
		return failed
	}
	if f.out != "" {
		failed = errors.Join(failed, command.SaveResult(f.out, r))
	}
	if f.history != "" {
		failed = errors.Join(failed, a.remember(ctx, f.history, func(store *history.Store) error {
			_, err := past.AddResult(ctx, store, r, nil)
			return err
		}))
	}
	err := errors.Join(failed, a.Answer(r, func(p *report.Document) {
		table(p)
		report.Conditions(p, r)
	}))
	still := measure.Still(r)
	if err == nil && still != nil {
		return command.Exit(command.ExitInconclusive, still)
	}
	return err
}

// remember keeps a result in a history, by keep.
func (a *commandLine) remember(ctx context.Context, location string, keep func(store *history.Store) error) error {
	store, err := past.Open(ctx, a.access(), location)
	if err != nil {
		return fmt.Errorf("the result is not in the history: %w", err)
	}
	defer store.Close()
	err = keep(store)
	if err != nil {
		return fmt.Errorf("the result is not in the history: %w", err)
	}
	return nil
}
