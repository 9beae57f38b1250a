package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/inventory"
	"seaworthy/report"
	"seaworthy/report/drawing"
)

// SchemaMap names the format of show map -f json.
const SchemaMap = "seaworthy.map/1"

// shownMap is a map as it is printed.
type shownMap struct {
	Schema   string            `json:"schema"`
	Segments []drawing.Segment `json:"segments"`
}

// PageTitle heads the page of -f html.
func (shownMap) PageTitle() string { return "Systems, VLANs and SEAs" }

// Drawing is the map as a picture.
func (m shownMap) Drawing() *drawing.Drawing { return drawing.Map(m.Segments) }

func (a *app) showMap() *cobra.Command {
	var system, host string
	var vlan int
	c := a.command("show map", command.Flags{
		"system": &system, "vlan": &vlan, "around": &host,
	}, func(c *cobra.Command, argv []string) error {
		got, err := a.fleet(c.Context(), argv)
		if err != nil {
			return err
		}
		onHost := func(r inventory.Ref) bool { return r.Host == host }
		m := shownMap{Schema: SchemaMap, Segments: slices.DeleteFunc(drawing.Segments(got.fleet), func(s drawing.Segment) bool {
			return system != "" && s.System != system || vlan != 0 && s.VLAN != vlan ||
				host != "" && !slices.Contains(s.Clients, host) &&
					!slices.ContainsFunc(slices.Concat(s.Active, s.Standby, s.Unknown), onHost)
		})}
		return a.answerOf(got, m, func(p *report.Printer) { report.Map(p, m.Segments) })
	})
	return a.Prints(c, shownMap{})
}
