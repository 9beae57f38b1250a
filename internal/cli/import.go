package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/collection"
	"seaworthy/internal/base/spelling"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/ui/report"
)

func newImport(a *commandLine) *cobra.Command {
	var out, key, hosts string
	var o importer.Options
	var verbose bool
	return a.command("import", command.Flags{
		"output": &out, "host": &o.Host, "platform": &o.Platform, "map": &hosts, "redact": &key, "verbose": &verbose,
	}, func(c *cobra.Command, argv []string) error {
		if out == "" {
			return command.Usage("import: -o DIR is required")
		}
		if platforms := importer.Platforms(); o.Platform != "" && !slices.Contains(platforms, o.Platform) {
			near := spelling.DidYouMean(o.Platform, platforms)
			return command.Usage("--platform %s: expected one of %s%s", o.Platform, strings.Join(platforms, ", "), near)
		}
		if hosts != "" {
			var err error
			o.Map, err = importer.LoadMap(c.Context(), hosts)
			if err != nil {
				return err
			}
		}
		got, err := collection.Import(c.Context(), argv, out, key, o, a.Notice)
		if got == nil {
			return err
		}
		unprinted := a.Answer(got, func(p *report.Document) { report.Imported(p, got, verbose) })
		if unprinted != nil {
			return unprinted
		}
		if err == nil && len(got.Hosts) == 0 {
			return fmt.Errorf("import: nothing in %s was recognised", strings.Join(argv, ", "))
		}
		return err
	})
}
