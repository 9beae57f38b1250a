package linewise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// AIXLevel is one level. What its form does not print is nil.
type AIXLevel struct {
	Version     int    `json:"version"`                // 7200
	TechLevel   *int   `json:"tech_level,omitempty"`   // 5
	ServicePack *int   `json:"service_pack,omitempty"` // 3
	Week        *int   `json:"week,omitempty"`         // year and week of the build: 2148
	Dotted      string `json:"dotted,omitempty"`       // 7.2.0.0, where it was printed so
}

// AIXLevels is the output of oslevel: -s (7200-05-03-2148), -r, without a flag (7.2.0.0), or the lists of -q.
type AIXLevels struct {
	parse.Report
	Levels []AIXLevel `json:"levels,omitempty"`
}

// Current is the system's level: the only one printed, or the only one with a
// service pack where -q lists others beside it. It is false for a bare list.
func (o *AIXLevels) Current() (AIXLevel, bool) {
	levels := o.Levels
	if len(levels) > 1 {
		levels = slices.DeleteFunc(slices.Clone(levels), func(l AIXLevel) bool { return l.ServicePack == nil })
	}
	if len(levels) != 1 {
		return AIXLevel{}, false
	}
	return levels[0], true
}

// String is the level as oslevel prints it.
func (l AIXLevel) String() string {
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
	oslevelDashed = parse.Lazy(`^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:-(\d{4}))?)?)?$`)
	oslevelDotted = parse.Lazy(`^(\d)\.(\d)\.(\d)\.\d+$`)
)

var oslevelOutput = &output[AIXLevels]{
	name:    "oslevel",
	ignored: parse.Lazy(`^\s*(?:Known (?:Recommended )?(?:Maintenance|Technology) Levels?|Known Service Packs|-{4,})\s*$`),
	rows: []line[AIXLevels]{func(o *AIXLevels, l parse.Line) bool {
		level, ok := readAIXLevel(strings.TrimSpace(l.Text))
		if ok {
			o.Levels = append(o.Levels, level)
		}
		return ok
	}},
	message: true,
}

// ParseOslevel reads what oslevel prints; parse.ErrNotRecognised if there is no level and no message in it.
func ParseOslevel(text []byte) (*AIXLevels, error) { return oslevelOutput.parse(text) }

func readAIXLevel(text string) (l AIXLevel, ok bool) {
	if m := oslevelDotted.FindStringSubmatch(text); m != nil {
		v, err := strconv.Atoi(m[1] + m[2] + m[3] + "0")
		return AIXLevel{Version: v, Dotted: text}, err == nil
	}
	ok = oslevelDashed.Scan(text, &l.Version, &l.TechLevel, &l.ServicePack, &l.Week)
	return l, ok
}
