package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/internal/app/runs"
	"seaworthy/internal/ui/report"
)

func newRollback(a *commandLine) *cobra.Command {
	return a.command("rollback", nil, func(c *cobra.Command, argv []string) error {
		ctx := c.Context()
		id, _, err := runs.Resolve(ctx, a.access(), argv[0])
		if err != nil {
			return err
		}
		r, closeAll, err := runs.OpenRun(ctx, a.access(), id, argv[1:])
		if err != nil {
			return err
		}
		defer closeAll()
		run, err := r.Rollback(ctx, id)
		if run == nil {
			return err
		}
		return a.Conclude(err, run, func(p *report.Document) { report.Run(p, run) })
	})
}
