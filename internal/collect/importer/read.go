package importer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/collect/importer/normalize"
	"seaworthy/internal/collect/importer/split"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// reader takes the files of a walk: it reads, parts and recognises each, and
// puts its outputs aside.
type reader struct {
	shown   *progress.Task
	ctx     context.Context
	options Options
	spill   string
	skip    string // the folder being written, if it is among what is read
	root    string // the argument being read
	bundles bundles

	files        []*file
	problems     []archive.Problem
	moreProblems int
	spilled      int
}

type file struct {
	path     string
	root     string
	time     time.Time
	form     string // of one with several outputs
	cutOff   bool
	warnings []string
	parts    []*part
	manifest *collect.Manifest // the file is one
}

type part struct {
	Part    // what the result says of it
	file    *file
	found   *detect.Found // nil: not recognised
	ofValue bool          // what one file of the kernel held: see withPath
	headed  int           // lines of a heading that was put above its text: see headed
	// superseded says that a later reading of the same is stored in its place.
	superseded bool
	leftOut    bool   // it is of two hosts, or of which one nothing says
	doubts     int    // warnings of the codec
	spill      string // where its text waits
	digest     uint64 // of its text, to compare within the import
	named      string // a host that it or its file names
	namedBy    string
	direct     bool              // it is named for itself, not after another output of its file
	prompt     string            // the name in the prompt above it
	elsewhere  bool              // it was run from there on another host
	unclear    string            // of which of several hosts of its text it may be, where nothing says
	when       time.Time         // when it was taken, as far as something says so
	reading    int               // of its host, in the order of time
	signs      []sign            // what only one host has
	adapters   map[string]bool   // the numbers of those of AIX that it speaks of: 5 of ent5 and en5
	known      string            // what a heading or a command line calls the host; it may be another of its names
	given      string            // the platform that --map gives its host
	foreign    bool              // of another platform than its host's: kept, not evaluated
	ran        registry.Family   // the only system that has the program that it was printed by; empty: several have it
	ofVIOS     string            // what says that a VIOS printed it, where AIX prints the same
	taken      bool              // the inventory takes something from such an output
	record     *collect.Record   // what a manifest beside it says of it
	manifest   *collect.Manifest // that manifest
}

const maxProblems = 1000

// Problem implements archive.Visitor.
func (r *reader) Problem(p archive.Problem) {
	if l, _, _ := r.bundles.of(p.File, r.root); p.Link && l != nil {
		return // they hold hundreds, to files that lie in them as well
	}
	if len(r.problems) >= maxProblems {
		r.moreProblems++
		return
	}
	r.problems = append(r.problems, p)
}

// Entry implements archive.Visitor.
func (r *reader) Entry(e archive.Entry) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.own(e.Path) {
		return nil
	}
	r.shown.Step(e.Path)
	if r.bundles.leaves(e.Path, r.root) {
		return nil
	}
	if r.bundles.isLog(e.Path, r.root) && e.Size > tailOfLog {
		return r.log(e)
	}
	if e.Size > r.options.Text { // a dump in a snap, or a text that no command prints
		r.Problem(archive.Problem{File: e.Path, Why: fmt.Sprintf("%d bytes: larger than the limit of %d bytes per file", e.Size,
			r.options.Text)})
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(e.Text, r.options.Text+1))
	f := &file{path: e.Path, root: r.root, time: e.Time.UTC()}
	if err != nil {
		f.cutOff = true
		r.Problem(archive.Problem{File: e.Path, Why: archive.Reason(err)})
	}
	if int64(len(text)) > r.options.Text {
		r.Problem(archive.Problem{File: e.Path, Why: fmt.Sprintf("larger than the limit of %d bytes per file", r.options.Text)})
		return nil
	}
	if len(text) == 0 && err != nil {
		return nil
	}
	r.files = append(r.files, f)
	return r.text(f, text)
}

// log reads the end of a log.
func (r *reader) log(e archive.Entry) error {
	text, before, err := readEnd(e.Text, tailOfLog)
	f := &file{path: e.Path, root: r.root, time: e.Time.UTC()}
	if err != nil {
		f.cutOff = true
		r.Problem(archive.Problem{File: e.Path, Why: archive.Reason(err)})
	}
	if before > 0 {
		f.warnings = append(f.warnings, endOnly(before))
	}
	r.files = append(r.files, f)
	return r.text(f, text)
}

// own reports whether a file lies in the folder being written.
func (r *reader) own(label string) bool {
	rel, err := filepath.Rel(r.skip, absolute(filepath.FromSlash(label)))
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	_, err = os.Lstat(filepath.FromSlash(label)) // a label inside an archive is not a file
	return err == nil
}

