package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/change/watchdog"
	"seaworthy/cli/command"
	"seaworthy/report"
)

func (a *app) cleanup() *cobra.Command {
	return &cobra.Command{
		Use:   "cleanup [HOST]...",
		Short: "Remove what finished runs left on hosts",
		Long: `Cleanup removes the records of confirmed and rolled-back runs from ` + watchdog.Base + `
on the hosts, and the folder with the last of them. apply --confirm-within puts a record
there and removes it when it ends; one stays where apply was killed or did not wait,
or where another machine confirmed the run. A run that is not over is kept and listed.

The journal on this machine stays, so seaworthy rollback RUN still works from here, but no
longer from another machine.`,
		Example: "  seaworthy cleanup lpar1 vios1\n  seaworthy cleanup -i hosts.yaml",
		RunE: func(c *cobra.Command, argv []string) error {
			if len(argv) == 0 && a.inventory == "" {
				return command.Usage("cleanup: name hosts, or give an inventory with -i")
			}
			r, done, err := a.runner(c.Context(), argv)
			if err != nil {
				return err
			}
			defer done()
			hosts, err := r.Clean(c.Context(), "")
			return a.Conclude(err, hosts, func(p *report.Printer) {
				t := report.Table{Head: []string{"host", " removed", "not over"}}
				for _, h := range hosts {
					var left []string
					for _, s := range h.Left {
						left = append(left, s.Run+" ("+string(s.Phase)+")")
					}
					t.Add(report.Safe(h.Host), report.Count(len(h.Removed)), report.Dash(strings.Join(left, ", ")))
				}
				t.Print(p)
			})
		},
	}
}
