// Package hmc reads what an HMC lists: lshwres, lssyscfg and their
// like, one record a line, name=value after name=value.
//
// A value that holds commas makes its whole field quoted
// ("addl_vlan_ids=10,11"); quotes inside are doubled, and a quoted field can
// hold line ends (lshmc -V). With -F the names are missing unless --header
// prints them, so ParseFields takes the list that was asked for.
package hmc

import "seaworthy/internal/parse"

// Field is one name and value.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Record is one line of a list.
type Record struct {
	Fields []Field `json:"fields"`
	Line   int     `json:"-"` // 1-based
}

// List is one output.
type List struct {
	parse.Report
	Names   []string `json:"names,omitempty"`  // of -F; values are printed without them
	Header  bool     `json:"header,omitempty"` // --header: the names are on the first line
	Records []Record `json:"records,omitempty"`

	separator string // between values
	field     *parse.Pattern
}

// Get is the value of a name; false if the record does not print it.
func (r *Record) Get(name string) (string, bool) {
	for _, f := range r.Fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	return "", false
}

// text is a value; empty if it is not printed.
func (r *Record) text(name string) string {
	v, _ := r.Get(name)
	return v
}

// listed are the records that have a name, by the tags of T; keep looks at each, and may refuse it.
func listed[T any](l *List, has string, keep func(*Record, *T) bool) []T {
	var list []T
	for i := range l.Records {
		r, v := &l.Records[i], new(T)
		parse.Fill(v, r.text)
		if _, ok := r.Get(has); ok && keep(r, v) {
			list = append(list, *v)
		}
	}
	return list
}
