package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/ui/report"
)

func newDoctor(a *commandLine) *cobra.Command {
	var all, sudoers bool
	var share string
	return a.command("doctor", command.Flags{
		"all": &all, "sudoers": &sudoers, "share": &share,
	}, func(c *cobra.Command, argv []string) error {
		if sudoers {
			list := collect.Sudoers()
			return a.Answer(list, func(p *report.Document) { report.Sudoers(p, list) })
		}
		if len(argv) == 0 && a.inventory == "" {
			return command.Usage("doctor: name hosts, or give an inventory with -i")
		}
		list, err := a.access().Examine(c.Context(), argv)
		if err != nil {
			return err
		}
		if share != "" {
			err = shareTo(share, list)
			if err != nil {
				return err
			}
		}
		err = a.Answer(list, func(p *report.Document) { report.Doctor(p, list, all) })
		if err != nil {
			return err
		}
		return examined(list)
	})
}

func shareTo(file string, list []*doctor.Examination) error {
	shared, err := doctor.Share(list)
	if err != nil {
		return err
	}
	return command.SaveJSON(file, "  ", map[string]any{"seaworthy": command.Built(), "hosts": shared})
}

func examined(list []*doctor.Examination) error {
	failed := func(e *doctor.Examination) bool { return e.Error != "" }
	switch {
	case !slices.ContainsFunc(list, func(e *doctor.Examination) bool { return !failed(e) }):
		var err error
		for _, e := range list {
			err = errors.Join(err, errors.New(e.Error))
		}
		return err
	case slices.ContainsFunc(list, (*doctor.Examination).Refuses):
		return command.Exit(command.ExitNo, nil)
	case slices.ContainsFunc(list, failed):
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}
