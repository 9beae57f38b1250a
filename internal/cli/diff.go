package cli

import (
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
)

// diffed holds what diff prints as JSON.
type diffed struct {
	*diff.Diff
	Failed  []fleet.Failure `json:"failed"` // hosts that could not be read, or not to their end
	Version string          `json:"version"`
	Time    time.Time       `json:"time"`
}

func newDiff(a *commandLine) *cobra.Command {
	var rules findings.Rules
	var settings, verbose bool
	return a.command("diff", ruleFlags(&rules).And(command.Flags{
		"settings": &settings, "verbose": &verbose,
	}), func(c *cobra.Command, argv []string) error {
		d, got, err := findings.Compare(c.Context(), a.access(), rules, argv[0], argv[1:], settings)
		if err != nil {
			return err
		}
		var notRead []string
		for _, x := range got.Failed {
			notRead = append(notRead, x.Error)
		}
		result := diffed{Diff: d, Failed: got.Failed, Version: command.Built().ID(), Time: time.Now().UTC()}
		return a.Conclude(diffStatus(d, got), result, func(p *report.Document) { report.Diff(p, d, notRead, verbose) })
	})
}

func diffStatus(d *diff.Diff, got *fleet.Reading) error {
	switch {
	case d.Changed():
		return command.Exit(command.ExitNo, nil)
	case len(got.Failed)+len(d.Removed)+len(d.Unread)+len(d.Findings.Lost) > 0:
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}
