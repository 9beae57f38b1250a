// Package oslevel reads the level of an AIX system: oslevel -s
// (7200-05-03-2148), -r, without a flag (7.2.0.0), and the lists of -q.
package oslevel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Level is one level. What its form does not print is nil.
type Level struct {
	Version     int    `json:"version"`                // 7200
	TechLevel   *int   `json:"tech_level,omitempty"`   // 5
	ServicePack *int   `json:"service_pack,omitempty"` // 3
	Week        *int   `json:"week,omitempty"`         // year and week of the build: 2148
	Dotted      string `json:"dotted,omitempty"`       // 7.2.0.0, where it was printed so
}

// Output is one output, of -s or of several levels.
type Output struct {
	parse.Report
	Levels []Level `json:"levels,omitempty"`
}

// Current is the system's level: the only one printed, or the only one with a
// service pack where -q lists others beside it. It is false for a bare list.
func (o *Output) Current() (Level, bool) {
	levels := o.Levels
	if len(levels) > 1 {
		levels = slices.DeleteFunc(slices.Clone(levels), func(l Level) bool { return l.ServicePack == nil })
	}
	if len(levels) != 1 {
		return Level{}, false
	}
	return levels[0], true
}

// String is the level as oslevel prints it.
func (l Level) String() string {
	if l.Dotted != "" {
		return l.Dotted
	}
	s := fmt.Sprintf("%04d", l.Version)
	for _, p := range []*int{l.TechLevel, l.ServicePack} {
		if p == nil {
			return s
		}
		s += fmt.Sprintf("-%02d", *p)
	}
	if l.Week != nil {
		s += fmt.Sprintf("-%04d", *l.Week)
	}
	return s
}

var (
	dashed = parse.Lazy(`^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:-(\d{4}))?)?)?$`)
	dotted = parse.Lazy(`^(\d)\.(\d)\.(\d)\.\d+$`)
	known  = parse.Lazy(`^\s*(?:Known (?:Recommended )?(?:Maintenance|Technology) Levels?|Known Service Packs|-{4,})\s*$`)
)

func read(text string) (l Level, ok bool) {
	if m := dotted.FindStringSubmatch(text); m != nil {
		v, err := strconv.Atoi(m[1] + m[2] + m[3] + "0")
		return Level{Version: v, Dotted: text}, err == nil
	}
	ok = dashed.Scan(text, &l.Version, &l.TechLevel, &l.ServicePack, &l.Week)
	return l, ok
}

// Parse reads what oslevel prints; parse.ErrNotRecognised if there is no
// level and no message in it.
func Parse(text []byte) (*Output, error) {
	o := &Output{}
	taken := o.Read(text, func(line parse.Line) bool {
		l, ok := read(strings.TrimSpace(line.Text))
		if ok {
			o.Levels = append(o.Levels, l)
		}
		return ok || known.MatchString(line.Text)
	})
	return parse.Recognised(o, taken+o.Messages > 0)
}
