package report

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
)

// Table is text in aligned columns. A heading that ends in a blank keeps its
// column left-aligned; one that begins with a blank right-aligns it.
type Table struct {
	Head []string
	Rows [][]string
	// Wrap breaks text between its words where a line gets too long, in the last
	// column first.
	Wrap bool
	// Drop are columns to leave out, the first first, while a line is too long.
	Drop []int
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Span appends a line of its own across all columns.
func (t *Table) Span(text string) { t.Rows = append(t.Rows, []string{text}) }

// Print writes the table with two blanks between columns and none at the end
// of a line.
func (t *Table) Print(p *Printer) {
	if p.HTML {
		t.html(p)
		return
	}
	widths := t.widths()
	for _, c := range t.Drop {
		if total(widths) > p.Columns() {
			widths[c] = gone
		}
	}
	if t.Wrap {
		t.narrow(widths, p.Columns())
	}
	head := make([]string, len(t.Head))
	for i, h := range t.Head {
		head[i] = p.Style("head", strings.TrimSpace(h))
	}
	t.line(p, widths, head)
	for _, cells := range t.Rows {
		if t.spans(cells) {
			p.Line("%s", cells[0])
			continue
		}
		for _, line := range broken(cells, widths) {
			t.line(p, widths, line)
		}
	}
}

// gone is the width of a column that is left out.
const gone = -2

// total is how long a line of such columns is.
func total(widths []int) int {
	n := -2
	for _, w := range widths {
		n += w + 2
	}
	return n
}

func (t *Table) spans(cells []string) bool { return len(cells) == 1 && len(t.Head) > 1 }

// widths are those of the widest cells.
func (t *Table) widths() []int {
	widths := make([]int, len(t.Head))
	for i, h := range t.Head {
		widths[i] = lipgloss.Width(strings.TrimSpace(h))
	}
	for _, r := range t.Rows {
		if t.spans(r) {
			continue
		}
		for i, c := range r {
			widths[i] = max(widths[i], lipgloss.Width(c))
		}
	}
	return widths
}

// narrow makes columns narrower until a line fits: the last one first, down to
// a width that text can still be read in, then the widest of the others.
// Numbers are never broken.
func (t *Table) narrow(widths []int, room int) {
	const least = 24
	shrink := func(i, least int) {
		if by := min(total(widths)-room, widths[i]-least); by > 0 {
			widths[i] -= by
		}
	}
	last := len(widths) - 1
	if total(widths) <= room {
		return
	}
	floor := make([]int, len(widths))
	for i := range floor {
		floor[i] = max(t.longest(i), 10)
	}
	shrink(last, max(least, min(floor[last], widths[last])))
	for total(widths) > room {
		widest := -1
		for i, h := range t.Head {
			if !strings.HasPrefix(h, " ") && widths[i] > floor[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		shrink(widest, max(floor[widest], widths[widest]-4))
	}
}

// longest is the width of a column's longest word.
func (t *Table) longest(col int) int {
	n := lipgloss.Width(strings.TrimSpace(t.Head[col]))
	for _, r := range t.Rows {
		if t.spans(r) {
			continue
		}
		for _, w := range strings.Fields(r[col]) {
			n = max(n, lipgloss.Width(w))
		}
	}
	return n
}

// broken spreads a row over as many lines as its cells need.
func broken(cells []string, widths []int) [][]string {
	lines := [][]string{make([]string, len(cells))}
	for i, c := range cells {
		parts := []string{c}
		if widths[i] != gone && lipgloss.Width(c) > widths[i] {
			parts = wrapItems(c, widths[i])
		}
		for n, part := range parts {
			if n == len(lines) {
				lines = append(lines, make([]string, len(cells)))
			}
			lines[n][i] = part
		}
	}
	return lines
}

// line prints cells side by side. A word longer than its column pushes the rest
// of its line.
func (t *Table) line(p *Printer, widths []int, cells []string) {
	var b strings.Builder
	for i, c := range cells {
		if widths[i] == gone {
			continue
		}
		pad := strings.Repeat(" ", max(widths[i]-lipgloss.Width(c), 0))
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

// html writes the table as one.
func (t *Table) html(p *Printer) {
	var b strings.Builder
	side := func(c int) string {
		if strings.HasPrefix(t.Head[c], " ") {
			return ` class="n"`
		}
		return ""
	}
	b.WriteString("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table\">\n<table>\n<thead><tr>")
	for i, h := range t.Head {
		tag := "th"
		if strings.TrimSpace(h) == "" {
			tag = "td" // an empty header names nothing
		}
		fmt.Fprintf(&b, "<%s%s>%s</%[1]s>", tag, side(i), element(strings.TrimSpace(h)))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, cells := range t.Rows {
		if t.spans(cells) {
			fmt.Fprintf(&b, "<tr><td colspan=\"%d\">%s</td></tr>\n", len(t.Head), element(cells[0]))
			continue
		}
		b.WriteString("<tr>")
		for c, text := range cells {
			fmt.Fprintf(&b, "<td%s>%s</td>", side(c), element(text))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n</div>\n")
	p.write(b.String())
}
