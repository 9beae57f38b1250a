package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/internal/app/runs"
)

func newConfirm(a *commandLine) *cobra.Command {
	return a.command("confirm", nil, func(c *cobra.Command, argv []string) error {
		ctx := c.Context()
		id, ended, err := runs.Resolve(ctx, a.access(), argv[0])
		if err != nil {
			return err
		}
		if ended != nil {
			return a.printRun(ended, nil)
		}
		r, closeAll, err := runs.OpenRun(ctx, a.access(), id, argv[1:])
		if err != nil {
			return err
		}
		defer closeAll()
		run, err := r.Confirm(ctx, id)
		return a.printRun(run, err)
	})
}
