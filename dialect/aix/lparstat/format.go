package lparstat

import (
	"fmt"
	"strconv"
	"strings"
)

// Format prints an Output as Parse read it. Parts without layout are printed
// as AIX 7.2 does.
func Format(o *Output) []byte {
	var lines []string
	for _, f := range o.Fields {
		lines = append(lines, f.Layout.Before...)
		lines = append(lines, f.line())
	}
	for _, t := range o.Tables {
		lines = t.lines(lines)
	}
	return o.Layout.Join(lines)
}

func (f *Field) line() string {
	l := f.Layout
	if l.sep == "" {
		return fmt.Sprintf("%-43s: %s", f.Name, f.Value)
	}
	name := f.Name
	if strings.Join(strings.Fields(l.name), " ") == name {
		name = l.name
	}
	return l.Lead + name + l.sep + f.Value.String() + l.Tail
}

func (t *Table) lines(lines []string) []string {
	l := t.Layout
	if t.Config != nil {
		if l.Lead == "" {
			l.ConfigBefore, l.Lead, l.Tail = []string{""}, "System configuration:", " "
		}
		s := l.Lead
		for _, f := range t.Config {
			gap := f.Layout.Lead
			if gap == "" {
				gap = " "
			}
			s += gap + f.Name + "=" + f.Value.String()
		}
		lines = append(append(lines, l.ConfigBefore...), s+l.Tail)
	}
	if t.Columns != nil {
		if l.Heading != nil {
			lines = append(append(lines, l.HeadingBefore...), l.Heading.Place(t.Columns...))
		} else {
			lines = append(lines, freshHeading(t.Columns)...)
		}
	}
	for _, s := range t.Samples {
		lines = append(append(lines, s.Layout.Before...), s.line(t.Columns))
	}
	if len(t.Calls) > 0 && t.Calls[0].Layout.Line == nil {
		lines = append(lines, "", "           Detailed information on Hypervisor Calls", "",
			"Hypervisor                  Number of    %Total Time   %Hypervisor   Avg Call    Max Call",
			"  Call                        Calls         Spent      Time Spent    Time(ns)    Time(ns)", "")
	}
	for _, c := range t.Calls {
		lines = append(append(lines, c.Layout.Before...), c.line())
	}
	return lines
}

// look is how AIX 7.2 prints a column.
type look struct{ width, dashes, places int }

var looks = map[string]look{
	"%user": {5, 5, 1}, "%sys": {5, 5, 1}, "%wait": {6, 6, 1}, "%idle": {6, 6, 1}, "physc": {5, 5, 2}, "%entc": {5, 5, 1},
	"lbusy": {6, 6, 1}, "app": {5, 3, 2}, "vcsw": {5, 5, 0}, "phint": {5, 5, 0}, "%nsp": {5, 5, 0}, "%utcyc": {7, 6, 2},
}

func lookOf(column string) look {
	if l, ok := looks[column]; ok {
		return l
	}
	return look{max(5, len(column)), max(5, len(column)), 2}
}

func freshHeading(columns []string) []string {
	var head, dashes []string
	for _, c := range columns {
		l := lookOf(c)
		head = append(head, fmt.Sprintf("%*s", l.width, c))
		dashes = append(dashes, fmt.Sprintf("%*s", l.width, strings.Repeat("-", l.dashes)))
	}
	return []string{"", strings.Join(head, " "), strings.Join(dashes, " ")}
}

func (s *Sample) line(columns []string) string {
	var texts []string
	for i, v := range s.Values {
		var st style
		old := i < len(s.Layout.styles)
		if old {
			st = s.Layout.styles[i]
		}
		column := ""
		if i < len(columns) {
			column = columns[i]
		}
		l := lookOf(column)
		if column == "%utcyc" {
			l.width-- // its heading reaches one column further than its values
		}
		switch {
		case v == nil && old && st.none != "":
			texts = append(texts, st.none)
		case v == nil:
			texts = append(texts, fmt.Sprintf("%*s", l.width, "-"))
		case old && st.none == "":
			texts = append(texts, st.print(*v))
		default:
			texts = append(texts, fmt.Sprintf("%*.*f", l.width, l.places, *v))
		}
	}
	if s.Layout.Line != nil {
		return s.Layout.Line.Place(texts...)
	}
	return strings.Join(texts, " ")
}

func (c *Call) line() string {
	styles := c.Layout.styles
	if styles == nil {
		styles = []style{{places: 1}, {places: 1}}
	}
	texts := []string{c.Name, strconv.FormatUint(c.Count, 10), styles[0].print(c.Total), styles[1].print(c.Hypervisor),
		strconv.FormatUint(c.Average, 10), strconv.FormatUint(c.Max, 10)}
	if c.Layout.Line != nil {
		return c.Layout.Line.Place(texts...)
	}
	return fmt.Sprintf("%-22s %11s %14s %13s %10s %11s", texts[0], texts[1], texts[2], texts[3], texts[4], texts[5])
}
