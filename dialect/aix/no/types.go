package no

import (
	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Tunables is the output of one no command.
type Tunables struct {
	dialect.Report
	Tunables []*Tunable `json:"tunables"`
	Layout   Layout     `json:"-"`
}

// Layout is the frame of a parsed text; Form says which text is printed.
type Layout struct {
	layout.Sheet
	Form Form
}

// Form is how tunables are printed.
type Form int

const (
	All   Form = iota // no -a: names right-aligned
	Named             // no -o NAME
	List              // no -L
)

// Tunable is one network option. What the output does not tell is nil.
type Tunable struct {
	Name       string `json:"name"`
	Section    string `json:"section,omitempty"` // "TCP Network Tunable Parameters"
	Restricted bool   `json:"restricted,omitempty"`

	Current *Value `json:"current,omitempty"`
	Default *Value `json:"default,omitempty"`
	Boot    *Value `json:"boot,omitempty"` // after the next boot
	Min     *Value `json:"min,omitempty"`
	Max     *Value `json:"max,omitempty"`

	Unit      string        `json:"unit,omitempty"` // byte, kbyte, halfsecond, boolean, ...
	Type      string        `json:"type,omitempty"` // D S R B M I C, see TypeMeaning
	Others    []string      `json:"others,omitempty"`
	DependsOn []*Dependency `json:"depends_on,omitempty"`
	Line      int           `json:"-"` // 1-based, where its name stands; 0 if not read from a text
	Layout    RowLayout     `json:"-"`
}

// Dependency is a tunable that the one above it depends on.
type Dependency struct {
	Name   string    `json:"name"`
	Layout RowLayout `json:"-"`
}

// RowLayout is where a tunable's values stood.
type RowLayout struct {
	Before  []string
	Line    *layout.Line
	Wrapped *layout.Line // of a name that stood on a line of its own
	columns []column     // of the table; nil for "name = value"
	sign    string       // the = and the blanks around it
}

// TypeMeaning says when a change of that type takes effect, or "".
func TypeMeaning(kind string) string {
	switch kind {
	case "D":
		return "at once"
	case "S":
		return "never"
	case "R":
		return "at the next boot"
	case "B":
		return "at the next boot, after bosboot"
	case "M":
		return "for file systems mounted later"
	case "I":
		return "at once, but it can only grow"
	case "C":
		return "for connections made later"
	}
	return ""
}

// Find is the tunable of that name, or nil.
func (t *Tunables) Find(name string) *Tunable {
	for _, x := range t.Tunables {
		if x.Name == name {
			return x
		}
	}
	return nil
}

type column int

const (
	other column = iota
	name
	current
	def
	boot
	minimum
	maximum
	unit
	kind
)

var columnNames = map[string]column{"NAME": name, "CUR": current, "DEF": def, "BOOT": boot,
	"MIN": minimum, "MAX": maximum, "UNIT": unit, "TYPE": kind}

var standard = []column{name, current, def, boot, minimum, maximum, unit, kind}

// value is the tunable's field for a column of values, or nil.
func (x *Tunable) value(c column) **Value {
	switch c {
	case current:
		return &x.Current
	case def:
		return &x.Default
	case boot:
		return &x.Boot
	case minimum:
		return &x.Min
	case maximum:
		return &x.Max
	}
	return nil
}
