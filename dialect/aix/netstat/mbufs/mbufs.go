package mbufs

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Statistics is the output of netstat -m.
type Statistics struct {
	dialect.Report
	Tables   []*Table     `json:"tables,omitempty"`
	Counters []*Counter   `json:"counters,omitempty"` // lines such as "0 requests for mbufs denied"
	Layout   layout.Sheet `json:"-"`
	order    []any        // tables, rows and counters as they stood
}

// Table is one table: by size of one CPU, or by type.
type Table struct {
	CPU     *uint64  `json:"cpu,omitempty"` // nil for a table of the whole system
	Key     string   `json:"key"`           // "By size", "By type"
	Columns []string `json:"columns"`       // inuse, calls, failed, delayed, free, hiwat, freed
	Rows    []*Row   `json:"rows"`
	Layout  Layout   `json:"-"`
}

// Row is one size in bytes, or one type.
type Row struct {
	Name   string    `json:"name"` // "2048", "mbuf"
	Values []*uint64 `json:"values"`
	Layout Layout    `json:"-"`
}

// Counter is a number with what it counts.
type Counter struct {
	Count  uint64 `json:"count"`
	Name   string `json:"name"`
	Layout Layout `json:"-"`
}

// Layout is where a line's values stood.
type Layout struct {
	before []string
	line   *layout.Line
}

var (
	cpu     = dialect.Lazy(`^\*+ CPU (\d+) \*+$`)
	heading = dialect.Lazy(`^[A-Za-z]`)
	counter = dialect.Lazy(`^\d+ [a-z]`)
)

// Parse reads netstat -m output. Errors: dialect.ErrNotRecognised if there is
// no table and no counter of mbufs.
func Parse(text []byte) (*Statistics, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	s := &Statistics{}
	r := layout.NewReader(text, &s.Report)
	var table *Table
	var on *uint64
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		_, body, _ := layout.Trim(line)
		words, tail, ok := r.Words()
		switch {
		case body == "" || (heading.MatchString(body) && strings.HasSuffix(body, ":")):
			r.Keep()
		case cpu.MatchString(body):
			on, table = nil, nil
			if n, ok := layout.Count(cpu.FindStringSubmatch(body)[1]); ok {
				on = &n
			}
			r.Keep()
		case ok && len(words) > 3 && words[0].Text == "By":
			table = &Table{CPU: on, Key: words[0].Text + words[1].Gap + words[1].Text}
			if words[1].Text != "size" {
				table.CPU = nil
			}
			for _, w := range words[2:] {
				table.Columns = append(table.Columns, w.Text)
			}
			merged := append([]layout.Word{{Gap: words[0].Gap, Text: table.Key}}, words[2:]...)
			table.Layout = Layout{r.Held(), r.Line(merged, tail, right)}
			s.Tables, s.order = append(s.Tables, table), append(s.order, table)
		case ok && table != nil && s.row(r, table, words, tail):
		case ok && counter.MatchString(body) && strings.Contains(body, "mb"):
			s.counter(r, line)
		default:
			r.Unread()
		}
	}
	s.Layout = r.Sheet()
	if s.order == nil {
		return nil, dialect.ErrNotRecognised
	}
	return s, nil
}

func right(i int) bool { return i > 0 }

func (s *Statistics) row(r *layout.Reader, t *Table, words []layout.Word, tail string) bool {
	if len(words) != len(t.Columns)+1 {
		return false
	}
	row := &Row{Name: words[0].Text}
	for _, w := range words[1:] {
		n, ok := layout.Count(w.Text)
		if !ok {
			return false
		}
		row.Values = append(row.Values, &n)
	}
	row.Layout = Layout{r.Held(), r.Line(words, tail, right)}
	t.Rows, s.order = append(t.Rows, row), append(s.order, row)
	return true
}

func (s *Statistics) counter(r *layout.Reader, line string) {
	lead, body, tail := layout.Trim(line)
	number, name, _ := strings.Cut(body, " ")
	n, ok := layout.Count(number)
	if !ok {
		r.Unread()
		return
	}
	c := &Counter{Count: n, Name: name, Layout: Layout{r.Held(),
		&layout.Line{Cells: []layout.Cell{{Gap: lead, Width: int32(len(number))}, {Gap: " ", Width: int32(len(name))}}, Tail: tail}}}
	s.Counters, s.order = append(s.Counters, c), append(s.order, c)
}

// Get is a row's value in a column; nil if the table has no such column.
func (t *Table) Get(r *Row, column string) *uint64 {
	for i, c := range t.Columns {
		if strings.EqualFold(c, column) && i < len(r.Values) {
			return r.Values[i]
		}
	}
	return nil
}

// Total adds a column up over all tables of that key ("By size"); ok is false
// if no row has it.
func (s *Statistics) Total(key, column string) (sum uint64, ok bool) {
	for _, t := range s.Tables {
		if !strings.EqualFold(t.Key, key) {
			continue
		}
		for _, r := range t.Rows {
			if n := t.Get(r, column); n != nil {
				sum, ok = sum+*n, true
			}
		}
	}
	return sum, ok
}

// Format prints Statistics as Parse read them; tables and counters that Parse
// did not read follow in AIX 7.2's widths.
func Format(s *Statistics) []byte {
	var lines []string
	put := func(l Layout, texts []string) {
		lines = append(lines, l.before...)
		if l.line != nil {
			lines = append(lines, l.line.Place(texts...))
			return
		}
		lines = append(lines, fresh(texts))
	}
	old := map[any]bool{}
	for _, x := range s.order {
		old[x] = true
		switch x := x.(type) {
		case *Table:
			put(x.Layout, append([]string{x.Key}, x.Columns...))
		case *Row:
			put(x.Layout, x.texts())
		case *Counter:
			put(x.Layout, []string{strconv.FormatUint(x.Count, 10), x.Name})
		}
	}
	if len(s.order) == 0 && len(s.Tables) > 0 {
		lines = append(lines, "Kernel malloc statistics:")
	}
	for _, t := range s.Tables {
		if old[t] {
			continue
		}
		lines = append(lines, "")
		if t.CPU != nil {
			lines = append(lines, fmt.Sprintf("******* CPU %d *******", *t.CPU))
		}
		put(t.Layout, append([]string{t.Key}, t.Columns...))
		for _, r := range t.Rows {
			put(r.Layout, r.texts())
		}
	}
	for _, c := range s.Counters {
		if !old[c] {
			lines = append(lines, fmt.Sprintf("%d %s", c.Count, c.Name))
		}
	}
	return s.Layout.Join(lines)
}

func (r *Row) texts() []string {
	out := []string{r.Name}
	for _, n := range r.Values {
		text := "-"
		if n != nil {
			text = strconv.FormatUint(*n, 10)
		}
		out = append(out, text)
	}
	return out
}

func fresh(texts []string) string {
	s := fmt.Sprintf("%-16s", texts[0])
	for i, text := range texts[1:] {
		width := 7
		if i == 1 {
			width = 9 // calls
		}
		s += fmt.Sprintf(" %*s", width, text)
	}
	return s
}
