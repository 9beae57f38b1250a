package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/internal/app/mtu"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
)

func newProbe(a *commandLine) *cobra.Command {
	return command.Group("probe", "Test what a path carries", newProbeMTU(a))
}

func newProbeMTU(a *commandLine) *cobra.Command {
	var q mtu.Request
	return a.command("probe mtu", command.Flags{
		"helper": &q.Helper, "probes": &q.Probes,
	}, func(c *cobra.Command, argv []string) error {
		q.From, q.To, q.More = argv[0], argv[1], argv[2:]
		ways, err := q.Run(c.Context(), a.access())
		if err != nil {
			return err
		}
		return a.Conclude(mtuStatus(ways), ways, func(p *report.Document) { report.PathMTU(p, ways) })
	})
}

func mtuStatus(ways []pathmtu.Direction) error {
	worst := command.ExitDone
	for _, w := range ways {
		switch w.Verdict {
		case pathmtu.Whole:
		case pathmtu.NoAnswer, pathmtu.Unable, pathmtu.Arrives:
			if worst == command.ExitDone {
				worst = command.ExitInconclusive
			}
		default:
			worst = command.ExitNo
		}
	}
	if worst == command.ExitDone {
		return nil
	}
	return command.Exit(worst, nil)
}
