package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/internal/app/runs"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
)

func newCleanup(a *commandLine) *cobra.Command {
	return a.command("cleanup", nil, func(c *cobra.Command, argv []string) error {
		if len(argv) == 0 && a.inventory == "" {
			return command.Usage("cleanup: name hosts, or give an inventory with -i")
		}
		r, closeAll, err := runs.Open(c.Context(), a.access(), argv)
		if err != nil {
			return err
		}
		defer closeAll()
		hosts, err := r.Clean(c.Context(), "")
		return a.Conclude(err, hosts, func(p *report.Document) { report.Cleaned(p, hosts) })
	})
}
