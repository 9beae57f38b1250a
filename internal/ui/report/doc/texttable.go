package doc

import (
	"strings"

	"charm.land/lipgloss/v2"

	"seaworthy/internal/ui/report/quote"
)

// table writes a table with two blanks between columns and none at the end of a
// line.
func (t *textWriter) table(of *Table) {
	if !of.Media.has(Terminal) {
		return
	}
	l := newLayout(of.on(Terminal))
	for _, c := range l.Drop {
		if l.total() > t.columns() {
			l.widths[c] = gone
		}
	}
	if l.Wrap {
		l.narrow(t.columns())
	}
	head := make([]Cell, len(l.Columns))
	for i, c := range l.Columns {
		head[i] = StyledCell(Head, quote.Plain(c.Name))
	}
	t.cells(l, head)
	for i, r := range l.Rows {
		switch r.Kind {
		case Group:
			t.line(t.cell(r.Cells[0]))
		case Note:
			c := r.Cells[0]
			for _, part := range Wrap(quote.Plain(c.Text), t.columns()-lipgloss.Width(c.Lead)) {
				t.line(t.cell(Cell{Lead: c.Lead, Text: part, Style: c.Style}))
			}
		case Values:
			for _, cells := range l.broken(i) {
				t.cells(l, cells)
			}
		}
	}
}

func (t *textWriter) cell(c Cell) string {
	return strings.TrimRight(quote.Plain(c.Lead)+t.Paint(c.Style, quote.Plain(c.Text)), " ")
}

// cells writes cells side by side. A word longer than its column pushes the rest
// of its line.
func (t *textWriter) cells(l *layout, cells []Cell) {
	var b strings.Builder
	for i, c := range cells {
		if l.widths[i] == gone {
			continue
		}
		text := t.Paint(c.Style, c.Text)
		pad := strings.Repeat(" ", max(l.widths[i]-lipgloss.Width(c.Text), 0))
		if l.Columns[i].Right {
			text = pad + text
		} else if i < len(cells)-1 {
			text += pad
		}
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(text)
	}
	t.line(strings.TrimRight(b.String(), " "))
}

// gone is the width of a column that is left out.
const gone = -2

// layout is a table with the widths of its columns, and its cells as they are shown.
type layout struct {
	*Table
	widths []int
	shown  [][]string // by row; nil for rows across all columns
}

// newLayout makes columns as wide as their widest cells.
func newLayout(t *Table) *layout {
	l := &layout{Table: t, widths: make([]int, len(t.Columns)), shown: make([][]string, len(t.Rows))}
	for i, c := range t.Columns {
		l.widths[i] = lipgloss.Width(quote.Plain(c.Name))
	}
	for n, r := range t.Rows {
		if r.Kind != Values {
			continue
		}
		l.shown[n] = make([]string, len(r.Cells))
		for i, c := range r.Cells {
			l.shown[n][i] = quote.Plain(c.shown())
			l.widths[i] = max(l.widths[i], lipgloss.Width(l.shown[n][i]))
		}
	}
	return l
}

// total is how long a line is.
func (l *layout) total() int {
	n := -2
	for _, w := range l.widths {
		n += w + 2
	}
	return n
}

// narrow makes columns narrower until a line fits: the last one first, down to
// a width that text can still be read in, then the widest of the others.
// Numbers are never broken.
func (l *layout) narrow(room int) {
	const readable = 24
	shrink := func(i, least int) {
		if by := min(l.total()-room, l.widths[i]-least); by > 0 {
			l.widths[i] -= by
		}
	}
	if l.total() <= room {
		return
	}
	floor := make([]int, len(l.widths))
	for i := range floor {
		floor[i] = max(l.longest(i), 10)
	}
	last := len(l.widths) - 1
	shrink(last, max(readable, min(floor[last], l.widths[last])))
	for l.total() > room {
		widest := -1
		for i, c := range l.Columns {
			if !c.Right && l.widths[i] > floor[i] && (widest < 0 || l.widths[i] > l.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		shrink(widest, max(floor[widest], l.widths[widest]-4))
	}
}

// longest is the width of a column's longest word.
func (l *layout) longest(column int) int {
	n := lipgloss.Width(quote.Plain(l.Columns[column].Name))
	for _, cells := range l.shown {
		if cells == nil {
			continue
		}
		for word := range strings.FieldsSeq(cells[column]) {
			n = max(n, lipgloss.Width(word))
		}
	}
	return n
}

// broken spreads a row over as many lines as its cells need.
func (l *layout) broken(row int) [][]Cell {
	cells := l.Rows[row].Cells
	lines := [][]Cell{make([]Cell, len(cells))}
	for i, c := range cells {
		text := l.shown[row][i]
		parts := []string{text}
		if l.widths[i] != gone && lipgloss.Width(text) > l.widths[i] {
			parts = wrapItems(text, l.widths[i])
		}
		for n, part := range parts {
			if n == len(lines) {
				lines = append(lines, make([]Cell, len(cells)))
			}
			lines[n][i] = Cell{Text: part, Style: c.Style}
		}
	}
	return lines
}
