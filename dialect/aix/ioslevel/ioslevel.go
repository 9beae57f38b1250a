// Package ioslevel reads and prints the level of a VIOS: 3.1.4.10, on old
// levels with the name of a fix pack behind it (1.5.2.1-FP-11.1).
package ioslevel

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

// Level is the output of ioslevel.
type Level struct {
	dialect.Report
	Parts []int  `json:"parts,omitempty"` // 3, 1, 4, 10; none if the text does not say
	Fix   string `json:"fix,omitempty"`   // FP-11.1

	short       bool // the last part is printed without leading zero
	lead, trail string
	paint       printout.Paint
	layout      printout.Layout
}

// New makes a level to print.
func New(version, release, modification, fix int) *Level {
	return &Level{Parts: []int{version, release, modification, fix}}
}

// String is the level as ioslevel prints it; empty if it is not known.
func (l *Level) String() string {
	var parts []string
	for i, p := range l.Parts {
		verb := "%d"
		if i == 3 && !l.short {
			verb = "%02d" // 3.1.0.00
		}
		parts = append(parts, fmt.Sprintf(verb, p))
	}
	s := strings.Join(parts, ".")
	if l.Fix != "" {
		s += "-" + l.Fix
	}
	return s
}

// AtLeast tells whether the level is the given one or later; false if it is
// not known.
func (l *Level) AtLeast(parts ...int) bool {
	if len(l.Parts) == 0 {
		return false
	}
	for i, p := range parts {
		have := 0
		if i < len(l.Parts) {
			have = l.Parts[i]
		}
		if c := cmp.Compare(have, p); c != 0 {
			return c > 0
		}
	}
	return true
}

var shape = dialect.Lazy(`^(\s*)(\d{1,2})\.(\d{1,2})\.(\d{1,2})\.(\d{1,2})(?:-([\w.-]+))?(\s*)$`)

// Parse reads what ioslevel prints; dialect.ErrNotRecognised if there is no
// level and no message in it.
func Parse(text []byte) (*Level, error) {
	l := &Level{}
	s, err := printout.Open("ioslevel", text, &l.Report)
	if err != nil {
		return nil, err
	}
	l.layout = s.Layout()
	for i, line := range s.Lines {
		m := shape.FindStringSubmatch(line)
		if m == nil || s.Message[i] || len(l.Parts) > 0 {
			s.Keep(&l.layout, i)
			continue
		}
		for _, p := range m[2:6] {
			n, _ := strconv.Atoi(p) // one or two digits
			l.Parts = append(l.Parts, n)
		}
		l.Fix, l.lead, l.trail, l.paint = m[6], m[1], m[7], s.Paint[i]
		l.short = len(m[5]) == 1
		if l.lead+l.String()+l.trail != line { // a leading zero elsewhere
			l.Parts, l.Fix, l.short = nil, "", false
			s.Keep(&l.layout, i)
			continue
		}
		l.layout.Row()
	}
	if len(l.Parts)+s.Messages == 0 {
		return nil, fmt.Errorf("ioslevel: %w", dialect.ErrNotRecognised)
	}
	return l, nil
}

// Format prints a level.
func Format(l *Level) []byte {
	rows := 1
	if len(l.Parts) == 0 {
		rows = 0
	}
	return l.layout.Print(rows, func(int) string { return l.paint.On(l.lead + l.String() + l.trail) })
}
