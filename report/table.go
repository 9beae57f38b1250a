package report

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// Table is text in aligned columns. A heading that ends in a blank keeps its
// column left-aligned; one that begins with a blank right-aligns it.
type Table struct {
	Head []string
	Rows [][]string
	// Wrap breaks the last column between its words where a line gets too long.
	Wrap bool
	// Means gives a cell's style by row and column; may be nil.
	Means func(row, col int) string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Span appends a line of its own across all columns.
func (t *Table) Span(text string) { t.Rows = append(t.Rows, []string{text}) }

// Print writes the table with two blanks between columns and none at the end
// of a line.
func (t *Table) Print(p *Printer) {
	widths := make([]int, len(t.Head))
	for i, h := range t.Head {
		widths[i] = lipgloss.Width(strings.TrimSpace(h))
	}
	for _, r := range t.Rows {
		if len(r) == 1 && len(t.Head) > 1 {
			continue
		}
		for i, c := range r {
			widths[i] = max(widths[i], lipgloss.Width(c))
		}
	}
	last := len(widths) - 1
	room := 0 // of the last column; 0: no limit
	if t.Wrap {
		room = p.width()
		for _, w := range widths[:last] {
			room -= w + 2
		}
		room = max(room, 30)
	}
	line := func(cells []string, style func(col int) string) {
		var b strings.Builder
		for i, c := range cells {
			pad := strings.Repeat(" ", widths[i]-lipgloss.Width(c))
			c = p.Style(style(i), c)
			if strings.HasPrefix(t.Head[i], " ") {
				c = pad + c
			} else if i < len(cells)-1 {
				c += pad
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(c)
		}
		p.Line("%s", strings.TrimRight(b.String(), " "))
	}
	head := make([]string, len(t.Head))
	for i, h := range t.Head {
		head[i] = strings.TrimSpace(h)
	}
	line(head, func(int) string { return "head" })
	for r, cells := range t.Rows {
		if len(cells) == 1 && len(t.Head) > 1 {
			p.Line("%s", cells[0])
			continue
		}
		style := func(c int) string {
			if t.Means == nil {
				return ""
			}
			return t.Means(r, c)
		}
		if room == 0 || lipgloss.Width(cells[last]) <= room {
			line(cells, style)
			continue
		}
		row := slices.Clone(cells)
		for _, part := range wrapItems(cells[last], room) {
			row[last] = part
			line(row, style)
			row = make([]string, len(cells))
		}
	}
}

// Dash stands for what is not known.
func Dash(s string) string {
	if s == "" {
		return "-"
	}
	return Safe(s)
}

// Count prints a number of things.
func Count(n int) string { return strconv.Itoa(n) }
