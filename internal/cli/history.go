package cli

import (
	"context"
	"slices"

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
	at       string // --at
}

func newHistory(a *commandLine) *cobra.Command {
	return command.Group("history", "What hosts were like, what changed, and since when",
		newHistoryAdd(a), newHistoryLs(a), newHistoryResults(a), newHistorySince(a), newHistoryAt(a), newHistoryDiff(a), newHistoryWhere(a),
		newHistorySimilar(a), newHistoryRestore(a), newHistoryPrune(a))
}

// atFlags are those of a command that reads hosts as a history knew them.
func atFlags(m *past.Moment) command.Flags {
	return command.Flags{"history": &m.History, "at": &m.At}
}

// historyRun is what a subcommand does with an open history.
type historyRun func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error

// history is a subcommand that works on a history.
func (a *commandLine) history(path string, more func(x *historyCommand) command.Flags, run historyRun) *cobra.Command {
	x := &historyCommand{commandLine: a}
	flags := command.Flags{"history": &x.location}
	if more != nil {
		flags = flags.And(more(x))
	}
	return a.command(path, flags, func(c *cobra.Command, argv []string) error {
		open := past.OpenToRead
		if path == historyAdd {
			open = past.Open
		}
		store, err := open(c.Context(), a.access(), x.location)
		if err != nil {
			return err
		}
		defer store.Close()
		return run(c.Context(), x, store, argv)
	})
}

// historyAdd is the subcommand that makes a history.
const historyAdd = "history add"

// verboseFlag is the flag of a list that is cut short.
func verboseFlag(x *historyCommand) command.Flags { return command.Flags{"verbose": &x.verbose} }

func newHistoryAdd(a *commandLine) *cobra.Command {
	return a.history(historyAdd, nil, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
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

func newHistoryResults(a *commandLine) *cobra.Command {
	return a.history("history results", nil, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
		results, err := store.Results(ctx, history.Window{To: past.Now(), Hosts: argv})
		if err != nil {
			return err
		}
		return a.Answer(results, func(p *report.Document) { report.HistoryResults(p, results) })
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

func newHistoryAt(a *commandLine) *cobra.Command {
	return a.history("history at", verboseFlag, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
		at, err := past.ParseTime(argv[0])
		if err != nil {
			return err
		}
		if len(argv) == 1 {
			hosts, err := store.Hosts(ctx, at)
			if err != nil {
				return err
			}
			return a.Answer(hosts, func(p *report.Document) { report.HistoryHosts(p, hosts) })
		}
		host, err := past.HostAt(ctx, store, argv[1], at)
		if err != nil {
			return err
		}
		return a.Answer(host, func(p *report.Document) { report.PastHost(p, host, x.verbose) })
	})
}

func newHistoryDiff(a *commandLine) *cobra.Command {
	return a.history("history diff", verboseFlag, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
		from, err := past.ParseTime(argv[0])
		if err != nil {
			return err
		}
		to, err := past.ParseTime(argv[1])
		if err != nil {
			return err
		}
		if !from.Before(to) {
			return command.Usage("history diff %s %s: give the earlier time first", argv[0], argv[1])
		}
		got, err := store.Diff(ctx, from, to, argv[2:]...)
		if err != nil {
			return err
		}
		var status error
		switch {
		case len(got.Changes) > 0:
			status = command.Exit(command.ExitNo, nil)
		case len(got.NotSeen)+len(got.Unread) > 0 || got.Seen == 0:
			status = command.Exit(command.ExitInconclusive, nil)
		}
		return a.Conclude(status, got, func(p *report.Document) { report.PastDiff(p, got, x.verbose) })
	})
}

func newHistoryWhere(a *commandLine) *cobra.Command {
	flags := func(x *historyCommand) command.Flags {
		x.at = "now"
		return verboseFlag(x).And(command.Flags{"at": &x.at})
	}
	return a.history("history where", flags, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
		at, err := past.ParseTime(x.at)
		if err != nil {
			return err
		}
		got, err := past.Find(ctx, store, argv[0], at)
		if err != nil {
			return err
		}
		var status error
		if len(got.Matches) == 0 && len(got.Undecided)+len(got.NotRead) > 0 {
			status = command.Exit(command.ExitInconclusive, nil)
		}
		return a.Conclude(status, got, func(p *report.Document) { report.PastWhere(p, got, x.verbose) })
	})
}

// mostSimilar is how many hosts are listed beside another.
const mostSimilar = 5

func newHistorySimilar(a *commandLine) *cobra.Command {
	return a.history("history similar", verboseFlag, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
		got, err := store.Similar(ctx, argv[0], mostSimilar)
		if err != nil {
			return err
		}
		return a.Answer(got, func(p *report.Document) { report.PastSimilar(p, argv[0], got, x.verbose) })
	})
}

func newHistoryRestore(a *commandLine) *cobra.Command {
	var dir string
	flags := func(x *historyCommand) command.Flags {
		x.at = "now"
		return command.Flags{"at": &x.at, "output": &dir}
	}
	return a.history("history restore", flags, func(ctx context.Context, x *historyCommand, store *history.Store, argv []string) error {
		if dir == "" {
			return command.Usage("history restore: -o DIR is required")
		}
		at, err := past.ParseTime(x.at)
		if err != nil {
			return err
		}
		got, err := past.Write(ctx, store, at, dir, argv)
		if err != nil {
			return err
		}
		var status error
		if slices.ContainsFunc(got, func(r past.Restored) bool { return r.Error != "" }) {
			status = command.Exit(command.ExitInconclusive, nil)
		}
		return a.Conclude(status, got, func(p *report.Document) { report.PastRestored(p, got) })
	})
}

func newHistoryPrune(a *commandLine) *cobra.Command {
	var older string
	flags := func(*historyCommand) command.Flags { return command.Flags{"older": &older} }
	return a.history("history prune", flags, func(ctx context.Context, x *historyCommand, store *history.Store, _ []string) error {
		if older == "" {
			return command.Usage("history prune: --older AGE is required, such as 90d")
		}
		age, err := past.ParseAge(older)
		if err != nil {
			return err
		}
		got, err := store.Prune(ctx, past.Now().Add(-age))
		if err != nil {
			return err
		}
		return a.Answer(got, func(p *report.Document) { report.PastPruned(p, got) })
	})
}
