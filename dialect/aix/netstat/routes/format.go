package routes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Format prints a Table as Parse read it. A table without layout is printed as
// AIX 7.2 prints netstat -rn.
func Format(t *Table) []byte {
	lines := append([]string(nil), t.Layout.Before...)
	fields := t.Layout.fields
	if fields == nil {
		fields = fieldsOf(t.Columns)
	}
	if fields == nil {
		fields = fieldsOf(standard)
	}
	if t.Layout.Heading != nil {
		lines = append(lines, t.Layout.Heading.Place(t.Columns...))
	} else if t.Columns != nil {
		lines = append(lines, "Routing tables", freshHeading(fields, t.Columns))
	}
	for _, f := range t.Families {
		l := f.Layout
		if l.Trail == "" && !l.Nameless {
			l = FamilyLayout{Before: []string{""}, Lead: "Route Tree for Protocol Family ", Gap: " (", Trail: "):"}
		}
		if !l.Nameless {
			lines = append(lines, l.Before...)
			lines = append(lines, l.Lead+strconv.FormatUint(f.Number, 10)+l.Gap+f.Name+l.Trail)
		}
		for _, r := range f.Routes {
			lines = append(lines, r.Layout.Before...)
			texts := r.texts(fields)
			if r.Layout.Line != nil {
				lines = append(lines, r.Layout.Line.Place(texts...))
			} else {
				lines = append(lines, freshRow(fields, texts))
			}
		}
	}
	return t.Layout.Join(lines)
}

func (r *Route) texts(fields []field) []string {
	out := make([]string, 0, len(fields)+1)
	others := r.Others
	for _, f := range fields {
		text := ""
		switch f {
		case destination:
			text = r.Destination
		case gateway:
			text = r.Gateway
		case flags:
			text = r.Flags
		case refs:
			text = number(r.Refs)
		case use:
			text = number(r.Use)
		case ifname:
			text = r.Interface
		case pmtu:
			text = number(r.PMTU)
		case expires:
			text = number(r.Expires)
		case groups:
			text = r.Groups
		default:
			if len(others) > 0 {
				text, others = others[0], others[1:]
			}
		}
		if text == "" && f != gateway {
			text = "-"
		}
		out = append(out, text)
	}
	if r.Same {
		out = append(out, "=>")
	}
	return out
}

func number(n *uint64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatUint(*n, 10)
}

// widths of AIX 7.2; a negative one is left-aligned.
var widths = map[field]int{
	destination: -18, gateway: -17, flags: -6, refs: 4, use: 9, ifname: -4, pmtu: 5, expires: 5, groups: 6, other: 6,
}

// freshHeading is AIX 7.2's own, whose words do not stand quite above the
// columns; with other columns they do.
func freshHeading(fields []field, columns []string) string {
	if slices.Equal(columns, standard) {
		return "Destination        Gateway           Flags   Refs     Use  If   Exp  Groups"
	}
	return freshRow(fields, columns)
}

func freshRow(fields []field, texts []string) string {
	var b strings.Builder
	for i, text := range texts {
		width := 0
		if i < len(fields) {
			width = widths[fields[i]]
		} else {
			b.WriteString("  ") // the mark => behind the groups
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%*s", width, text)
	}
	return strings.TrimRight(b.String(), " ")
}
