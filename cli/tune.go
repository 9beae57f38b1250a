package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/bench"
	"seaworthy/catalog"
	"seaworthy/cli/command"
	"seaworthy/report"
	"seaworthy/tune"
)

func (a *app) tune() *cobra.Command {
	f := tuneFlags{bench: benchFlags{repetitions: 1, counters: true}}
	c := &cobra.Command{
		Use:   "tune [DIR|HOST]... --from HOST --to HOST [--goal GOAL] [--budget TIME]",
		Short: "Find the settings of a path that serve a goal best, and prove them",
		Long: `Tune tries settings of the path between two hosts and measures what they bring, one
trial after another: each is put on by a plan with a watchdog, measured, and rolled back.
Afterwards all hosts are as before. Within --budget it

  calibrates  measures the present state against itself, and reports the smallest effect
              that the budget can show; on a terminal it then asks before it goes on
  screens     a designed fraction of the combinations: effects and interactions
  races       the best few; the ones that are shown to be worse are dropped
  refines     the leader: what else helps beside it, and numbers such as windows around it
  prunes      takes back each setting alone, and drops those that do not contribute
  confirms    the winner against the present state, on fresh blocks only

and saves the plan of what was confirmed, for seaworthy apply; or it reports that nothing
better was found. The settings come from the catalogue, for the elements of the path
(seaworthy attributes show), or from a file: --space. A combination that loses packets,
runs out of receive buffers, doubles the p99 latency or uses up a partition's cores is
not tried again.

--design prints what would be tried and changes nothing; from folders that collect wrote,
it asks no host. Every trial is on disk at once in the file of --study; --resume goes on
with it after an interruption. If this program is killed, the hosts restore their values
by themselves.

--driver - lets another program propose the combinations, in JSON lines: see docs/tune.md.

Exit status 2 if nothing better was found.`,
		Example: "  seaworthy tune -i lab --from lpar1 --to lpar2 --budget 5m --yes\n" +
			"  seaworthy tune today --from lpar1 --to lpar2 --design\n" +
			"  seaworthy tune -i hosts.yaml --from lpar1 --to lpar2 --goal latency --sessions 8 --rate 2000 --budget 1h\n" +
			"  seaworthy tune -i hosts.yaml --resume tune-lpar1-lpar2.jsonl",
		RunE: func(c *cobra.Command, argv []string) error { return a.runTune(c, &f, argv) },
	}
	g := c.Flags()
	g.StringVar(&f.bench.from, "from", "", "sending `host`, or HOST:enN")
	g.StringVar(&f.bench.to, "to", "", "receiving `host`, or HOST:enN")
	g.StringVar(&f.goal, "goal", tune.Goals[0].Name, "what to improve, `goal`: "+tune.GoalNames())
	g.StringVar(&f.space, "space", "", "YAML `file` of the settings to try, instead of the catalogue's")
	g.DurationVar(&f.budget, "budget", 30*time.Minute, "`time` for all trials")
	g.StringVar(&f.maxOutage, "max-outage", string(catalog.O1), "try settings up to this outage `class`: O0 to O5")
	g.Float64Var(&f.margin, "margin", 0.02, "smallest gain that counts, as a `share`")
	g.BoolVar(&f.design, "design", false, "print what would be tried, and change nothing")
	g.StringVar(&f.study, "study", "", "`file` of the trials (default: tune-FROM-TO-TIME.jsonl)")
	g.StringVar(&f.resume, "resume", "", "go on with the study in this `file`")
	g.StringVarP(&f.out, "output", "o", "", "`file` of the plan of the winner (default: as the study's, .plan.json)")
	g.StringVar(&f.driver, "driver", "", "`-`: read combinations to try from standard input, write results to standard output")
	g.BoolVarP(&f.yes, "yes", "y", false, "start without asking, on a terminal too")
	g.StringSliceVar(&f.bench.via, "via", nil, "`hosts` in between, e.g. both VIOSes (default: those of the inventory on the path)")
	g.StringSliceVar(&f.bench.probes, "probes", nil, "`folder` of seaworthy-probe-OS-ARCH (default: where this program is)")
	g.Uint64Var(&f.bench.seed, "seed", 0, "random `seed` of the order; 0: chosen and recorded")
	f.bench.load.add(c)
	seconds := g.Lookup("seconds")
	seconds.DefValue, seconds.Usage = "0", "measured `seconds` of a trial (default: 1 to 10, by the budget)"
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
	e.Workloads, e.Progress = []bench.Workload{w}, nil
	return a.study(ctx, f, goal, study, e, hosts)
}

// showDesign prints what would be tried.
func (a *app) showDesign(ctx context.Context, f *tuneFlags, goal tune.Goal, w bench.Workload, argv []string) error {
	if len(argv) == 0 && a.inventory == "" {
		argv = append([]string{hostOf(f.bench.from), hostOf(f.bench.to)}, f.bench.via...)
	}
	got, err := a.fleet(ctx, argv)
	if err != nil {
		return err
	}
	path, err := got.fleet.Between(f.bench.from, f.bench.to)
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
	return a.Answer(r, func(p *report.Printer) { report.TuneDesign(p, r) })
}
