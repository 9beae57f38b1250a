package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/defects"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
)

func newDefects(a *commandLine) *cobra.Command {
	return command.Group("defects", "List and show known defects, and check hosts for them",
		newDefectsLs(a), newDefectsShow(a), newDefectsCheck(a))
}

func newDefectsLs(a *commandLine) *cobra.Command {
	var file string
	ls := a.command("defects ls", command.Flags{"defects": &file}, func(c *cobra.Command, _ []string) error {
		all, err := knowledge.LoadDefects(c.Context(), file)
		if err != nil {
			return err
		}
		for i := range all {
			all[i].Cases = nil
		}
		return a.Answer(inYAML{all}, func(p *report.Document) { report.Defects(p, all) })
	})
	return a.withSchema(ls, "a file of defects", knowledge.DefectsSchema)
}

func newDefectsShow(a *commandLine) *cobra.Command {
	var file string
	return a.command("defects show", command.Flags{"defects": &file}, func(c *cobra.Command, argv []string) error {
		all, err := knowledge.LoadDefects(c.Context(), file)
		if err != nil {
			return err
		}
		same := func(id string) bool { return strings.EqualFold(id, argv[0]) }
		i := slices.IndexFunc(all, func(d knowledge.Defect) bool { return same(d.ID) || slices.ContainsFunc(d.Siblings, same) })
		if i < 0 {
			return command.Usage("defects show %s: no such defect (see seaworthy defects ls)", argv[0])
		}
		return a.Answer(inYAML{all[i]}, func(p *report.Document) { report.Defect(p, &all[i]) })
	})
}

func newDefectsCheck(a *commandLine) *cobra.Command {
	var file string
	var moment past.Moment
	c := a.command("defects check", atFlags(&moment).And(command.Flags{"defects": &file}), func(c *cobra.Command, argv []string) error {
		all, err := knowledge.LoadDefects(c.Context(), file)
		if err != nil {
			return err
		}
		access, err := moment.Over(a.access())
		if err != nil {
			return err
		}
		got, err := access.ReadNewest(c.Context(), argv, fleet.Options{})
		if err != nil {
			return err
		}
		result, err := defects.Check(c.Context(), got.Fleet, all)
		if err != nil {
			return err
		}
		outcome := completeness(got)
		if result.Bad() {
			outcome = command.Exit(command.ExitNo, nil)
		}
		return a.Conclude(outcome, result, func(p *report.Document) { report.DefectCheck(p, result) })
	})
	return a.Prints(c, defects.Result{})
}
