package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/app/tuning"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/history"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/tune"
	"seaworthy/internal/tune/space"
	"seaworthy/internal/ui/report"
)

type tuneCommand struct {
	*commandLine
	tuneFlags
}

func newTune(a *commandLine) *cobra.Command {
	x := &tuneCommand{a, newTuneFlags()}
	c := a.command("tune", x.flags(), func(c *cobra.Command, argv []string) error { return x.run(c, argv) })
	return a.Prints(c, &tune.Result{})
}

func (x *tuneCommand) run(c *cobra.Command, argv []string) error {
	ctx := c.Context()
	var resumed *tune.Study
	if x.resume != "" {
		var err error
		resumed, err = tune.Resume(ctx, x.resume)
		if err != nil {
			return err
		}
		defer resumed.Close()
		err = x.takeFrom(c, resumed)
		if err != nil {
			return err
		}
	}
	study, w, err := x.study(ctx, c.Flags().Changed("seconds"), resumed)
	if err != nil {
		return err
	}
	if x.design {
		return x.showDesign(ctx, &study.Question, argv)
	}
	err = x.addHosts(argv)
	if err != nil {
		return err
	}
	b, err := x.openBench(ctx, &x.bench)
	if err != nil {
		return err
	}
	defer b.Connection.Close()
	b.Experiment.Workloads, b.Experiment.Progress = []measure.Workload{w}, nil
	return x.carryOut(ctx, study, b)
}

// showDesign prints what would be tried.
func (x *tuneCommand) showDesign(ctx context.Context, q *tuning.Question, argv []string) error {
	if len(argv) == 0 && x.inventory == "" {
		argv = append([]string{fleet.HostOf(q.From), fleet.HostOf(q.To)}, x.bench.setup.Via...)
	}
	r, err := q.Draft(ctx, x.access(), argv)
	if err != nil {
		return err
	}
	return x.Answer(r, func(p *report.Document) { report.TuneDesign(p, r) })
}

// addHosts takes arguments as hosts of the path.
func (x *tuneCommand) addHosts(argv []string) error {
	s := &x.bench.setup
	for _, arg := range argv {
		if fleet.IsFolder(arg) {
			return command.Usage("tune %s: a saved folder cannot be measured (--design prints what would be tried)", arg)
		}
		if arg != fleet.HostOf(s.From) && arg != fleet.HostOf(s.To) && !slices.Contains(s.Via, arg) {
			s.Via = append(s.Via, arg)
		}
	}
	return nil
}

// carryOut runs the study, and prints what it found.
func (x *tuneCommand) carryOut(ctx context.Context, study *tuning.Study, b *bench.Bench) error {
	study.Progress = showTrials(ctx)
	if x.driver != "" {
		study.Proposals = func(s *space.Space) *tune.Proposals { return tune.Lines(x.Stdin, x.Stdout, study.Goal, s) }
	} else {
		study.Agree = func(r *tune.Result) error { return x.agree(ctx, r) }
	}
	r, err := study.Run(ctx, x.access(), b)
	if err == nil && r.Found {
		r.PlanFile = x.planFile()
		err = command.SaveJSON(r.PlanFile, "  ", r.Plan)
	}
	if err != nil {
		if r != nil && r.Trials > 0 {
			x.Notice("%s are in %s: go on with  seaworthy tune --resume %s%s", report.Plural(r.Trials, "trial"), study.File,
				shellword.Quote(study.File), x.access().Flags())
		}
		return err
	}
	var status error
	if !r.Found {
		status = command.Exit(command.ExitNo, nil)
	}
	if x.bench.history != "" {
		err = x.remember(ctx, x.bench.history, func(store *history.Store) error {
			_, err := past.AddStudy(ctx, store, r)
			return err
		})
		if err != nil { // the study is done all the same
			status = err
		}
	}
	if x.driver != "" {
		return cmp.Or(json.NewEncoder(x.Stdout).Encode(map[string]*tune.Result{"result": r}), status)
	}
	return x.Conclude(status, r, func(p *report.Document) {
		report.Tune(p, r)
		if r.Found {
			p.Line("Next: seaworthy apply %s%s --confirm-within 2m", report.Safe(shellword.Quote(r.PlanFile)), report.Safe(x.access().Flags()))
		}
	})
}

// agree asks on a terminal whether to go on, once it is known what can be shown.
func (x *tuneCommand) agree(ctx context.Context, r *tune.Result) error {
	for _, line := range report.Calibrated(r) {
		x.Notice("%s: %s", line[0], line[1])
	}
	return x.ask(ctx, x.yes, "Go on?", "nothing was changed")
}

// showTrials shows how far a study is.
func showTrials(ctx context.Context) func(tune.State) {
	var t *progress.Task
	return func(s tune.State) {
		if t == nil {
			t = progress.Begin(ctx, "tuning", "trial", 0)
		}
		t.At(s.Trial-1, 0)
		t.Until(time.Now().Add(s.Left)) // at the latest
		t.Now(fmt.Sprintf("%s, block %d of %d: %s", s.Stage, s.Block, max(s.Block, s.Blocks), s.Settings))
	}
}
