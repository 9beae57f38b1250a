package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/runs"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
)

type statusCommand struct {
	*commandLine
	hosts  []string
	filter runs.Filter
}

// someRuns is how many runs are listed without --all.
const someRuns = 20

func newStatus(a *commandLine) *cobra.Command {
	x := &statusCommand{commandLine: a}
	c := a.command("status", command.Flags{
		"host": &x.hosts, "outcome": &x.filter.Outcomes, "all": &x.filter.All,
	}, func(c *cobra.Command, argv []string) error {
		switch {
		case len(x.hosts) > 0:
			return x.pending(c.Context())
		case len(argv) == 1:
			return x.one(c.Context(), argv[0])
		}
		return x.list(c.Context())
	})
	c.AddCommand(newPrune(a))
	return a.Prints(c, &execute.Run{})
}

// one shows a run.
func (x *statusCommand) one(ctx context.Context, id string) error {
	run, unchecked, err := runs.Load(ctx, x.access(), id)
	if err != nil {
		return err
	}
	if unchecked != nil {
		x.Notice("run %s: not checked on all its hosts: %s", run.ID, strings.ReplaceAll(unchecked.Error(), "\n", "; "))
	}
	return x.Answer(run, func(p *report.Document) { report.Run(p, run) })
}

// list shows the runs of this machine.
func (x *statusCommand) list(ctx context.Context) error {
	found, err := runs.Find(ctx, x.access(), x.filter)
	if err != nil {
		return err
	}
	list := found.Runs
	more := len(list) - someRuns
	if more > 0 && !x.filter.All && x.Format == "table" {
		list = list[:someRuns]
		x.Notice("%s more: --all lists them, --outcome chooses", report.Plural(more, "run"))
	}
	if found.Measuring > 0 {
		x.Notice("%s of bench: --all lists them", report.Plural(found.Measuring, "run"))
	}
	if found.Unchecked > 0 {
		x.Notice("%s not checked on all hosts (seaworthy status RUN shows why)", report.Plural(found.Unchecked, "run"))
	}
	return x.Answer(list, func(p *report.Document) { report.Runs(p, list, found.IDs) })
}

// pending asks hosts for the runs that their watchdogs hold.
func (x *statusCommand) pending(ctx context.Context) error {
	r, closeAll, err := runs.Open(ctx, x.access(), x.hosts)
	if err != nil {
		return err
	}
	defer closeAll()
	states, err := r.Watched(ctx)
	if states == nil {
		states = []watchdog.State{}
	}
	return errors.Join(err, x.Answer(states, func(p *report.Document) {
		if len(states) == 0 && err == nil {
			p.Line("No runs on %s.", strings.Join(x.hosts, ", "))
		}
		report.PendingRuns(p, states)
	}))
}

// newPrune forgets old runs.
func newPrune(a *commandLine) *cobra.Command {
	older := 30 * 24 * time.Hour
	return a.command("status prune", command.Flags{"older": &older}, func(c *cobra.Command, _ []string) error {
		removed, kept, err := runs.Prune(c.Context(), a.access(), older)
		if removed == nil {
			return err
		}
		return a.Conclude(err, removed, func(p *report.Document) {
			p.Line("%s removed, %s kept.", report.Plural(len(removed), "run"), report.Plural(kept, "run"))
		})
	})
}
