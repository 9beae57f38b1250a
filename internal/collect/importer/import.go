package importer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/collect/importer/split"
	"seaworthy/internal/inventory/model"
)

// Options of an import. The zero value is good.
type Options struct {
	Host     string // the host of all outputs, whatever they say; empty: as found
	Platform string // the platform of all hosts; empty: as their outputs say
	Map      []Mapping
	Limits   archive.Limits
	Text     int64 // bytes of the longest text that is read; 0: 32 MiB
}

// Import reads files, folders and archives, and writes a snapshot folder per
// host below dir. The error is about an argument or the folder; everything
// else is in the result, which is given along with an error as far as it came.
func Import(ctx context.Context, paths []string, dir string, o Options) (*Result, error) {
	if o.Text == 0 {
		o.Text = 32 << 20
	}
	if model.MeansThisMachine(o.Host) {
		return nil, fmt.Errorf("import: --host %s means the machine on which it is used: give the host a name of its own", o.Host)
	}
	if o.Platform != "" && !slices.Contains(Platforms(), o.Platform) {
		return nil, fmt.Errorf("import: --platform %s: give one of %s", o.Platform, strings.Join(Platforms(), ", "))
	}
	made, err := fileio.MkdirAll(dir)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer made.Undo() // if there is nothing to keep
	spill, err := fileio.MkdirTemp(dir, ".import-")
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer os.RemoveAll(spill)
	r := &reader{ctx: ctx, options: o, spill: spill, skip: absolute(dir), shown: progress.Begin(ctx, "reading", "file", 0),
		bundles: bundles{known: map[string]*layout{}, seen: map[string]*Aside{}}}
	defer r.shown.End()
	for _, p := range paths {
		r.root = filepath.ToSlash(filepath.Clean(p))
		r.bundles.look(p)
		if err := archive.Walk(ctx, p, o.Limits, r); err != nil {
			return nil, err
		}
	}
	refused := assign(r.files, o)
	r.problems = append(r.problems, refused...)
	hosts, err := r.write(ctx, dir)
	for _, p := range refused {
		err = errors.Join(err, fmt.Errorf("import: %s: %s", p.File, p.Why))
	}
	return r.result(dir, hosts), err
}

// Platforms are those that Options.Platform and a Mapping take.
func Platforms() []string {
	return []string{string(model.AIX), string(model.VIOS), string(model.Linux)}
}

func absolute(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return abs
}

// maxListed bounds what the result lists of lines, warnings and problems.
const maxListed = 20

func (r *reader) result(dir string, hosts []Host) *Result {
	out := &Result{Schema: Schema, Output: dir, Files: []File{}, Unrecognised: []string{},
		Hosts: append([]Host{}, hosts...), Aside: r.bundles.counted(), Problems: append([]archive.Problem{}, r.problems...)}
	if r.moreProblems > 0 {
		out.Problems = append(out.Problems, archive.Problem{File: dir, Why: fmt.Sprintf("%d more of such problems", r.moreProblems)})
	}
	for _, f := range r.files {
		x := f.describe()
		if x.Kind == Unrecognised {
			out.Unrecognised = append(out.Unrecognised, x.File)
		}
		out.add(x.Counts)
		out.Files = append(out.Files, x)
	}
	return out
}

// describe makes a file's entry in the result.
func (f *file) describe() File {
	x := File{File: f.path, Kind: Unrecognised, CutOff: f.cutOff, Warnings: f.warnings, Parts: []Part{}}
	read := false
	for _, p := range f.parts {
		y := p.describe()
		x.Parts = append(x.Parts, y)
		switch {
		case y.Coverage != nil:
			read = true
			x.add(Counts{Lines: y.Lines, Understood: y.Understood, Unknown: y.Lines - y.Understood})
		case y.Kind == Unrecognised:
			x.add(Counts{Lines: y.Lines, Unknown: y.Lines})
		case p.superseded, p.leftOut:
			x.add(Counts{Lines: y.Lines, Unused: y.Lines})
		case y.Kind == noteKind:
			x.add(Counts{Lines: y.Lines, Kept: y.Lines, Notes: y.Lines})
		default:
			x.add(Counts{Lines: y.Lines, Kept: y.Lines})
		}
		if y.Kind != Unrecognised && y.Kind != noteKind {
			x.Kind = y.Kind
		}
		if x.Host == "" {
			x.Host, x.HostFrom = y.Host, y.HostFrom
		}
	}
	if read {
		x.Coverage = share(x.Understood, x.Lines)
	}
	if f.form != "" && (x.Kind != Unrecognised || f.form == string(split.Nmon) || f.manifest != nil) {
		x.Kind = f.form
	}
	return x
}

func (p *part) describe() Part {
	f := p.found
	if f == nil {
		p.Kind = Unrecognised
		if p.namedBy == "hostname" && asksName(p.Command) {
			p.Kind = "hostname"
		}
		return p.Part
	}
	p.Kind = f.Kind
	p.ID = f.ID
	p.Element = f.Element
	p.Command = f.Command
	p.Read = p.Understood
	switch {
	case p.evaluated():
		p.Coverage, p.Unknown = share(p.Understood, p.Lines), f.Report.Unknown
	case p.leftOut && f.Known:
		p.Understood = 0
		p.Warnings = append(p.Warnings, "left out: nothing says whose it is")
	case p.Kind == noteKind:
		p.Understood = 0
	case p.Kind == unreadKind: // it says so already
		p.Understood = 0
	case f.Family.Title() != "":
		p.Understood = 0
		p.Warnings = append(p.Warnings, "kept, not evaluated: "+notRead(f.Family.Title()))
	case !f.Known:
		p.Understood = 0
		p.Warnings = append(p.Warnings, "known for what it is, but not read")
	default:
		p.Understood = 0
		if len(p.Warnings) == 0 && (f.ID != "lsattr-El" || f.Element != "") {
			p.Warnings = append(p.Warnings, "kept, not evaluated: no rule and no figure uses what it says")
		}
	}
	if f.ID == "lsattr-El" && f.Element == "" {
		p.Warnings = append(p.Warnings, "not used: no text names the device; put it into the file's name, as in lsattr_en0.txt")
	}
	for _, w := range f.Report.Warnings {
		if w.Number > 0 {
			w.Text = fmt.Sprintf("line %d: %s", p.Line+w.Number-1, w.Text)
		}
		p.Warnings = append(p.Warnings, w.Text)
	}
	if more := p.doubts - len(f.Report.Warnings); more > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d more", more))
	}
	return p.Part
}
