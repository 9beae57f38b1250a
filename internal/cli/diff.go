package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report"
)

// diffed is what diff prints as JSON.
type diffed struct {
	*diff.Diff
	Failed  []failedHost `json:"failed"` // hosts that could not be read, or not to their end
	Version string       `json:"version"`
	Time    time.Time    `json:"time"`
}

func (a *app) diff() *cobra.Command {
	var flags ruleFlags
	var verbose bool
	return a.command("diff", flags.flags().And(command.Flags{
		"verbose": &verbose,
	}), func(c *cobra.Command, argv []string) error {
		set, err := flags.compile(c.Context())
		if err != nil {
			return err
		}
		before, got, err := a.twoReadings(c.Context(), "diff", argv[0], argv[1:])
		if err != nil {
			return err
		}
		d, err := diff.Audited(c.Context(), set, before, got.fleet)
		if err != nil {
			return err
		}
		var outcome error
		switch {
		case d.Changed():
			outcome = command.Exit(command.ExitNo, nil)
		case len(got.failed)+len(d.Removed)+len(d.Unread)+len(d.Findings.Lost) > 0:
			outcome = command.Exit(command.ExitInconclusive, nil)
		}
		var notRead []string
		for _, x := range got.failed {
			notRead = append(notRead, x.Error)
		}
		result := diffed{Diff: d, Failed: got.failed, Version: command.Built().ID(), Time: time.Now().UTC()}
		return a.Conclude(outcome, result, func(p *report.Document) { report.Diff(p, d, notRead, verbose) })
	})
}

// twoReadings reads an earlier folder, and what a command compares it with.
func (a *app) twoReadings(ctx context.Context, name, dir string, argv []string) (*model.Fleet, *fleet, error) {
	if !isSnapshot(dir) {
		return nil, nil, command.Usage("%s %s: no such folder: expected one that collect or import wrote", name, dir)
	}
	if len(argv) == 0 && a.inventory == "" {
		return nil, nil, command.Usage("%s %s: name a later folder, or the hosts to read now", name, dir)
	}
	earlier := &fleet{fleet: &model.Fleet{}}
	earlier.saved(ctx, dir)
	if err := earlier.pair(); err != nil {
		return nil, nil, err
	}
	for _, x := range earlier.failed {
		a.Notice("%s: %s", dir, x.Error)
	}
	got, err := a.fleet(ctx, argv)
	if err != nil {
		return nil, nil, err
	}
	common := 0
	kept := earlier.fleet.Hosts[:0]
	for _, b := range earlier.fleet.Hosts {
		h := got.fleet.Host(b.Name)
		switch {
		case h == nil:
		case h.Another(b) != "":
			a.Notice("%s: two different hosts have this name (%s): not compared", h.Name, h.Another(b))
			continue
		case !h.Taken.IsZero() && !b.Taken.IsZero() && h.Taken.Before(b.Taken):
			return nil, nil, command.Usage("%s: %s was read at %s in %s and earlier, at %s, in the other: give the earlier folder first",
				name, h.Name, b.Taken.Format(time.DateTime), dir, h.Taken.Format(time.DateTime))
		default:
			common++
		}
		kept = append(kept, b)
	}
	earlier.fleet.Hosts = kept
	if common == 0 {
		return nil, nil, fmt.Errorf("%s: %s and the later reading have no host in common", name, dir)
	}
	return earlier.fleet, got, nil
}
