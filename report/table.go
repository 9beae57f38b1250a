package report

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// Table is text in aligned columns. A heading that ends in a blank keeps its
// column left-aligned; one that begins with a blank right-aligns it.
type Table struct {
	Head []string
	Rows [][]string
	// Means gives a cell's style by row and column; may be nil.
	Means func(row, col int) string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Print writes the table with two blanks between columns and none at the end
// of a line.
func (t *Table) Print(p *Printer) {
	widths := make([]int, len(t.Head))
	for i, h := range t.Head {
		widths[i] = lipgloss.Width(strings.TrimSpace(h))
	}
	for _, r := range t.Rows {
		for i, c := range r {
			widths[i] = max(widths[i], lipgloss.Width(c))
		}
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
		line(cells, func(c int) string {
			if t.Means == nil {
				return ""
			}
			return t.Means(r, c)
		})
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
