// Package mbufs reads AIX netstat -m: the kernel's network memory, by size for
// each CPU and by type. The interesting columns are failed and delayed:
// requests for mbufs that were refused or had to wait.
//
// Tables are read by their headings, so that other columns and other levels
// need nothing new.
package mbufs

import (
	"strings"

	"seaworthy/internal/parse"
)

// Statistics is the output of netstat -m.
type Statistics struct {
	parse.Report
	Tables   []*Table   `json:"tables,omitempty"`
	Counters []*Counter `json:"counters,omitempty"` // lines such as "0 requests for mbufs denied"
}

// Table is one table: by size of one CPU, or by type.
type Table struct {
	CPU     *uint64  `json:"cpu,omitempty"` // nil for a table of the whole system
	Key     string   `json:"key"`           // "By size", "By type"
	Columns []string `json:"columns"`       // inuse, calls, failed, delayed, free, hiwat, freed
	Rows    []*Row   `json:"rows"`
}

// Row is one size in bytes, or one type.
type Row struct {
	Name   string   `json:"name"` // "2048", "mbuf"
	Values []uint64 `json:"values"`
}

// Counter is a number with what it counts.
type Counter struct {
	Count uint64 `json:"count"`
	Name  string `json:"name"`
}

var (
	cpu     = parse.Lazy(`^\*+ CPU (\d+) \*+$`)
	heading = parse.Lazy(`^[A-Za-z].*:$`)
	counter = parse.Lazy(`^(0|[1-9]\d*) ([a-z].*mb.*|mb.*)$`)
)

// Parse reads netstat -m output. Errors: parse.ErrNotRecognised if there is
// no table and no counter of mbufs.
func Parse(text []byte) (*Statistics, error) {
	s := &Statistics{}
	var table *Table
	var on *uint64
	s.Read(text, func(l parse.Line) bool {
		body := strings.TrimSpace(l.Text)
		words := strings.Fields(body)
		c := &Counter{}
		switch {
		case heading.MatchString(body):
		case cpu.Scan(body, &on):
			table = nil
		case len(words) > 3 && words[0] == "By":
			table = &Table{Key: "By " + words[1], Columns: words[2:]}
			if words[1] == "size" {
				table.CPU = on
			}
			s.Tables = append(s.Tables, table)
		case table != nil && table.row(words):
		case counter.Scan(body, &c.Count, &c.Name):
			s.Counters = append(s.Counters, c)
		default:
			return false
		}
		return true
	})
	return parse.Recognised(s, s.Tables != nil || s.Counters != nil)
}

func (t *Table) row(words []string) bool {
	if len(words) != len(t.Columns)+1 {
		return false
	}
	row := &Row{Name: words[0]}
	for _, w := range words[1:] {
		n, ok := parse.Count(w)
		if !ok {
			return false
		}
		row.Values = append(row.Values, n)
	}
	t.Rows = append(t.Rows, row)
	return true
}
