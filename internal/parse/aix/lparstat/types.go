// Package lparstat reads AIX lparstat: -i (the partition's
// configuration), the interval form (processor use) and -H (hypervisor calls).
//
// Which lines -i prints and which columns the interval form has depends on the
// level and on the partition's mode, so both are read by label. Dedicated,
// donating and shared partitions, with and without the pool's "app" column,
// need no case of their own. A decimal comma is read where it cannot be
// anything else, with a warning.
package lparstat

import (
	"math"
	"strings"

	"seaworthy/internal/parse"
)

// Output is the output of one lparstat.
type Output struct {
	parse.Report
	Fields []Field  `json:"fields,omitempty"` // lparstat -i
	Tables []*Table `json:"tables,omitempty"` // a new one for each "System configuration" line
}

// Field is one line of lparstat -i, or one setting of the configuration line.
type Field struct {
	Name   string   `json:"name"`             // "Entitled Capacity", "lcpu"
	Text   string   `json:"text"`             // as printed; "-" means none
	Number *float64 `json:"number,omitempty"` // nil if the text is not one
	Unit   string   `json:"unit,omitempty"`   // of the number: MB, GB, %
}

// Table holds what follows one "System configuration" line.
type Table struct {
	Config  []Field  `json:"config,omitempty"`  // type=Shared, smt=4, mem=4096MB, ...
	Columns []string `json:"columns,omitempty"` // %user, %sys, ..., as printed
	Samples []Sample `json:"samples,omitempty"`
	Calls   []Call   `json:"calls,omitempty"` // lparstat -H
}

// Sample is one line of the interval form.
type Sample struct {
	Values []*float64 `json:"values"` // in the order of Columns; nil was printed as "-"
}

// Call is one line of lparstat -H.
type Call struct {
	Name       string  `json:"name"`
	Count      uint64  `json:"count"`
	Total      float64 `json:"total_percent"`      // of all time
	Hypervisor float64 `json:"hypervisor_percent"` // of the time in the hypervisor
	Average    uint64  `json:"average_ns"`
	Max        uint64  `json:"max_ns"`
}

// Field is the line of lparstat -i with that label, or nil.
func (o *Output) Field(label string) *Field {
	for i := range o.Fields {
		if strings.EqualFold(o.Fields[i].Name, label) {
			return &o.Fields[i]
		}
	}
	return nil
}

// Text is a line's value as text; ok is false if it is missing or none ("-").
func (o *Output) Text(label string) (text string, ok bool) {
	f := o.Field(label)
	if f == nil || f.Text == "-" || f.Text == "" {
		return "", false
	}
	return f.Text, true
}

// Float is a line's number; ok is false if it is missing or none.
func (o *Output) Float(label string) (n float64, ok bool) {
	f := o.Field(label)
	if f == nil || f.Number == nil {
		return 0, false
	}
	return *f.Number, true
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
func (t *Table) Get(s Sample, column string) (n float64, ok bool) {
	for i, c := range t.Columns {
		if c == column && i < len(s.Values) && s.Values[i] != nil {
			return *s.Values[i], true
		}
	}
	return 0, false
}
