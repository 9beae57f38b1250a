package cli

import (
	_ "embed"

	"github.com/spf13/cobra"
)

// FindingsSchema is the JSON Schema of what audit -f json prints.
//
//go:embed schema/findings.schema.json
var FindingsSchema string

// PlanSchema is that of what plan -o writes and plan -f json prints.
//
//go:embed schema/plan.schema.json
var PlanSchema string

// HostsSchema is that of hosts.yaml.
//
//go:embed schema/hosts.schema.json
var HostsSchema string

// withSchema gives a command the flag --schema, which prints a JSON Schema
// instead of running it.
func (a *app) withSchema(c *cobra.Command, of, schema string) *cobra.Command {
	var asked bool
	c.Flags().BoolVar(&asked, "schema", false, "print the JSON Schema of "+of+" and exit")
	run := c.RunE
	c.RunE = func(c *cobra.Command, argv []string) error {
		if asked {
			return a.Print(schema)
		}
		return run(c, argv)
	}
	return c
}
