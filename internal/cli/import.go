package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/collection"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/ui/report"
)

func newImport(a *commandLine) *cobra.Command {
	var out, key string
	var o importer.Options
	var verbose bool
	return a.command("import", command.Flags{
		"output": &out, "host": &o.Host, "redact": &key, "verbose": &verbose,
	}, func(c *cobra.Command, argv []string) error {
		if out == "" {
			return command.Usage("import: -o DIR is required")
		}
		got, err := collection.Import(c.Context(), argv, out, key, o, a.Notice)
		if got == nil {
			return err
		}
		unprinted := a.Answer(got, func(p *report.Printer) { imported(p, got, verbose) })
		if unprinted != nil {
			return unprinted
		}
		if err == nil && len(got.Hosts) == 0 {
			return fmt.Errorf("import: nothing in %s was recognised", strings.Join(argv, ", "))
		}
		return err
	})
}

// imported prints the result of an import: hosts, files, what was left.
func imported(p *report.Printer, r *importer.Result, verbose bool) {
	p.Lay("imported", struct {
		*importer.Result
		Verbose        bool
		Unrecognised   string
		Percent, Label any
		Costs, Unknown any
	}{r, verbose, importer.Unrecognised, percent, label, costs, unknown})
}

// label says what an output is, or what its heading says of one not recognised.
func label(x importer.Part) string {
	if x.Kind == importer.Unrecognised && x.Command != "" {
		// Lines picked out of an output do not say which adapter they are of.
		if e := registry.Find(detect.ParseCommand(x.Command).ID); e != nil && strings.Contains(x.Command, "|") {
			return "filtered output; save all of " + e.Command + ": " + x.Command
		}
		return "unknown: " + x.Command
	}
	return strings.TrimSpace(x.Kind + " " + x.Element)
}

// costs says whether a warning is of data that is lost.
func costs(warning string) bool {
	return strings.HasPrefix(warning, "not stored") || strings.HasPrefix(warning, importer.NotRead)
}

// unknown says what of a file was not recognised, and why if that shows.
func unknown(f importer.File) []string {
	n, why := 0, ""
	for _, x := range f.Parts {
		if x.Kind == importer.Unrecognised {
			n++
		}
		for _, w := range x.Warnings {
			why = ": " + strings.TrimPrefix(w, importer.NotRead)
		}
	}
	switch {
	case f.Kind == importer.Unrecognised:
		return []string{f.File + why}
	case n > 0 && n < len(f.Parts):
		return []string{fmt.Sprintf("%s: %d of the %d outputs in it (-v lists them)", f.File, n, len(f.Parts))}
	}
	return nil
}

// percent shows a share; a dash where no codec reads the text.
func percent(share *float64) string {
	switch {
	case share == nil:
		return "-"
	case *share < 1 && *share > 0.999:
		return "99.9 %" // not all
	}
	return fmt.Sprintf("%.1f %%", *share*100)
}
