package knowledge

import (
	"cmp"
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
)

// Defect is a known defect of AIX, a VIOS, Linux or firmware: which levels have it, what
// it takes to bite, how it shows and what cures it.
type Defect struct {
	ID         string    `yaml:"id"`                 // APAR, CVE, commit or a plain name
	Siblings   []string  `yaml:"siblings,omitempty"` // the same fix for other levels: any of them installed cures it
	Title      string    `yaml:"title"`
	Platforms  []string  `yaml:"platforms"`        // aix, vios, linux, firmware
	Component  string    `yaml:"component"`        // fileset, driver, kernel module or adapter
	Driver     string    `yaml:"driver,omitempty"` // Linux: a host without a device of this driver does not have it
	Affected   *Affected `yaml:"affected,omitempty"`
	Fixed      *Fixed    `yaml:"fixed,omitempty"`
	Needs      string    `yaml:"needs"`            // what must be there for it to bite, in words
	Checks     []Check   `yaml:"checks,omitempty"` // the same as conditions; none: it is shown, and not judged
	Signs      []Sign    `yaml:"signs,omitempty"`
	Symptom    string    `yaml:"symptom"`
	Harm       string    `yaml:"harm"`            // corruption, hang, outage, slow, cosmetic, unknown
	Crash      bool      `yaml:"crash,omitempty"` // the system itself goes down
	HIPER      bool      `yaml:"hiper,omitempty"` // high impact, pervasive: marked so by IBM
	Cure       string    `yaml:"cure"`
	Workaround string    `yaml:"workaround,omitempty"`
	SideEffect string    `yaml:"side_effect,omitempty"` // of the workaround
	Source     Published `yaml:"source"`
	Confidence string    `yaml:"confidence"` // high: the text was read; medium: a summary or a list; low: remembered
	Cases      []Case    `yaml:"cases,omitempty"`
}

// Affected are the levels that have a defect, as published. Nothing in it means that no
// source gives them: never that all have it.
type Affected struct {
	NotPublished bool           `yaml:"not_published,omitempty"`
	Always       bool           `yaml:"always,omitempty"`       // all levels before the fix, where a source says so and names no first one
	AsPublished  string         `yaml:"as_published,omitempty"` // where it is not a range: "commit 7b5967389f5a"
	Filesets     []FilesetRange `yaml:"filesets,omitempty"`
	AIX          []LevelRange   `yaml:"aix,omitempty"`        // of oslevel -s
	VIOS         []LevelRange   `yaml:"vios,omitempty"`       // of ioslevel
	Kernel       string         `yaml:"kernel,omitempty"`     // first Linux release that has it: 4.2
	BroughtBy    []string       `yaml:"brought_by,omitempty"` // APARs, or labels of interim fixes
	Firmware     []Firmware     `yaml:"firmware,omitempty"`
}

// Firmware is a range of levels of an adapter's microcode, or of the firmware of a system.
type Firmware struct {
	Adapter string `yaml:"adapter,omitempty"` // pattern of what lsdev and lscfg call it, or of its Linux driver; empty: the system's
	From    string `yaml:"from,omitempty"`    // empty: all before Below
	Below   string `yaml:"below"`             // the first without it: 11.4.415.33, 22.40.1000, VH950_121
}

// FilesetRange is a range of levels of a fileset, V.R.M.F, both ends affected.
type FilesetRange struct {
	Fileset string `yaml:"fileset"`
	From    string `yaml:"from"`
	Through string `yaml:"through,omitempty"` // empty: the source names no last one
}

// LevelRange is a range of levels; From has the defect, Below has not.
type LevelRange struct {
	From  string `yaml:"from"`
	Below string `yaml:"below"`
}

// Fixed are the first levels without a defect.
type Fixed struct {
	Filesets []FixedFileset `yaml:"filesets,omitempty"`
	AIX      []string       `yaml:"aix,omitempty"`      // service packs, each of its technology level
	Mainline string         `yaml:"mainline,omitempty"` // Linux release
	Stable   []string       `yaml:"stable,omitempty"`   // first release of each stable branch
	Packages []string       `yaml:"packages,omitempty"` // of distributions, in words; of RHEL with the kernel's version
	// BuiltFrom is the year and week, 1214, from which service packs were built with the fix.
	BuiltFrom string `yaml:"built_from,omitempty"`
}

// FixedFileset is the first level of a fileset, within its technology level, that has the fix.
type FixedFileset struct {
	Fileset string `yaml:"fileset"`
	Level   string `yaml:"level"`
	ShipsIn string `yaml:"ships_in,omitempty"` // service pack
	APAR    string `yaml:"apar,omitempty"`
}

// Sign is one trace that a defect leaves.
type Sign struct {
	Counter string `yaml:"counter,omitempty"` // condition over the judged element
	Errpt   string `yaml:"errpt,omitempty"`   // pattern of a label or a description of the error log
	Message string `yaml:"message,omitempty"` // fact of messages.yaml: lines of the kernel's log
	// Specific: other causes do not leave it. With it the defect counts as likely even where the level was not read.
	Specific bool `yaml:"specific,omitempty"`
}

