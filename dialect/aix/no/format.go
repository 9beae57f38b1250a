package no

import (
	"fmt"
	"strings"
)

var dashes = strings.Repeat("-", 80)

// Format prints Tunables as Parse read them. Tunables without layout are
// printed in the form of Layout.Form, as AIX 7.2 does.
func Format(t *Tunables) []byte {
	var lines []string
	section, restricted, open := "", false, false
	for _, x := range t.Tunables {
		if x.Layout.Line == nil && t.Layout.Form == List {
			if !open || x.Section != section {
				lines = append(lines, freshHead(x.Section, len(lines) > 0)...)
				restricted = false
			}
			if x.Restricted && !restricted {
				lines = append(lines, restrictedMark)
			}
		}
		section, restricted, open = x.Section, x.Restricted, true
		lines = append(lines, x.Layout.Before...)
		lines = append(lines, x.row(t.Layout.Form)...)
		for _, d := range x.DependsOn {
			if d.Layout.Line == nil && t.Layout.Form != List {
				continue
			}
			lines = append(lines, d.Layout.Before...)
			if d.Layout.Line != nil {
				lines = append(lines, d.Layout.Line.Place(d.Name))
			} else {
				lines = append(lines, "     "+d.Name)
			}
		}
		if x.Layout.Line == nil && t.Layout.Form == List {
			lines = append(lines, dashes)
		}
	}
	return t.Layout.Join(lines)
}

func freshHead(section string, more bool) []string {
	var lines []string
	if more {
		lines = append(lines, "")
	}
	if section != "" {
		lines = append(lines, section)
	}
	return append(lines, dashes,
		"NAME                      CUR    DEF    BOOT   MIN    MAX    UNIT           TYPE",
		"     DEPENDENCIES", dashes)
}

func (x *Tunable) row(form Form) []string {
	l := x.Layout
	switch {
	case l.columns != nil:
		texts := x.texts(l.columns)
		if l.Wrapped != nil {
			return []string{l.Wrapped.Place(x.Name), l.Line.Place(texts...)}
		}
		return []string{l.Line.Place(texts...)}
	case l.Line != nil:
		head := *l.Line
		head.Tail = ""
		return []string{head.Place(x.Name) + l.sign + text(x.Current) + l.Line.Tail}
	case form == Named:
		return []string{x.Name + " = " + plain(x.Current)}
	case form == All:
		return []string{fmt.Sprintf("%25s = %s", x.Name, plain(x.Current))}
	}
	t := x.texts(standard)
	for i := range t[1:6] {
		t[i+1] = short(t[i+1])
	}
	rest := fmt.Sprintf("%-6s %-6s %-6s %-6s %-6s %-14s %4s", t[1], t[2], t[3], t[4], t[5], t[6], t[7])
	if len(x.Name) > 25 {
		return []string{x.Name, strings.Repeat(" ", 26) + rest}
	}
	return []string{fmt.Sprintf("%-25s ", x.Name) + rest}
}

func (x *Tunable) texts(columns []column) []string {
	var out []string
	others := x.Others
	for _, c := range columns {
		s := ""
		switch {
		case c == name:
			s = x.Name
		case x.value(c) != nil:
			s = text(*x.value(c))
		case c == unit:
			s = x.Unit
		case c == kind:
			s = x.Type
		case len(others) > 0:
			s, others = others[0], others[1:]
		}
		out = append(out, s)
	}
	return out
}

func text(v *Value) string {
	if v == nil {
		return ""
	}
	return string(*v)
}

// plain and short spell a new value as the form does; a parsed one keeps its
// own spelling.
func plain(v *Value) string {
	if v != nil {
		if n, ok := v.Uint(); ok {
			return string(Plain(n))
		}
	}
	return text(v)
}

func short(text string) string {
	if n, ok := Value(text).Uint(); ok {
		return string(Short(n))
	}
	return text
}
