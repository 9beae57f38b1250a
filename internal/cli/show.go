package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

func newShow(a *commandLine) *cobra.Command {
	return command.Group("show", "Show hosts and the path between two of them", newShowHost(a), newShowPath(a), newShowTree(a), newShowMap(a))
}

func newShowHost(a *commandLine) *cobra.Command {
	var moment past.Moment
	return a.command("show host", atFlags(&moment), func(c *cobra.Command, argv []string) error {
		access, err := moment.Over(a.access())
		if err != nil {
			return err
		}
		got, err := access.ReadChosen(c.Context(), argv)
		if err != nil {
			return err
		}
		return a.answerOf(got, got.Fleet.Hosts, func(p *report.Document) {
			for i, h := range got.Fleet.Hosts {
				if i > 0 {
					p.Line("")
				}
				report.Host(p, h)
			}
		})
	})
}

func newShowPath(a *commandLine) *cobra.Command {
	var moment past.Moment
	c := a.command("show path", atFlags(&moment), func(c *cobra.Command, argv []string) error {
		err := secondIsHost("show path", argv)
		if err != nil {
			return err
		}
		from, to, rest := argv[0], argv[1], argv[2:]
		if from == to {
			return command.Usage("show path: %s is given twice: name two hosts, or two interfaces (HOST:enN)", from)
		}
		access, err := moment.Over(a.access())
		if err != nil {
			return err
		}
		if len(rest) == 0 && a.inventory == "" && access.Past == nil {
			rest = []string{fleet.HostOf(from), fleet.HostOf(to)}
		}
		got, err := access.ReadNewest(c.Context(), rest, fleet.Options{})
		if err != nil {
			return err
		}
		path, err := graph.Of(got.Fleet).Path(from, to)
		if err != nil {
			return fmt.Errorf("path %s to %s: %w", from, to, err)
		}
		return a.answerOf(got, shownPath{path, got.Fleet}, func(p *report.Document) { report.Path(p, got.Fleet, path) })
	})
	return a.Prints(c, shownPath{})
}

// secondIsHost refuses a folder of hosts in place of the second of two hosts. The folder of a single host is not
// meant: it has the host's name where the current folder holds snapshots.
func secondIsHost(path string, argv []string) error {
	_, err := os.Stat(filepath.Join(argv[1], collect.ManifestName))
	if !fleet.IsFolder(argv[1]) || err == nil {
		return nil
	}
	return command.Usage("%s: two hosts are needed: %s is a folder", path, argv[1])
}

// shownPath is a path as it is printed.
type shownPath struct {
	*model.Path
	hosts *model.Fleet
}

// PageTitle heads the page of -f html.
func (s shownPath) PageTitle() string { return s.From.String() + " → " + s.To.String() }

// Drawing is the path as a picture.
func (s shownPath) Drawing() *drawing.Drawing {
	return drawing.Path(s.hosts, s.Path, drawing.Options{})
}

// SchemaMap names the format of show map -f json.
const SchemaMap = "seaworthy.map/1"

// shownMap is a map as it is printed.
type shownMap struct {
	Schema   string          `json:"schema"`
	Segments []graph.Segment `json:"segments"`
}

// PageTitle heads the page of -f html.
func (shownMap) PageTitle() string { return "Systems, VLANs and SEAs" }

// Drawing is the map as a picture.
func (m shownMap) Drawing() *drawing.Drawing { return drawing.Map(m.Segments) }

func newShowMap(a *commandLine) *cobra.Command {
	var system, host string
	var vlan int
	var moment past.Moment
	c := a.command("show map", atFlags(&moment).And(command.Flags{
		"system": &system, "vlan": &vlan, "around": &host,
	}), func(c *cobra.Command, argv []string) error {
		access, err := moment.Over(a.access())
		if err != nil {
			return err
		}
		got, err := access.ReadNewest(c.Context(), argv, fleet.Options{})
		if err != nil {
			return err
		}
		onHost := func(r model.Ref) bool { return r.Host == host }
		m := shownMap{Schema: SchemaMap, Segments: slices.DeleteFunc(graph.Of(got.Fleet).Segments(), func(s graph.Segment) bool {
			return system != "" && s.System != system || vlan != 0 && s.VLAN != vlan ||
				host != "" && !slices.Contains(s.Clients, host) &&
					!slices.ContainsFunc(slices.Concat(s.Active, s.Standby, s.Unknown), onHost)
		})}
		return a.answerOf(got, m, func(p *report.Document) { report.Map(p, m.Segments) })
	})
	return a.Prints(c, shownMap{})
}

func newShowTree(a *commandLine) *cobra.Command {
	var moment past.Moment
	return a.command("show tree", atFlags(&moment), func(c *cobra.Command, argv []string) error {
		access, err := moment.Over(a.access())
		if err != nil {
			return err
		}
		got, err := access.ReadNewest(c.Context(), argv, fleet.Options{})
		if err != nil {
			return err
		}
		t := graph.Of(got.Fleet).Trees()
		return a.answerOf(got, t, func(p *report.Document) { report.Tree(p, t) })
	})
}
