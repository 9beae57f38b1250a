package report

import (
	"fmt"
	"maps"
	"path"
	"slices"
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
		addCandidates(d, r.Hosts)
	}
	d.Table(importedFiles(r, verbose))
	addUnrecognised(d, r, verbose)
	addImportWarnings(d, r, verbose)
	for _, a := range r.Aside {
		d.Prose("left aside", fmt.Sprintf("%s: %d of its %d files and links, which say nothing of the network (a %s); "+
			"name a file to have it read", a.Folder, a.Files, a.Of, a.Tool))
	}
	var skipped []string
	for _, p := range r.Problems {
		skipped = append(skipped, fmt.Sprintf("%s: %s", p.File, p.Why))
	}
	d.Prose("skipped", few(skipped, verbose)...)
	unused := ""
	if r.Unused > 0 {
		unused = fmt.Sprintf("%d not used (there is a later reading of the same, or nothing says whose they are), ", r.Unused)
	}
	notes := ""
	if r.Notes > 0 {
		notes = fmt.Sprintf(" (%d of them notes: words around the outputs)", r.Notes)
	}
	d.Line("%s, %s; of %s %d understood, %d kept but not evaluated%s, %s%d not understood", Plural(len(r.Files), "file"),
		Plural(len(r.Hosts), "host"), Plural(r.Lines, "line"), r.Understood, r.Kept, notes, unused, r.Unknown)
}

// mostRows is how many rows or lines of a kind are shown unless all are wanted: what fits a screen.
const mostRows = 30

// few are the first of some lines, and how many more there are.
func few(lines []string, verbose bool) []string {
	if verbose || len(lines) <= mostRows {
		return lines
	}
	return append(slices.Clone(lines[:mostRows]), fmt.Sprintf("%d more (-v lists them)", len(lines)-mostRows))
}

// addUnrecognised lists what was not recognised.
func addUnrecognised(d *Document, r *importer.Result, verbose bool) {
	var unknown []string
	whole := false
	for _, f := range r.Files {
		unknown = append(unknown, unrecognisedIn(f)...)
		whole = whole || f.Kind == importer.Unrecognised
	}
	d.Prose("unknown", few(unknown, verbose)...)
	if whole {
		d.Prose("", "unknown files are not a command output that seaworthy knows (collect --list shows those), or their first lines are missing")
	}
}

// mostCandidates bounds the candidates that are shown of each decision, and mostSigns the evidence of each.
const (
	mostCandidates = 4
	mostSigns      = 3
)

// addCandidates says what names and platforms were found for each host, by what, and which were chosen.
func addCandidates(d *Document, hosts []importer.Host) {
	if len(hosts) == 0 {
		return
	}
	t := doc.NewWrapped("why", doc.Left("why"), doc.Left("decision"), doc.Left("candidate"), doc.Left("chosen"), doc.Right("weight"),
		doc.Left("evidence"))
	for _, h := range hosts {
		addCandidatesOf(t, h)
	}
	d.Table(t)
	d.Prose("", "the weight of a name is the number of outputs that give it, that of a platform the sum of its votes; "+
		"--host, --platform and --map overrule both")
	d.Gap()
}

// addCandidatesOf adds the candidates of one host.
func addCandidatesOf(t *doc.Table, h importer.Host) {
	shown := map[string]int{}
	for i, c := range h.Decision {
		shown[c.Of]++
		if shown[c.Of] > mostCandidates {
			continue
		}
		host, of := doc.Repeat(h.Host), doc.Repeat(c.Of)
		host.Repeated = i > 0
		of.Repeated = shown[c.Of] > 1
		t.Add(host, of, c.Name, choose(c.Chosen, "yes", ""), c.Weight, evidenceOf(c))
	}
	for _, of := range slices.Sorted(maps.Keys(shown)) {
		if more := shown[of] - mostCandidates; more > 0 {
			t.Note(doc.Indent("  ", fmt.Sprintf("%d more for the %s of %s (-f json lists them)", more, of, h.Host)))
		}
	}
}

// evidenceOf lists the heaviest signs for a candidate.
func evidenceOf(c importer.Candidate) string {
	var said []string
	for i, e := range c.Evidence {
		if i == mostSigns {
			said = append(said, fmt.Sprintf("%d more", len(c.Evidence)-mostSigns))
			break
		}
		text := e.Sign
		switch {
		case c.Of == importer.OfHost && e.Weight > 1:
			text += fmt.Sprintf(" ×%d", e.Weight)
		case c.Of == importer.OfPlatform && e.Weight > 0 && len(c.Evidence) > 1:
			text += fmt.Sprintf(" %d", e.Weight)
		}
		if e.First != "" {
			text += " (" + e.First + ")"
		}
		said = append(said, text)
	}
	return strings.Join(said, ", ")
}