func (r *reader) text(f *file, text []byte) error {
	base := path.Base(f.path)
	if m := manifest(base, text); m != nil {
		f.manifest, f.form = m, "manifest of a snapshot"
		return nil
	}
	plain := normalize.Text(text)
	f.warnings = append(f.warnings, plain.Notes...)
	if plain.Refused != "" {
		why := NotRead + cmp.Or(detect.Format(text), plain.Refused)
		f.parts = []*part{{file: f, Part: Part{Line: 1, Lines: countLines(text), Warnings: []string{why}}}}
		return nil
	}
	c := r.partsOf(f.path, plain.Text)
	f.noteForm(c)
	c.Notes(base)
	padmins := padminsIn(plain.Text, c)
	for _, piece := range c.Pieces {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := r.piece(f, c, piece, padmins); err != nil {
			return err
		}
	}
	if err := r.notes(f, c); err != nil {
		return err
	}
	if err := r.others(f, c); err != nil {
		return err
	}
	if err := r.rest(f, c); err != nil {
		return err
	}
	f.spread(c.Host, c.HostFrom)
	f.nameFromWords(c)
	for _, p := range f.parts {
		p.when = cmp.Or(p.when, c.Time, nameTime(base), nameTime(path.Base(path.Dir(f.path))))
	}
	return nil
}

// piece makes a part of a file's text an output of the file, where it is one.
func (r *reader) piece(f *file, c *split.Cut, piece split.Piece, padmins map[string]bool) error {
	p := &part{file: f, Part: Part{Command: cmp.Or(piece.Command, piece.Title), Line: piece.Line}}
	f.parts = append(f.parts, p)
	p.Lines = countLines(piece.Text)
	if c.Form == split.Whole && piece.Command == "" {
		piece.Command = commandOf(f.path)
	}
	if text, ok := withPath(piece.Command, piece.Text); ok {
		p.ofValue, piece.Text, c.Found = true, text, nil
	}
	if whole, ok := headed(piece); ok {
		p.Warnings = append(p.Warnings, "the heading that a filter left out was put above it")
		p.headed = countLines(whole) - countLines(piece.Text)
		piece.Text, c.Found = whole, nil
	}
	ok := !piece.Note && p.recognize(c, piece, path.Base(f.path))
	p.label(piece)
	p.when = piece.Time
	if detect.ParseCommand(piece.Command).Program == "date" {
		c.Time = split.Time(string(piece.Text))
	}
	if !ok {
		return nil
	}
	p.readSigns(piece.Text, padmins)
	if err := r.keep(p, string(piece.Text)); err != nil {
		return err
	}
	p.noteSystem()
	return nil
}

// headed is a piece with its heading, where that alone is missing for it to be read.
func headed(piece split.Piece) (text []byte, ok bool) {
	hint := detect.Hint{Command: piece.Command}
	if piece.Note || !detect.IsFiltered(piece.Command) {
		return nil, false
	}
	f, known := detect.Text(piece.Text, hint)
	if known && f.Known {
		return nil, false
	}
	return detect.WithHeading(piece.Text, hint)
}

// readSigns keeps what an output says of its host; padmins are the hosts with prompts of padmin in its file.
func (p *part) readSigns(text []byte, padmins map[string]bool) {
	p.signs = signsOf(p.found, text)
	p.adapters = adaptersIn(p.found, text)
	p.taken = takes(p.found, text)
	p.ofVIOS = signOfVIOS(p, padmins, text)
}

// noteForm keeps how a text was parted and what was taken off its lines.
func (f *file) noteForm(c *split.Cut) {
	if c.Form != split.Whole {
		f.form = string(c.Form)
	}
	if c.Outdented {
		f.warnings = append(f.warnings, "the blanks before every line were taken off")
	}
	if c.Bared {
		f.warnings = append(f.warnings, "the times or numbers before every line were taken off")
	}
	if c.Joined {
		f.warnings = append(f.warnings, "lines that a terminal or a mail program had wrapped were put together: "+
			"numbers of lines count them as one")
	}
}

// partsOf takes a text apart. One in a file that a support tool named after a command is what that command printed, where it
// looks like that.
func (r *reader) partsOf(file string, text []byte) *split.Cut {
	base := path.Base(file)
	whole := commandOf(file)
	if whole == "" {
		return split.Text(r.ctx, text, base)
	}
	if found, ok := detect.Text(text, detect.Hint{Command: whole, File: base}); ok {
		return &split.Cut{Form: split.Whole, Pieces: []split.Piece{{Text: text, Line: 1}}, Found: found}
	}
	c := split.Text(r.ctx, text, base)
	if c.Form == split.Whole {
		c.Found = nil // without its command
	}
	return c
}

