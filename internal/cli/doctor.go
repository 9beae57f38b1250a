package cli

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
	"seaworthy/internal/ui/report"
)

func (a *app) doctor() *cobra.Command {
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
		list, err := a.examine(c.Context(), argv)
		if err != nil {
			return err
		}
		if share != "" {
			if err := shareTo(share, list); err != nil {
				return err
			}
		}
		if err := a.Answer(list, func(p *report.Document) { report.Doctor(p, list, all) }); err != nil {
			return err
		}
		return examined(list)
	})
}

// examine tests hosts side by side. One that cannot be reached does not stop
// the others.
func (a *app) examine(ctx context.Context, names []string) ([]*doctor.Examination, error) {
	c, err := a.open(ctx, names)
	if err != nil {
		return nil, err
	}
	defer c.close()
	list, errs := doctor.All(ctx, c.hosts, doctor.Options{Platforms: c.platforms})
	for i, err := range errs {
		if err != nil {
			list[i] = &doctor.Examination{Host: c.hosts[i].Name(), Results: []doctor.Result{}, Error: err.Error()}
		}
	}
	return list, context.Cause(ctx)
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

// require tests what a feature leans on before it begins, and says where it
// takes another way. A host that cannot be tested does not stop it: the feature
// itself reports that better.
func (a *app) require(ctx context.Context, hosts []remote.Host, f knowledge.Feature) ([]doctor.Consequence, error) {
	platforms, err := a.platforms(ctx)
	if err != nil {
		return nil, err
	}
	other, err := doctor.Require(ctx, hosts, doctor.Options{Platforms: platforms}, f)
	said := map[string]int{}
	for _, o := range other {
		if said[o.Result.ID]++; said[o.Result.ID] == 1 {
			a.Notice("%s", o.Said())
		}
	}
	for _, id := range slices.Sorted(maps.Keys(said)) {
		if said[id] > 1 {
			a.Notice("%s: the same on %s more: seaworthy doctor names them", id, report.Plural(said[id]-1, "host"))
		}
	}
	if err != nil {
		err = command.Exit(command.ExitNo, err)
	}
	return other, err
}
