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
	return a.command("show host", nil, func(c *cobra.Command, argv []string) error {
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
	})
}

func (a *app) showPath() *cobra.Command {
	c := a.command("show path", nil, func(c *cobra.Command, argv []string) error {
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
	})
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
