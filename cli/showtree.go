package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"seaworthy/inventory"
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

// pictures are the files that show path also writes.
type pictures struct{ svg, dot string }

func (x *pictures) add(c *cobra.Command) {
	c.Flags().StringVar(&x.svg, "svg", "", "also write the path to this `file` as SVG")
	c.Flags().StringVar(&x.dot, "dot", "", "also write the path to this `file` as a Graphviz graph")
}

func (x *pictures) write(f *inventory.Fleet, path *inventory.Path) error {
	for _, one := range []struct {
		file string
		draw func(*inventory.Fleet, *inventory.Path) []byte
	}{{x.svg, report.PathSVG}, {x.dot, report.PathDOT}} {
		if one.file == "" {
			continue
		}
		if err := os.WriteFile(one.file, one.draw(f, path), 0o644); err != nil {
			return fmt.Errorf("path %s to %s: %w", path.From, path.To, err)
		}
	}
	return nil
}
