package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/report"
)

func (a *app) cleanup() *cobra.Command {
	return a.command("cleanup", nil, func(c *cobra.Command, argv []string) error {
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
	})
}
