package report

import (
	"fmt"
	"strings"

	"seaworthy/internal/collect/importer"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/ui/report/doc"
)

// Imported says what an import found: hosts, files, and what was left.
func Imported(d *Document, r *importer.Result, verbose bool) {
	if len(r.Hosts) > 0 {
		t := doc.NewTable("hosts", doc.Left("host"), doc.Left("platform"), doc.Right("outputs"), doc.Left("name found in"),
			doc.Left("folder"))
		for _, h := range r.Hosts {
			t.Add(h.Host, h.Platform, h.Outputs, h.Found, h.Dir)
		}
		d.Table(t)
		d.Gap()
	}
	if verbose {
		addReasons(d, r.Hosts)
	}
	d.Table(importedFiles(r, verbose))
	unrecognised := false
	for _, f := range r.Files {
		d.Prose("unknown", unrecognisedIn(f)...)
		if f.Kind == importer.Unrecognised {
			unrecognised = true
			continue
		}
		addImportWarnings(d, f, verbose)
	}
	if unrecognised {
		d.Prose("", "unknown files are not a command output that seaworthy knows (collect --list shows those), or their first lines are missing")
	}
	for _, p := range r.Problems {
		d.Prose("skipped", fmt.Sprintf("%s: %s", p.File, p.Why))
	}
	lines := r.Understood + r.Kept + r.Unknown
	d.Line("%s, %s; of %s %d understood, %d kept but not evaluated, %d not understood", Plural(len(r.Files), "file"),
		Plural(len(r.Hosts), "host"), Plural(lines, "line"), r.Understood, r.Kept, r.Unknown)
}

// addReasons says how the name and the platform of each host were decided.
func addReasons(d *Document, hosts []importer.Host) {
	for _, h := range hosts {
		for _, why := range h.Why {
			d.Prose("why", h.Host+": "+why)
		}
	}
	d.Gap()
}

// importedFiles has a row a recognised file, and one for each of its outputs if all is wanted.
func importedFiles(r *importer.Result, verbose bool) *doc.Table {
	t := doc.NewTable("files", doc.Left("file"), doc.Left("what it is"), doc.Left("host"), doc.Right("lines"), doc.Right("understood"),
		doc.Right("kept"), doc.Right("not understood"))
	some := func(n int) string { return choose(n == 0, "", Count(n)) }
	for _, f := range r.Files {
		if f.Kind == importer.Unrecognised {
			continue
		}
		t.Add(f.File, f.Kind, Dash(f.Host), f.Understood+f.Kept+f.Unknown, coverage(f.Coverage), some(f.Kept), some(f.Unknown))
		if !verbose || len(f.Parts) < 2 {
			continue
		}
		for _, x := range f.Parts {
			t.Add(doc.Indent("  ", fmt.Sprintf("line %d", x.Line)), outputName(x), Dash(x.Host), x.Lines, coverage(x.Coverage), "", "")
		}
	}
	return t
}

func addImportWarnings(d *Document, f importer.File, verbose bool) {
	if verbose {
		for _, w := range f.Warnings {
			d.Prose("normalized", f.File+": "+w)
		}
	}
	for _, x := range f.Parts {
		for _, w := range x.Warnings {
			if verbose || losesData(w) {
				d.Prose("warning", fmt.Sprintf("%s:%d: %s", f.File, x.Line, w))
			}
		}
		if !verbose {
			continue
		}
		for _, l := range x.Unknown {
			d.Prose("line", fmt.Sprintf("%s:%d: %s", f.File, x.Line+l.Number-1, l.Text))
		}
	}
}

// outputName says what an output is, or what its heading says of one not recognised.
func outputName(x importer.Part) string {
	if x.Kind == importer.Unrecognised && x.Command != "" {
		// Lines picked out of an output do not say which adapter they are of.
		if e := registry.Find(detect.ParseCommand(x.Command).ID); e != nil && strings.Contains(x.Command, "|") {
			return "filtered output; save all of " + e.Command + ": " + x.Command
		}
		return "unknown: " + x.Command
	}
	return strings.TrimSpace(x.Kind + " " + x.Element)
}

// losesData reports whether a warning is of data that is lost.
func losesData(warning string) bool {
	return strings.HasPrefix(warning, "not stored") || strings.HasPrefix(warning, importer.NotRead)
}

// unrecognisedIn says what of a file was not recognised, and why if that shows.
func unrecognisedIn(f importer.File) []string {
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

// coverage shows a share of understood lines; a dash where no codec reads the text.
func coverage(share *float64) string {
	switch {
	case share == nil:
		return "-"
	case *share < 1 && *share > 0.999:
		return "99.9 %" // not all
	}
	return fmt.Sprintf("%.1f %%", *share*100)
}
