package interfaces

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect/layout"
)

// Format prints a Table as Parse read it. A table without layout is printed as
// AIX 7.2 prints netstat -in: names to the left, counters to the right.
func Format(t *Table) []byte {
	lines := append([]string(nil), t.Layout.Before...)
	if t.Layout.Heading != nil {
		lines = append(lines, t.Layout.Heading.Place(t.Columns...))
	} else {
		lines = append(lines, freshHeading(t.Columns))
	}
	for _, r := range t.Rows {
		lines = append(lines, r.Layout.Before...)
		texts := texts(r, t.lead() > fixed)
		if r.Layout.Line != nil {
			lines = append(lines, r.Layout.Line.Place(texts...))
		} else {
			lines = append(lines, fresh(texts))
		}
		for _, m := range r.Multicast {
			line := m.Layout.Line
			if line == nil {
				line = &layout.Line{Cells: []layout.Cell{{Gap: strings.Repeat(" ", 24)}}}
			}
			lines = append(lines, m.Layout.Before...)
			lines = append(lines, line.Place(m.Address))
		}
	}
	return t.Layout.Join(lines)
}

func texts(r *Row, zoned bool) []string {
	name := r.Name
	if r.Down {
		name += "*"
	}
	out := []string{name, strconv.FormatUint(r.MTU, 10), r.Network, r.Address}
	if zoned {
		out = append(out, r.Zone)
	}
	for _, c := range r.Counters {
		text := "-"
		if c != nil {
			text = strconv.FormatUint(*c, 10)
		}
		out = append(out, text)
	}
	return out
}

// freshHeading is AIX 7.2's; it ends one column before the rows do. Counters
// above eight digits and hardware addresses of 17 characters push a row to the
// right there too.
func freshHeading(columns []string) string {
	return row(columns, []int{7, 5, 8, 5, 5})
}

func fresh(texts []string) string { return row(texts, []int{8, 5, 8, 5, 5}) }

// row prints a line: four columns to the left, counters to the right in the
// given widths; more counters, such as Drop, five wide.
func row(texts []string, widths []int) string {
	s := fmt.Sprintf("%-5s %-5s %-11s %-16s", texts[0], texts[1], texts[2], texts[3])
	for i, text := range texts[fixed:] {
		width := 5
		if i < len(widths) {
			width = widths[i]
		}
		s += fmt.Sprintf(" %*s", width, text)
	}
	return s
}
