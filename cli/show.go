package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/inventory"
	"seaworthy/report"
	"seaworthy/report/drawing"
)

func (a *app) show() *cobra.Command {
	return command.Group("show", "Show hosts and the path between two of them", a.showHost(), a.showPath(), a.showTree(), a.showMap())
}

func (a *app) showHost() *cobra.Command {
	return &cobra.Command{
		Use:   "host [DIR|HOST]...",
		Short: "Show a host's network elements and their main attributes",
		RunE: func(c *cobra.Command, argv []string) error {
			got, err := a.fleet(c.Context(), argv)
			if err != nil {
				return err
			}
			return a.answerOf(got, got.fleet.Hosts, func(p *report.Printer) {
				for i, h := range got.fleet.Hosts {
					if i > 0 {
						p.Line("")
					}
					report.Host(p, h)
				}
			})
		},
	}
}

func (a *app) showPath() *cobra.Command {
	c := &cobra.Command{
		Use:   "path FROM TO [DIR|HOST]...",
		Short: "Show every element between two hosts, or two interfaces (HOST:enN)",
		Long: `Path shows every element between two interfaces, with the attributes that affect
traffic. The hosts in between must be read too: name them, or a folder that contains
them, or give an inventory with -i. Elements that no host can see, such as a switch,
are marked.

-f svg draws the path: each managed system with its LPARs, hypervisor switch and VIOSes,
what stands by dashed, lost packets as numbered notes. -f dot, mermaid and drawio give the
same picture to Graphviz, Markdown and draw.io.`,
		Example: "  seaworthy show path lpar1 lpar2 today\n  seaworthy show path lpar1:en0 lpar2 -i lab -f svg > path.svg",
		Args:    command.Args(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, argv []string) error {
			from, to, rest := argv[0], argv[1], argv[2:]
			if from == to {
				return command.Usage("show path: %s is given twice: name two hosts, or two interfaces (HOST:enN)", from)
			}
			if len(rest) == 0 && a.inventory == "" {
				rest = []string{hostOf(from), hostOf(to)}
			}
			got, err := a.fleet(c.Context(), rest)
			if err != nil {
				return err
			}
			path, err := got.fleet.Between(from, to)
			if err != nil {
				return fmt.Errorf("path %s to %s: %w", from, to, err)
			}
			return a.answerOf(got, shownPath{path, got.fleet}, func(p *report.Printer) { report.Path(p, got.fleet, path) })
		},
	}
	return a.Prints(c, shownPath{})
}

// shownPath is a path as it is printed.
type shownPath struct {
	*inventory.Path
	fleet *inventory.Fleet
}

// PageTitle heads the page of -f html.
func (s shownPath) PageTitle() string { return s.From.String() + " → " + s.To.String() }

// Drawing is the path as a picture.
func (s shownPath) Drawing() *drawing.Drawing {
	return drawing.Path(s.fleet, s.Path, drawing.Options{})
}
