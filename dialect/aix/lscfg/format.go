package lscfg

import (
	"fmt"
	"strings"
)

// Width of a label with its dots.
const labelWidth = 28

// Format prints a list. Resources that were not read from a text follow those
// that were.
func Format(l *List) []byte {
	there := map[*Resource]bool{}
	for _, r := range l.Resources {
		there[r] = true
	}
	var rows []string
	if l.Whole && l.layout.Empty() {
		rows = l.preamble()
	}
	for _, p := range l.lines {
		rows = append(rows, p.paint.On(l.render(p, there[p.of])))
	}
	width := 0
	for _, r := range l.Resources {
		width = max(width, len(r.Location))
	}
	for _, r := range l.Resources {
		if !r.read {
			rows = append(rows, l.fresh(r, width)...)
		}
	}
	return l.layout.Print(len(rows), func(i int) string { return rows[i] })
}

// render prints a line that was read; one of a resource that was taken out is
// blank.
func (l *List) render(p line, there bool) string {
	g := p.gaps
	switch p.kind {
	case architecture:
		return g[0] + "Model Architecture:" + g[1] + l.Architecture + g[2]
	case implementation:
		return g[0] + "Model Implementation:" + g[1] + l.Implementation + g[2]
	}
	if !there {
		return ""
	}
	r := p.of
	switch p.kind {
	case row:
		text, _ := r.halves(int(p.wrap))
		return g[0] + r.Mark + g[1] + r.Name + g[2] + r.Location + g[3] + text + g[4]
	case wrapped:
		_, text := r.halves(int(p.wrap))
		return g[0] + text + g[1]
	case product:
		return g[0] + r.Product + g[1]
	case vpd:
		return g[0] + itemAt(r.VPD, int(p.index), g[1]) + g[2]
	case platform:
		return g[0] + itemAt(r.Platform, int(p.index), g[1]) + g[2]
	}
	return ""
}

// halves cuts a description where its line was cut.
func (r *Resource) halves(at int) (first, second string) {
	if at > 0 && at < len(r.Description) && r.Description[at] == ' ' {
		return r.Description[:at], r.Description[at+1:]
	}
	return r.Description, ""
}

func itemAt(items []Item, i int, between string) string {
	if i >= len(items) {
		return ""
	}
	return items[i].Label + between + items[i].Value
}

func (l *List) preamble() []string {
	return []string{
		"INSTALLED RESOURCE LIST",
		"",
		"The following resources are installed on the machine.",
		"+/- = Added or deleted from Resource List.",
		"*   = Diagnostic support not available.",
		"\t",
		"  Model Architecture: " + l.Architecture,
		"  Model Implementation: " + l.Implementation,
		"\t",
	}
}

// fresh prints a resource in the layout of AIX 7.2.
func (l *List) fresh(r *Resource, width int) []string {
	if l.Whole {
		mark := r.Mark
		if mark == "" {
			mark = "+"
		}
		return []string{fmt.Sprintf("%s %-16s %-*s  %s", mark, r.Name, width, r.Location, r.Description)}
	}
	rows := []string{fmt.Sprintf("  %-16s %s  %s", r.Name, r.Location, r.Description), ""}
	if r.Product != "" {
		rows = append(rows, "      "+r.Product+":")
	}
	for _, v := range r.VPD {
		dots := strings.Repeat(".", max(2, labelWidth-len(v.Label)))
		rows = append(rows, "        "+v.Label+dots+v.Value)
	}
	if len(r.VPD) > 0 {
		rows = append(rows, "")
	}
	if len(r.Platform) > 0 {
		rows = append(rows, "", "  PLATFORM SPECIFIC", "")
		for _, v := range r.Platform {
			indent := "    "
			if v.Label == "Name" {
				indent = "  "
			}
			rows = append(rows, indent+v.Label+":  "+v.Value)
		}
		rows = append(rows, "")
	}
	return rows
}
