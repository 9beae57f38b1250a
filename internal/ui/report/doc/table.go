package doc

import (
	"fmt"
	"strings"
)

// Table is text in columns.
type Table struct {
	// Name names the table in CSV: one or two words.
	Name    string
	Columns []Column
	Rows    []Row
	// GroupedBy names in CSV what group rows name: a workload, a host.
	GroupedBy string
	// Wrap breaks text between its words where a line gets too long, in the last
	// column first.
	Wrap bool
	// Drop lists columns to leave out while a line is too long for a terminal, the
	// first of them first.
	Drop []int
	// Media restricts where the table is shown; 0: everywhere.
	Media Medium
}

// Column is a column of a table.
type Column struct {
	Name  string
	Unit  string // of all its numbers, where the name does not say it; CSV and Markdown print it
	Right bool   // aligned right, as numbers are; never wrapped
	Media Medium // where the column is shown; 0: everywhere
	// Key names the column in CSV where the name is empty, or not unique.
	Key string
	// Interval columns have cells made by Bounds. CSV has two columns for them: KEY
	// low, KEY high.
	Interval bool
}

// Left is a left-aligned column.
func Left(name string) Column { return Column{Name: name} }

// Right is a right-aligned column.
func Right(name string) Column { return Column{Name: name, Right: true} }

// Interval is a column of 95 % confidence intervals of what key names.
func Interval(key string) Column {
	return Column{Name: "95 % interval", Right: true, Key: key, Interval: true}
}

// Keyed returns the column with its name in CSV.
func (c Column) Keyed(key string) Column {
	c.Key = key
	return c
}

// In returns the column with a unit.
func (c Column) In(unit string) Column {
	c.Unit = unit
	return c
}

// On returns the column restricted to media.
func (c Column) On(media Medium) Column {
	c.Media = media
	return c
}

// title is the column's name with its unit.
func (c Column) title() string {
	if c.Unit == "" {
		return c.Name
	}
	return strings.TrimSpace(c.Name + " (" + c.Unit + ")")
}

// Row is a row of a table. A group names the rows below it, a note remarks on the
// row above; both have one cell, across all columns.
type Row struct {
	Cells []Cell
	Kind  RowKind
	Media Medium // where the row is shown; 0: everywhere
}

// RowKind tells rows of values from those across all columns.
type RowKind uint8

// The kinds of row.
const (
	Values RowKind = iota
	Group
	Note
)

// Cell is a cell of a table.
type Cell struct {
	Text  string
	Style Style
	// Lead stands before the text: an indentation, or the branches of a tree.
	Lead string
	// Low and High are the ends of an interval, in a column of intervals.
	Low, High string
	// Repeated cells are blank where people read, because the cell above says the
	// same.
	Repeated bool
}

// Repeat is a cell whose text the cell above has already.
func Repeat(text string) Cell { return Cell{Text: text, Repeated: true} }

// Indent is a cell with a lead.
func Indent(lead, text string) Cell { return Cell{Lead: lead, Text: text} }

// Bounds is a cell with an interval: as people read it, and its ends.
func Bounds(text, low, high string) Cell { return Cell{Text: text, Low: low, High: high} }

// StyledCell is a cell of a style.
func StyledCell(style Style, text string) Cell { return Cell{Text: text, Style: style} }

// NewTable makes a table.
func NewTable(name string, columns ...Column) *Table { return &Table{Name: name, Columns: columns} }

// NewWrapped makes a table whose texts wrap.
func NewWrapped(name string, columns ...Column) *Table {
	t := NewTable(name, columns...)
	t.Wrap = true
	return t
}

// Add appends a row, with one cell a column: a Cell, or anything that fmt prints.
func (t *Table) Add(cells ...any) { t.AddOn(everywhere, cells...) }

// AddOn is Add for a row that only some media have.
func (t *Table) AddOn(media Medium, cells ...any) {
	row := Row{Cells: make([]Cell, len(cells)), Media: media}
	for i, c := range cells {
		cell, ok := c.(Cell)
		if !ok {
			cell = Cell{Text: fmt.Sprint(c)}
		}
		row.Cells[i] = cell
	}
	t.Rows = append(t.Rows, row)
}

// AddTexts appends a row of plain texts.
func (t *Table) AddTexts(cells ...string) {
	row := Row{Cells: make([]Cell, len(cells))}
	for i, c := range cells {
		row.Cells[i].Text = c
	}
	t.Rows = append(t.Rows, row)
}

// Group appends a row that names the rows below it.
func (t *Table) Group(c Cell) { t.Rows = append(t.Rows, Row{Cells: []Cell{c}, Kind: Group}) }

// Note appends a remark on the row above.
func (t *Table) Note(c Cell) { t.Rows = append(t.Rows, Row{Cells: []Cell{c}, Kind: Note}) }

// Empty reports whether the table has no rows.
func (t *Table) Empty() bool { return len(t.Rows) == 0 }

// on is the table with the columns that a medium has.
func (t *Table) on(m Medium) *Table {
	out := &Table{Name: t.Name, GroupedBy: t.GroupedBy, Wrap: t.Wrap}
	at := make([]int, len(t.Columns)) // of the kept columns
	for i, c := range t.Columns {
		at[i] = -1
		if c.Media.has(m) {
			at[i] = len(out.Columns)
			out.Columns = append(out.Columns, c)
		}
	}
	for _, i := range t.Drop {
		if at[i] >= 0 {
			out.Drop = append(out.Drop, at[i])
		}
	}
	for _, r := range t.Rows {
		if !r.Media.has(m) {
			continue
		}
		if r.Kind == Values {
			r.Cells = kept(r.Cells, at)
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

func kept(cells []Cell, at []int) []Cell {
	var out []Cell
	for i, c := range cells {
		if at[i] >= 0 {
			out = append(out, c)
		}
	}
	return out
}

// shown returns what people read in a cell.
func (c Cell) shown() string {
	if c.Repeated {
		return ""
	}
	return c.Lead + c.Text
}
