package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/collect/importer"
	"seaworthy/collect/importer/detect"
	"seaworthy/dialect/registry"
	"seaworthy/report"
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
		if aerr := a.Answer(got, func(p *report.Printer) { imported(p, got, verbose) }); aerr != nil {
			return aerr
		}
		if err == nil && len(got.Hosts) == 0 {
			return fmt.Errorf("import: nothing in %s was recognised", strings.Join(argv, ", "))
		}
		return err
	})
}

// imported prints the result of an import: hosts, files, what was left.
func imported(p *report.Printer, r *importer.Result, verbose bool) {
	hosts := report.Table{Head: []string{"host", "platform", " outputs", "name found in", "folder"}}
	for _, h := range r.Hosts {
		hosts.Add(report.Safe(h.Host), h.Platform, report.Count(h.Outputs), report.Safe(h.Found), report.Safe(h.Dir))
	}
	if len(r.Hosts) > 0 {
		hosts.Print(p)
		p.Line("")
	}
	files := report.Table{Head: []string{"file", "what it is", "host", " lines", " understood", " kept", " not understood"}}
	for _, f := range r.Files {
		if f.Kind == importer.Unrecognised {
			continue
		}
		files.Add(report.Safe(f.File), report.Safe(f.Kind), report.Dash(f.Host), report.Count(f.Understood+f.Kept+f.Unknown),
			percent(f.Coverage), some(f.Kept), some(f.Unknown))
		if verbose && len(f.Parts) > 1 {
			for _, x := range f.Parts {
				files.Add("  line "+report.Count(x.Line), report.Safe(label(x)), report.Dash(x.Host), report.Count(x.Lines),
					percent(x.Coverage), "", "")
			}
		}
	}
	files.Print(p)
	for _, f := range r.Files {
		notes(p, f, verbose)
	}
	if slices.ContainsFunc(r.Files, func(f importer.File) bool { return f.Kind == importer.Unrecognised }) {
		p.Prose("", "unknown files hold no output that seaworthy reads (collect --list shows those), or lack its first lines")
	}
	for _, x := range r.Problems {
		p.Prose("skipped", x.File+": "+x.Why)
	}
	p.Line("%s, %s; of %s %s understood, %s kept but not evaluated, %s not understood",
		report.Plural(len(r.Files), "file"), report.Plural(len(r.Hosts), "host"),
		report.Plural(r.Understood+r.Kept+r.Unknown, "line"), report.Count(r.Understood), report.Count(r.Kept), report.Count(r.Unknown))
}

// some is a number of lines, or nothing for none.
func some(n int) string {
	if n == 0 {
		return ""
	}
	return report.Count(n)
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

// notes prints a file's warnings; without verbose only those that cost data.
func notes(p *report.Printer, f importer.File, verbose bool) {
	unknown := 0
	for _, x := range f.Parts {
		if x.Kind == importer.Unrecognised {
			unknown++
		}
	}
	switch {
	case f.Kind == importer.Unrecognised:
		why := ""
		for _, x := range f.Parts {
			for _, w := range x.Warnings {
				why = ": " + strings.TrimPrefix(w, importer.NotRead)
			}
		}
		p.Prose("unknown", f.File+why)
		return
	case unknown > 0 && unknown < len(f.Parts):
		p.Prose("unknown", fmt.Sprintf("%s: %d of the %d outputs in it (-v lists them)", f.File, unknown, len(f.Parts)))
	}
	for _, w := range f.Warnings {
		if verbose {
			p.Prose("normalized", f.File+": "+w)
		}
	}
	for _, x := range f.Parts {
		for _, w := range x.Warnings {
			if verbose || strings.HasPrefix(w, "not stored") || strings.HasPrefix(w, importer.NotRead) {
				p.Prose("warning", fmt.Sprintf("%s:%d: %s", f.File, x.Line, w))
			}
		}
		if !verbose {
			continue
		}
		for _, l := range x.Unknown {
			p.Prose("line", fmt.Sprintf("%s:%d: %s", f.File, x.Line+l.Number-1, l.Text))
		}
	}
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
