package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/report"
)

func (a *app) showTree() *cobra.Command {
	return a.command("show tree", nil, func(c *cobra.Command, argv []string) error {
		got, err := a.fleet(c.Context(), argv)
		if err != nil {
			return err
		}
		t := report.TreesOf(got.fleet)
		return a.answerOf(got, t, func(p *report.Printer) { report.Tree(p, t) })
	})
}
