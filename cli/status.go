package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/change/execute"
	"seaworthy/cli/command"
	"seaworthy/progress"
	"seaworthy/report"
)

// statusFlags choose runs.
type statusFlags struct {
	hosts, outcomes []string
	all             bool
}

// someRuns is how many runs are listed without --all.
const someRuns = 20

func (a *app) status() *cobra.Command {
	var f statusFlags
	c := &cobra.Command{
		Use:   "status [RUN]",
		Short: "List the runs, or show one",
		Long: `Status lists the runs that were started on this machine, newest first: those of your
own hosts, then those of labs, marked. Runs that wait for confirmation or for a restart are
checked on their hosts, with the -i and -F that apply was given. --host lists the runs
that hosts know of, whichever machine started them.

Every command with RUN takes the short id that the list shows, the whole id that -f json
shows, or latest. Runs of bench are not listed without --all, unless they did not come to
an end.`,
		Example: "  seaworthy status\n  seaworthy status latest\n  seaworthy status --outcome pending,partial\n" +
			"  seaworthy status prune --older 720h",
		Args: command.Args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			switch {
			case len(f.hosts) > 0:
				return a.pending(c.Context(), f.hosts)
			case len(argv) == 1:
				return a.statusOf(c.Context(), argv[0])
			}
			return a.statusAll(c.Context(), f)
		},
	}
	c.Flags().StringSliceVar(&f.hosts, "host", nil, "list the runs that these `hosts` know of")
	c.Flags().StringSliceVar(&f.outcomes, "outcome", nil,
		"list only runs with these `outcomes`: applied, pending, rolled-back, partial, running")
	c.Flags().BoolVar(&f.all, "all", false, "list every run, those of bench too")
	c.AddCommand(a.prune())
	return a.Prints(c, &execute.Run{})
}

func (a *app) statusOf(ctx context.Context, id string) error {
	journals, err := a.journals()
	if err != nil {
		return err
	}
	if id, err = journals.Resolve(id); err != nil {
		return err
	}
	run, p, err := journals.Load(ctx, id)
	if err != nil {
		return err
	}
	run, err = a.refresh(ctx, run, p)
	if err != nil {
		a.Notice("run %s: not checked on all its hosts: %s", run.ID, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return a.Answer(run, func(p *report.Printer) { report.Run(p, run) })
}

func (a *app) statusAll(ctx context.Context, f statusFlags) error {
	journals, err := a.journals()
	if err != nil {
		return err
	}
	runs, err := journals.Runs(ctx)
	if err != nil {
		return err
	}
	list := []execute.Run{}
	benches, unchecked := 0, 0
	t := progress.Begin(ctx, "checking", "run", len(runs))
	defer t.End()
	for _, run := range runs {
		t.Step(run.ID)
		if run.Lookup.Purpose != "" && run.Over() && !f.all {
			benches++
			continue
		}
		if _, p, err := journals.Load(ctx, run.ID); err == nil {
			now, err := a.refresh(ctx, &run, p)
			if err != nil {
				unchecked++
			}
			run = *now
		}
		if len(f.outcomes) == 0 || slices.Contains(f.outcomes, string(run.Outcome)) {
			list = append(list, run)
		}
	}
	t.End()
	slices.SortStableFunc(list, func(x, y execute.Run) int { return cmp.Compare(rank(x), rank(y)) })
	if n := len(list) - someRuns; n > 0 && !f.all && a.Format == "table" {
		list = list[:someRuns]
		a.Notice("%s more: --all lists them, --outcome chooses", report.Plural(n, "run"))
	}
	if benches > 0 {
		a.Notice("%s of bench: --all lists them", report.Plural(benches, "run"))
	}
	if unchecked > 0 {
		a.Notice("%s not checked on all hosts (seaworthy status RUN shows why)", report.Plural(unchecked, "run"))
	}
	return a.Answer(list, func(p *report.Printer) { report.Runs(p, list, execute.ShortIDs(runs)) })
}

// rank puts runs of labs last.
func rank(r execute.Run) int {
	if r.Lookup.Lab() != "" {
		return 1
	}
	return 0
}

// prune forgets old runs.
func (a *app) prune() *cobra.Command {
	var older time.Duration
	c := &cobra.Command{
		Use:   "prune",
		Short: "Forget old runs that have come to an end",
		Long: `Prune removes the journals of runs that were applied or rolled back before the given
time. They cannot be rolled back any more. Runs that are pending, that were cut off or that
wait for a restart are kept.`,
		Args: command.Args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			journals, err := a.journals()
			if err != nil {
				return err
			}
			runs, err := journals.Runs(c.Context())
			if err != nil {
				return err
			}
			removed := []string{}
			var failed error
			for _, run := range runs {
				if !run.Over() || run.Ended.IsZero() || time.Since(run.Ended) < older {
					continue
				}
				if err := journals.Remove(&run); err != nil {
					failed = errors.Join(failed, err)
					continue
				}
				removed = append(removed, run.ID)
			}
			return a.Conclude(failed, removed, func(p *report.Printer) {
				p.Line("%s removed, %s kept.", report.Plural(len(removed), "run"), report.Plural(len(runs)-len(removed), "run"))
			})
		},
	}
	c.Flags().DurationVar(&older, "older", 30*24*time.Hour, "remove runs that ended longer than this `time` ago")
	return c
}
