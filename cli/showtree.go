package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/report"
)

func (a *app) showTree() *cobra.Command {
	return &cobra.Command{
		Use:   "tree [DIR|HOST]...",
		Short: "Show the device hierarchy: SEAs, real adapters, trunks and their clients",
		Long: `Tree shows each host's adapters as topas -E does: an SEA with its real adapter or
EtherChannel and its ports, its trunk adapters and control channel. If clients are read
together with their VIOSes, they are shown below the trunk adapter that carries their
VLAN. Packets are totals since the last reset.`,
		Example: "  seaworthy show tree today\n  seaworthy show tree -i lab -f json",
		RunE: func(c *cobra.Command, argv []string) error {
			got, err := a.fleet(c.Context(), argv)
			if err != nil {
				return err
			}
			t := report.TreesOf(got.fleet)
			return a.answerOf(got, t, func(p *report.Printer) { report.Tree(p, t) })
		},
	}
}
