package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/report"
)

type benchCompareCommand struct {
	*commandLine
	benchFlags
	plan, against string
	done, sets    []string
	control       int
	until         string
	most          time.Duration
}

// defaultMost is how long a comparison goes on at most until it is decided.
const defaultMost = 10 * time.Minute

func newBenchCompare(a *commandLine) *cobra.Command {
	x := &benchCompareCommand{commandLine: a, benchFlags: newBenchFlags()}
	c := a.command("bench compare", x.flags().And(command.Flags{
		"until": &x.until, "max": &x.most, "plan": &x.plan, "set": &x.sets, "done": &x.done, "against": &x.against,
		"control": &x.control,
	}), func(c *cobra.Command, _ []string) error {
		err := x.check(c)
		if err != nil {
			return err
		}
		return x.run(c.Context())
	})
	return a.Prints(c, &measure.Result{})
}

func (x *benchCompareCommand) check(c *cobra.Command) error {
	if command.Given(x.plan != "", len(x.sets) > 0, x.against != "") != 1 {
		return command.Usage("bench compare: give exactly one of --plan, --set and --against")
	}
	switch {
	case x.until != "" && x.until != "decided":
		return command.Usage("bench compare: --until %s: expected decided", x.until)
	case x.most < 0 || c.Flags().Changed("max") && x.most == 0:
		return command.Usage("bench compare: --max %s: expected a time above 0, as 10m", x.most)
	case x.until != "" && !c.Flags().Changed("repetitions"):
		x.repetitions = measure.MostBlocks
	case x.until != "" && x.repetitions < 2:
		return command.Usage("bench compare: --repetitions %d: --until decided needs 2 or more", x.repetitions)
	}
	if x.until != "" && x.most == 0 {
		x.most = defaultMost
	}
	return nil
}

func (x *benchCompareCommand) run(ctx context.Context) error {
	var p *plan.Plan
	if x.plan != "" { // before any host is asked
		var err error
		p, err = x.readPlan(ctx, x.plan, "")
		if err != nil {
			return err
		}
	}
	b, err := x.openBench(ctx, &x.benchFlags)
	if err != nil {
		return err
	}
	defer b.Connection.Close()
	b.Experiment.Control, b.Experiment.UntilDecided, b.Experiment.Budget = x.control, x.until != "", x.most
	r, failed := x.compare(ctx, b, p)
	err = x.measured(ctx, r, failed, &x.benchFlags, func(p *report.Document) {
		report.Comparison(p, r, nil)
		report.Controls(p, r)
	})
	if err != nil {
		return err
	}
	return comparisonStatus(r)
}

// compare compares drivers, or the hosts as they are with a plan; nil is one of the settings.
func (x *benchCompareCommand) compare(ctx context.Context, b *bench.Bench, p *plan.Plan) (*measure.Result, error) {
	if x.against != "" {
		other, err := driver(x.against)
		if err != nil {
			return nil, err
		}
		return measure.CrossCheck(ctx, b.Experiment, other)
	}
	var err error
	if p != nil {
		err = b.Check(p)
	} else {
		p, err = b.Plan(ctx, x.sets)
	}
	if err != nil {
		return nil, err
	}
	turns, err := b.Turns(x.access(), "bench", x.done)
	if err != nil {
		return nil, err
	}
	return bench.Compare(ctx, b.Experiment, measure.Compare, turns, bench.State{Name: "before"}, bench.State{Name: "after", Plan: p})
}

// comparisonStatus turns the effects into an exit status.
func comparisonStatus(r *measure.Result) error {
	answered, open := false, false
	for _, row := range r.Results {
		open = open || row.Decision != nil && !row.Decision.Decided
		switch {
		case row.Effect == nil:
		case row.Effect.Verdict == stats.Worse:
			return command.Exit(command.ExitNo, nil)
		case row.Effect.Verdict != stats.Inconclusive:
			answered = true
		}
	}
	if !answered || open {
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}
