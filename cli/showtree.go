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
		Short: "Show what stands on what: SEA, real adapters, trunks, and the clients they carry",
		Long: `Tree shows each host's adapters in the shape of topas -E: an SEA with its real
adapter or EtherChannel and its ports, its virtual trunks and control channel.
Where clients and their VIOSes are read together, the clients stand below the
trunk that carries their VLAN. Packets are totals since the counters began.`,
		Example: "  seaworthy show tree today\n  seaworthy show tree -i lab -f json",
		RunE: func(c *cobra.Command, argv []string) error {
			got, err := a.fleet(c.Context(), argv)
			if err != nil {
				return err
			}
			t := report.TreesOf(got.fleet)
			if err := a.Answer(t, func(p *report.Printer) { report.Tree(p, t) }); err != nil {
				return err
			}
			return got.incomplete()
		},
	}
}

// pictures are the files that show path also writes.
type pictures struct{ svg, dot string }

func (x *pictures) add(c *cobra.Command) {
	c.Flags().StringVar(&x.svg, "svg", "", "also draw the path into this `file`, as SVG")
	c.Flags().StringVar(&x.dot, "dot", "", "also write the path into this `file`, as a graph for Graphviz")
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
