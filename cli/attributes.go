package cli

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"seaworthy/audit"
	"seaworthy/catalog"
	"seaworthy/cli/command"
	"seaworthy/document"
	"seaworthy/report"
)

// attributesOnHosts is what attributes show -f json prints where hosts are given.
type attributesOnHosts struct {
	Attributes inYAML         `json:"attributes"`
	Hosts      []audit.OnHost `json:"hosts"`
}

func (a *app) attributesShow() *cobra.Command {
	return a.command("attributes show", nil, func(c *cobra.Command, argv []string) error {
		cat := catalog.BuiltIn()
		var found []catalog.Attribute
		for _, x := range cat.Attributes("") {
			if strings.EqualFold(x.Name, argv[0]) {
				found = append(found, x)
			}
		}
		if len(found) == 0 {
			return command.Usage("attributes show %s: no such attribute (see seaworthy attributes ls)", argv[0])
		}
		describe := func(p *report.Printer) { report.Attribute(p, found) }
		if len(argv) == 1 && a.inventory == "" {
			return a.Answer(inYAML{found}, describe)
		}
		got, err := a.fleet(c.Context(), argv[1:])
		if err != nil {
			return err
		}
		on, err := audit.OnHosts(c.Context(), got.fleet, cat, found[0].Name)
		if err != nil {
			return err
		}
		return a.answerOf(got, attributesOnHosts{inYAML{found}, on}, func(p *report.Printer) {
			describe(p)
			p.Line("")
			report.AttributeOnHosts(p, on)
		})
	})
}

// inYAML is a part of the catalogue, which has the same names in JSON as in the
// files that people write it in.
type inYAML struct{ v any }

func (y inYAML) MarshalJSON() ([]byte, error) {
	text, err := yaml.Marshal(y.v)
	if err != nil {
		return nil, err
	}
	var v any
	if err := document.YAML("catalogue", text, &v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}