// recognize says what a piece of a text is and which host it names. False if no kind of output fits it.
func (p *part) recognize(c *split.Cut, piece split.Piece, base string) bool {
	hint := detect.Hint{Command: piece.Command, File: piece.Title}
	if c.Form == split.Whole || len(c.Pieces) == 1 || piece.Sole {
		hint.File = base
	}
	found, ok := c.Found, c.Found != nil
	if !ok {
		found, ok = detect.Text(piece.Text, hint)
	}
	switch {
	case piece.Advised:
		ok = false
		p.Warnings = append(p.Warnings, NotRead+"settings that the words around them advise, and that no command printed")
	case ok && registry.Find(found.ID).Table && tabbed.Match(piece.Text):
		ok = false
		p.Warnings = append(p.Warnings, NotRead+found.Kind+" with tabs in place of its columns: save the output as it was printed")
	case ok:
		p.found = found
		p.named, p.namedBy = found.Host, found.HostFrom
		if detect.IsFiltered(piece.Command) {
			p.Warnings = append(p.Warnings, "a part of the output: what "+strings.TrimSpace(piece.Command)+" left of it")
		}
	case asksName(piece.Command) && nameAlone.MatchString(firstWord(piece.Text)):
		p.named, p.namedBy, p.Command = firstWord(piece.Text), "hostname", piece.Command
	case c.Form == split.Whole && strings.HasPrefix(base, "hostname") && len(bytes.Fields(piece.Text)) == 1:
		p.named, p.namedBy, p.Command = firstWord(piece.Text), "hostname", "hostname"
	default:
		why := detect.Unread(piece.Text)
		if c.Form == split.Session || c.Form == split.Headings { // somebody says which command it is of
			why = detect.UnreadAnswer(piece.Command, piece.Text)
		}
		if why == "" && split.Crowded(piece.Text) {
			why = fmt.Sprintf("more than %d hosts in one text: cut the file into several", split.MostHosts)
		}
		if why != "" {
			p.Warnings = append(p.Warnings, NotRead+why)
		}
	}
	return ok
}

// countLines counts lines, also a last one without an end.
func countLines(text []byte) (n int) {
	for range bytes.Lines(text) {
		n++
	}
	return n
}

// tabbed is a table whose blanks a program made tabs.
var tabbed = parse.Lazy(`\S[^\n\S]*\t`)

// label names the host of an output that names none itself after what precedes
// it: a heading, the command line that had it run elsewhere, the prompt.
func (p *part) label(piece split.Piece) {
	name, from := piece.Host, cmp.Or(piece.HostFrom, "prompt")
	if from == "prompt" {
		p.prompt = name
	}
	if call := detect.ParseCommand(piece.Command); call.Elsewhere && from == "prompt" {
		name, from, p.elsewhere = call.Host, "command line", true
	}
	if name == "" {
		return
	}
	if from != "prompt" {
		p.known = name
	}
	if p.named == "" {
		p.named, p.namedBy = name, from
	}
}

var seed = maphash.MakeSeed()

// keep puts a text aside and lets go of it.
func (r *reader) keep(p *part, text string) error {
	r.spilled++
	p.spill = filepath.Join(r.spill, fmt.Sprint(r.spilled))
	p.digest = maphash.String(seed, text)
	if err := fileio.WriteUnsynced(p.spill, []byte(text)); err != nil {
		return fmt.Errorf("import %s: %w", p.file.path, err)
	}
	p.release()
	return nil
}

// release lets go of the text: what is kept of its lines is copied.
func (p *part) release() {
	f := p.found
	p.Lines, p.Understood, p.doubts = f.Report.Lines-p.headed, f.Understood()-p.headed, len(f.Report.Warnings)
	for _, s := range []*string{&f.Command, &f.Element, &f.Attribute, &f.Host, &f.Kind, &f.ID, &p.Command, &p.named} {
		*s = strings.Clone(*s)
	}
	f.Report.Unknown = slices.Clone(f.Report.Unknown[:min(len(f.Report.Unknown), maxListed)])
	for i := range f.Report.Unknown {
		f.Report.Unknown[i].Text = clip(f.Report.Unknown[i].Text)
	}
	f.Report.Warnings = slices.Clone(f.Report.Warnings[:min(len(f.Report.Warnings), maxListed)])
	for i := range f.Report.Warnings {
		f.Report.Warnings[i].Text = clip(f.Report.Warnings[i].Text)
	}
}

// clip copies a line, and shortens one of a text that has none.
func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return strings.Clone(s)
}

// manifest reads the manifest of a snapshot that was imported with its files.
func manifest(base string, text []byte) *collect.Manifest {
	if base != "manifest.json" {
		return nil
	}
	var m collect.Manifest
	if decode.JSON(base, text, &m, decode.Newer) != nil || m.Schema != collect.SchemaSnapshot || m.Host == "" {
		return nil
	}
	return &m
}
