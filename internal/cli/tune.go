package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/tune"
	"seaworthy/internal/ui/report"
)

func (a *app) tune() *cobra.Command {
	f := tuneFlags{bench: benchFlags{repetitions: 1, counters: true, load: newWorkload()}, goal: tune.Goals[0].Name,
		budget: 30 * time.Minute, maxOutage: string(knowledge.O1), margin: 0.02}
	f.bench.load.seconds = 0 // by the budget
	c := a.command("tune", f.bench.load.flags().And(command.Flags{
		"from": &f.bench.from, "to": &f.bench.to, "goal": &f.goal, "space": &f.space, "budget": &f.budget,
		"max-outage": &f.maxOutage, "margin": &f.margin, "design": &f.design, "study": &f.study, "resume": &f.resume,
		"output": &f.out, "driver": &f.driver, "yes": &f.yes, "via": &f.bench.via, "probes": &f.bench.probes,
		"seed": &f.bench.seed,
	}), func(c *cobra.Command, argv []string) error { return a.runTune(c, &f, argv) })
	return a.Prints(c, &tune.Result{})
}

func (a *app) runTune(c *cobra.Command, f *tuneFlags, argv []string) error {
	ctx := c.Context()
	var study *tune.Study
	if f.resume != "" {
		var err error
		if study, err = tune.Resume(ctx, f.resume); err != nil {
			return err
		}
		defer study.Close()
		if err := f.from(c, study); err != nil {
			return err
		}
	}
	goal, w, err := f.check(ctx, c.Flags().Changed("seconds"), study)
	if err != nil {
		return err
	}
	if f.design {
		return a.showDesign(ctx, f, goal, w, argv)
	}
	for _, arg := range argv {
		if isSnapshot(arg) {
			return command.Usage("tune %s: a saved folder cannot be measured (--design prints what would be tried)", arg)
		}
		if arg != hostOf(f.bench.from) && arg != hostOf(f.bench.to) && !slices.Contains(f.bench.via, arg) {
			f.bench.via = append(f.bench.via, arg)
		}
	}
	e, hosts, err := a.experiment(ctx, &f.bench)
	if err != nil {
		return err
	}
	defer hosts.close()
	e.Workloads, e.Progress = []measure.Workload{w}, nil
	return a.study(ctx, f, goal, study, e, hosts)
}

// showDesign prints what would be tried.
func (a *app) showDesign(ctx context.Context, f *tuneFlags, goal tune.Goal, w measure.Workload, argv []string) error {
	if len(argv) == 0 && a.inventory == "" {
		argv = append([]string{hostOf(f.bench.from), hostOf(f.bench.to)}, f.bench.via...)
	}
	got, err := a.fleet(ctx, argv)
	if err != nil {
		return err
	}
	path, err := graph.Of(got.fleet).Path(f.bench.from, f.bench.to)
	if err != nil {
		return fmt.Errorf("path %s to %s: %w", f.bench.from, f.bench.to, err)
	}
	s, _, err := f.spaceOf(ctx, got.fleet, path)
	if err != nil {
		return err
	}
	e := tune.Engine{Options: f.options(w), Goal: goal, Space: s, Fleet: got.fleet}
	r, err := e.Draft()
	if err != nil {
		return err
	}
	r.From, r.To = path.From.String(), path.To.String()
	return a.Answer(r, func(p *report.Document) { report.TuneDesign(p, r) })
}