// Published is where a defect was published.
type Published struct {
	Title string `yaml:"title"`
	Where string `yaml:"where,omitempty"`
}

// DefectsSchema is the JSON Schema of a file of defects.
//
//go:embed schema/defects.schema.json
var DefectsSchema string

// maxDefectFile bounds a file of defects, in bytes.
const maxDefectFile = 8 << 20

// defectsFile is the one of the program.
const defectsFile = "defects.yaml"

var builtInDefects = sync.OnceValues(func() ([]Defect, error) {
	text, err := builtIn.ReadFile(defectsFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", defectsFile, err)
	}
	return decodeDefects(defectsFile, text)
})

// Defects lists the known defects that the program has, in the order of its file.
func Defects() ([]Defect, error) {
	all, err := builtInDefects()
	return slices.Clone(all), err
}

// LoadDefects reads a file of defects. Its entries stand in place of those of the program
// with the same id; the others stay.
func LoadDefects(ctx context.Context, name string) ([]Defect, error) {
	all, err := Defects()
	if err != nil || name == "" {
		return all, err
	}
	text, err := decode.Read(ctx, name, maxDefectFile)
	if err != nil {
		return nil, fmt.Errorf("defects: %w", err)
	}
	newer, err := decodeDefects(name, text)
	if err != nil {
		return nil, err
	}
	for _, d := range newer {
		i := slices.IndexFunc(all, func(x Defect) bool { return x.ID == d.ID })
		if i < 0 {
			all = append(all, d)
			continue
		}
		all[i] = d
	}
	return all, nil
}

func decodeDefects(name string, text []byte) ([]Defect, error) {
	var file struct {
		Defects []Defect `yaml:"defects"`
	}
	if err := decode.YAML(name, text, &file); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var errs []error
	for _, d := range file.Defects {
		w := d.wrong()
		w.unless(!seen[d.ID], "is listed twice")
		seen[d.ID] = true
		for _, text := range w {
			errs = append(errs, fmt.Errorf("%s: defect %s: %s", name, d.ID, text))
		}
	}
	return file.Defects, errors.Join(errs...)
}

var (
	defectPlatforms = []string{"aix", "vios", "linux", "firmware"}
	harms           = []string{"corruption", "hang", "outage", "slow", "cosmetic", "unknown"}
)

func (d *Defect) wrong() (w wrong) {
	w.unless(d.ID != "" && !strings.ContainsAny(d.ID, "/ \t"), "an id without blanks and slashes is needed")
	w.unless(d.Title != "" && d.Needs != "" && d.Symptom != "" && d.Cure != "", "title, needs, symptom and cure are needed")
	w.unless(len(d.Platforms) > 0, "platforms are needed")
	for _, p := range d.Platforms {
		w.among("platform", p, defectPlatforms)
	}
	w.among("harm", d.Harm, harms)
	w.among("confidence", d.Confidence, confidences)
	w.unless(d.Source.Title != "", "the title of a source is needed")
	w.unless(d.Affected != nil, "affected is needed: not_published says that no source gives the levels")
	if d.Affected != nil {
		w = append(w, d.Affected.wrong()...)
	}
	for _, sign := range d.Signs {
		_, err := regexp.Compile(sign.Errpt)
		w.unless(err == nil, "errpt: %v", err)
		given := slices.DeleteFunc([]string{sign.Counter, sign.Errpt, sign.Message}, func(s string) bool { return s == "" })
		w.unless(len(given) == 1, "a sign is one of counter, errpt and message")
	}
	for i, check := range d.Checks {
		for _, text := range check.wrong(nil) {
			w.unless(false, "check %d: %s", i+1, text)
		}
	}
	for _, k := range d.Cases {
		for _, text := range k.wrong(nil) {
			w.unless(false, "case %q: %s", k.Name, text)
		}
	}
	return w
}

func (a *Affected) wrong() (w wrong) {
	levels := len(a.Filesets)+len(a.AIX)+len(a.VIOS)+len(a.BroughtBy)+len(a.Firmware) > 0 || a.Always || a.Kernel != "" || a.AsPublished != ""
	w.unless(levels != a.NotPublished, "affected gives levels, or says not_published")
	read := func(what, level string) {
		_, err := ParseLevel(level)
		w.unless(err == nil, "%s: %v", what, err)
	}
	for _, r := range slices.Concat(a.AIX, a.VIOS) {
		read("from", r.From)
		read("below", r.Below)
	}
	for _, f := range a.Filesets {
		w.unless(f.Fileset != "", "a range needs its fileset")
		read("from", f.From)
		read("through", cmp.Or(f.Through, f.From))
	}
	for _, f := range a.Firmware {
		_, err := regexp.Compile(f.Adapter)
		w.unless(err == nil, "adapter: %v", err)
		w.unless(f.Below != "", "firmware needs the first level without the defect")
	}
	return w
}

// APARs are the fixes of a defect for all levels, its id first where that is one.
func (d *Defect) APARs() []string {
	all := slices.DeleteFunc(append([]string{d.ID}, d.Siblings...), func(id string) bool { return apar.FindString(id) != id })
	slices.Sort(all)
	return slices.Compact(all)
}