// importedFiles has a row a recognised file, and one for each of its outputs if all is wanted. Where there are more
// than fit a screen it has a row a folder, or else a host.
func importedFiles(r *importer.Result, verbose bool) *doc.Table {
	var files []importer.File
	for _, f := range r.Files {
		if f.Kind != importer.Unrecognised {
			files = append(files, f)
		}
	}
	if !verbose && len(files) > mostRows {
		return foldersOf(files)
	}
	t := filesTable("file", "what it is")
	for _, f := range files {
		host := Dash(f.Host)
		if verbose && len(f.Parts) == 1 {
			host = hostAndSign(f.Host, f.HostFrom)
		}
		t.Add(f.File, f.Kind, host, f.Lines, coverage(f.Coverage), some(f.Kept), some(f.Unknown))
		if !verbose || len(f.Parts) < 2 {
			continue
		}
		for _, x := range f.Parts {
			t.Add(doc.Indent("  ", fmt.Sprintf("line %d", x.Line)), outputName(x), hostAndSign(x.Host, x.HostFrom), x.Lines,
				coverage(x.Coverage), "", "")
		}
	}
	return t
}

// hostAndSign is the host of an output and what named it.
func hostAndSign(host, from string) string {
	if host == "" || from == "" {
		return Dash(host)
	}
	return host + " (" + from + ")"
}

func filesTable(what, kind string) *doc.Table {
	return doc.NewTable("files", doc.Left(what), doc.Left(kind), doc.Left("host"), doc.Right("lines"), doc.Right("understood"),
		doc.Right("kept"), doc.Right("not understood"))
}

// some is a count; blank where there are none.
func some(n int) string { return choose(n == 0, "", Count(n)) }

// foldersOf has a row for the files of each folder, or of each host where the folders are too many as well.
func foldersOf(files []importer.File) *doc.Table {
	t := sumsOf(files, func(f importer.File) (place, host string) { return path.Dir(f.File), f.Host })
	if len(t.Rows) <= mostRows {
		return t
	}
	return sumsOf(files, func(f importer.File) (place, host string) { return "all folders", f.Host })
}

// sumsOf has a row for the files of each place and host.
func sumsOf(files []importer.File, of func(importer.File) (place, host string)) *doc.Table {
	type sum struct {
		importer.Counts
		files int
	}
	sums := map[[2]string]*sum{}
	var order [][2]string
	for _, f := range files {
		place, host := of(f)
		at := [2]string{place, host}
		if sums[at] == nil {
			sums[at] = &sum{}
			order = append(order, at)
		}
		sums[at].files++
		sums[at].Counts = sums[at].Plus(f.Counts)
	}
	t := filesTable("files in", "number")
	for _, at := range order {
		s := sums[at]
		var share *float64
		if s.Understood > 0 {
			share = new(float64(s.Understood) / float64(s.Lines))
		}
		t.Add(at[0], Count(s.files), Dash(at[1]), s.Lines, coverage(share), some(s.Kept), some(s.Unknown))
	}
	return t
}

// addImportWarnings says what was lost of recognised files; verbose, all that was noticed, file by file.
func addImportWarnings(d *Document, r *importer.Result, verbose bool) {
	var lost []string
	for _, f := range r.Files {
		if f.Kind == importer.Unrecognised {
			continue
		}
		if verbose {
			addRemarks(d, f)
			continue
		}
		for _, x := range f.Parts {
			for _, w := range x.Warnings {
				if losesData(w) {
					lost = append(lost, fmt.Sprintf("%s:%d: %s", f.File, x.Line, w))
				}
			}
		}
	}
	for _, w := range few(lost, verbose) {
		d.Prose("warning", w)
	}
}

// addRemarks says what was taken off a file, and of each output in it what is doubtful and which lines are not understood.
func addRemarks(d *Document, f importer.File) {
	for _, w := range f.Warnings {
		d.Prose("normalized", f.File+": "+w)
	}
	for _, x := range f.Parts {
		for _, w := range x.Warnings {
			d.Prose("warning", fmt.Sprintf("%s:%d: %s", f.File, x.Line, w))
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
