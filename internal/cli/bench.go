package cli

import (
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/report"
)

func (a *app) bench() *cobra.Command {
	return command.Group("bench", "Measure throughput, transactions and CPU between two hosts",
		a.benchRun(), a.benchCompare(), a.benchMatrix(), a.benchMesh())
}

func (a *app) benchRun() *cobra.Command {
	f := newBench()
	c := a.command("bench run", f.flags(), func(c *cobra.Command, _ []string) error {
		e, hosts, err := a.experiment(c.Context(), &f)
		if err != nil {
			return err
		}
		defer hosts.close()
		r, err := measure.Run(c.Context(), e)
		return a.measured(r, err, f.out, func(p *report.Document) { report.Trials(p, r) })
	})
	return a.Prints(c, &measure.Result{})
}

func (a *app) benchCompare() *cobra.Command {
	f := newBench()
	var file, against string
	var done []string
	var sets []string
	var control int
	var until string
	var most time.Duration
	c := a.command("bench compare", f.flags().And(command.Flags{
		"until": &until, "max": &most, "plan": &file, "set": &sets, "done": &done, "against": &against,
		"control": &control,
	}), func(c *cobra.Command, _ []string) error {
		if command.Given(file != "", len(sets) > 0, against != "") != 1 {
			return command.Usage("bench compare: give exactly one of --plan, --set and --against")
		}
		switch {
		case until != "" && until != "decided":
			return command.Usage("bench compare: --until %s: expected decided", until)
		case most < 0 || c.Flags().Changed("max") && most == 0:
			return command.Usage("bench compare: --max %s: expected a time above 0, as 10m", most)
		case until != "" && !c.Flags().Changed("repetitions"):
			f.repetitions = measure.MostBlocks
		case until != "" && f.repetitions < 2:
			return command.Usage("bench compare: --repetitions %d: --until decided needs 2 or more", f.repetitions)
		}
		if until != "" && most == 0 {
			most = defaultMost
		}
		ctx := c.Context()
		var p *plan.Plan
		if file != "" { // before any host is asked
			var err error
			if p, err = a.readPlan(ctx, file, ""); err != nil {
				return err
			}
		}
		e, hosts, err := a.experiment(ctx, &f)
		if err != nil {
			return err
		}
		defer hosts.close()
		e.Control, e.UntilDecided, e.Budget = control, until != "", most
		var r *measure.Result
		if against != "" {
			other, derr := driver(against)
			if derr != nil {
				return derr
			}
			r, err = measure.CrossCheck(ctx, e, other)
		} else {
			if p, err = a.wanted(ctx, hosts, p, sets); err != nil {
				return err
			}
			r, err = a.compare(ctx, e, hosts, done, []state{{name: "before"}, {"after", p}}, measure.Compare)
		}
		if err := a.measured(r, err, f.out, func(p *report.Document) {
			report.Comparison(p, r, nil)
			report.Controls(p, r)
		}); err != nil {
			return err
		}
		return compared(r)
	})
	return a.Prints(c, &measure.Result{})
}

// defaultMost is how long a comparison goes on at most until it is decided.
const defaultMost = 10 * time.Minute

// compared turns the effects into an exit status.
func compared(r *measure.Result) error {
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
