package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
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
	c := a.command("status", command.Flags{
		"host": &f.hosts, "outcome": &f.outcomes, "all": &f.all,
	}, func(c *cobra.Command, argv []string) error {
		switch {
		case len(f.hosts) > 0:
			return a.pending(c.Context(), f.hosts)
		case len(argv) == 1:
			return a.statusOf(c.Context(), argv[0])
		}
		return a.statusAll(c.Context(), f)
	})
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
	return a.Answer(run, func(p *report.Document) { report.Run(p, run) })
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
	return a.Answer(list, func(p *report.Document) { report.Runs(p, list, execute.ShortIDs(runs)) })
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
	older := 30 * 24 * time.Hour
	return a.command("status prune", command.Flags{"older": &older}, func(c *cobra.Command, _ []string) error {
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
		return a.Conclude(failed, removed, func(p *report.Document) {
			p.Line("%s removed, %s kept.", report.Plural(len(removed), "run"), report.Plural(len(runs)-len(removed), "run"))
		})
	})
}
