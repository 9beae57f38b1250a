package cli

import (
	"context"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/past"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/history"
	"seaworthy/internal/ui/report"
)

// historyCommand is a subcommand of history.
type historyCommand struct {
	*commandLine
	location string // --history
	verbose  bool
}

func newHistory(a *commandLine) *cobra.Command {
	return command.Group("history", "What hosts were like, what changed, and since when",
		newHistoryAdd(a), newHistoryLs(a), newHistorySince(a))
}

// history is a subcommand that works on a history.
func (a *commandLine) history(
	path string, more func(x *historyCommand) command.Flags, run func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error,
) *cobra.Command {
	x := &historyCommand{commandLine: a}
	flags := command.Flags{"history": &x.location}
	if more != nil {
		flags = flags.And(more(x))
	}
	return a.command(path, flags, func(c *cobra.Command, argv []string) error {
		store, err := past.Open(c.Context(), a.access(), x.location)
		if err != nil {
			return err
		}
		defer store.Close()
		return run(c.Context(), x, store, argv)
	})
}

// verboseFlag is the flag of a list that is cut short.
func verboseFlag(x *historyCommand) command.Flags { return command.Flags{"verbose": &x.verbose} }

func newHistoryAdd(a *commandLine) *cobra.Command {
	return a.history("history add", nil, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
		added, err := past.Add(ctx, a.access(), store, argv)
		if err != nil {
			return err
		}
		var status error
		if len(added.Failed) > 0 {
			status = command.Exit(command.ExitInconclusive, nil)
		}
		return a.Conclude(status, added, func(p *report.Document) { report.HistoryAdded(p, added) })
	})
}

func newHistoryLs(a *commandLine) *cobra.Command {
	return a.history("history ls", nil, func(ctx context.Context, x *historyCommand, store *history.Store, _ []string) error {
		hosts, err := store.Hosts(ctx, past.Now())
		if err != nil {
			return err
		}
		return a.Answer(hosts, func(p *report.Document) { report.HistoryHosts(p, hosts) })
	})
}

func newHistorySince(a *commandLine) *cobra.Command {
	return a.history("history since", verboseFlag, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
		where := ""
		if len(argv) > 1 {
			where = argv[1]
		}
		got, err := past.SinceWhen(ctx, a.access(), store, argv[0], where)
		if err != nil {
			return err
		}
		return a.Answer(got, func(p *report.Document) { report.HistorySince(p, got, x.verbose) })
	})
}
