package lparstat

import (
	"math"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Output is the output of one lparstat.
type Output struct {
	dialect.Report
	Fields []*Field     `json:"fields,omitempty"` // lparstat -i
	Tables []*Table     `json:"tables,omitempty"` // a new one for each "System configuration" line
	Layout layout.Sheet `json:"-"`
}

// Field is one line of lparstat -i, or one setting of the configuration line.
type Field struct {
	Name   string      `json:"name"` // "Entitled Capacity", "lcpu"
	Value  Value       `json:"value"`
	Layout FieldLayout `json:"-"`
}

// FieldLayout is how a field was printed.
type FieldLayout struct {
	Before     []string
	Lead, Tail string
	name       string // with the blanks a copy may have doubled
	sep        string // the colon and the blanks around it
}

// Value is a text, or a number with its unit.
type Value struct {
	Text   string   `json:"text,omitempty"` // "-" means none; empty if Number is set
	Number *float64 `json:"number,omitempty"`
	Unit   string   `json:"unit,omitempty"` // MB, GB, %
	style  style
}

type style struct {
	places int
	comma  bool
	gap    string // between number and unit
	none   string // "-" or "--", printed for no number
}

// Table is what follows one "System configuration" line.
type Table struct {
	Config  []*Field    `json:"config,omitempty"`  // type=Shared, smt=4, mem=4096MB, ...
	Columns []string    `json:"columns,omitempty"` // %user, %sys, ..., as printed
	Samples []*Sample   `json:"samples,omitempty"`
	Calls   []*Call     `json:"calls,omitempty"` // lparstat -H
	Layout  TableLayout `json:"-"`
}

// TableLayout is where a table's parts stood.
type TableLayout struct {
	ConfigBefore, HeadingBefore []string
	Lead, Tail                  string // of the configuration line
	Heading                     *layout.Line
}

// Sample is one line of the interval form.
type Sample struct {
	Values []*float64 `json:"values"` // in the order of Columns; nil was printed as "-"
	Layout RowLayout  `json:"-"`
}

// Call is one line of lparstat -H.
type Call struct {
	Name       string    `json:"name"`
	Count      uint64    `json:"count"`
	Total      float64   `json:"total_percent"`      // of all time
	Hypervisor float64   `json:"hypervisor_percent"` // of the time in the hypervisor
	Average    uint64    `json:"average_ns"`
	Max        uint64    `json:"max_ns"`
	Layout     RowLayout `json:"-"`
}

// RowLayout is where a row's values stood.
type RowLayout struct {
	Before []string
	Line   *layout.Line
	styles []style
}

// Field is the line of lparstat -i with that label, or nil.
func (o *Output) Field(label string) *Field { return find(o.Fields, label) }

// Setting is a setting of the configuration line, or nil.
func (t *Table) Setting(name string) *Field { return find(t.Config, name) }

func find(fields []*Field, name string) *Field {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f
		}
	}
	return nil
}

// Text is a line's value as text; ok is false if it is missing or none ("-").
func (o *Output) Text(label string) (text string, ok bool) {
	f := o.Field(label)
	if f == nil || f.Value.Text == "-" || f.Value.Text == "" && f.Value.Number == nil {
		return "", false
	}
	return f.Value.String(), true
}

// Float is a line's number; ok is false if it is missing or none.
func (o *Output) Float(label string) (n float64, ok bool) {
	f := o.Field(label)
	if f == nil || f.Value.Number == nil {
		return 0, false
	}
	return *f.Value.Number, true
}

// Int is a line's number if it is a whole one.
func (o *Output) Int(label string) (n int, ok bool) {
	v, ok := o.Float(label)
	if !ok || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return 0, false
	}
	return int(v), true
}

// Get is a sample's value in a column (physc, %entc, app, ...); ok is false if
// the table has no such column or the sample no number there.
func (t *Table) Get(s *Sample, column string) (n float64, ok bool) {
	for i, c := range t.Columns {
		if c == column && i < len(s.Values) && s.Values[i] != nil {
			return *s.Values[i], true
		}
	}
	return 0, false
}
