package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/ui/report"
)

func (a *app) importing() *cobra.Command {
	var out, key string
	var o importer.Options
	var verbose bool
	return a.command("import", command.Flags{
		"output": &out, "host": &o.Host, "redact": &key, "verbose": &verbose,
	}, func(c *cobra.Command, argv []string) error {
		if out == "" {
			return command.Usage("import: -o DIR is required")
		}
		got, err := a.redacted(c.Context(), key, out, func(dir string) (*importer.Result, error) {
			return importer.Import(c.Context(), argv, dir, o)
		})
		if got == nil {
			return err
		}
		if aerr := a.Answer(got, func(p *report.Document) { report.Imported(p, got, verbose) }); aerr != nil {
			return aerr
		}
		if err == nil && len(got.Hosts) == 0 {
			return fmt.Errorf("import: nothing in %s was recognised", strings.Join(argv, ", "))
		}
		return err
	})
}
