package lsmap

import (
	"fmt"
	"strings"
)

// Format prints a map. Adapters that were not read from a text follow those
// that were, as blocks or delimited lines.
func Format(m *Map) []byte {
	rows := make([]string, 0, len(m.lines))
	for _, l := range m.lines {
		rows = append(rows, m.render(l))
	}
	for i := m.read; i < len(m.Adapters); i++ {
		rows = append(rows, m.fresh(&m.Adapters[i])...)
	}
	return m.layout.Print(len(rows), func(i int) string { return rows[i] })
}

func (m *Map) render(l line) string {
	var b strings.Builder
	for _, p := range l.parts {
		if p.value == nil {
			b.WriteString(p.literal)
			continue
		}
		v, there := m.at(*p.value)
		if !there {
			continue
		}
		if v == "" {
			v = p.empty
		}
		b.WriteString(p.literal + v)
	}
	return l.paint.On(b.String())
}

// fresh prints an adapter in the layout of VIOS 3.1.
func (m *Map) fresh(a *Adapter) []string {
	sea := a.SEA
	if sea == "" && a.NoSEA {
		sea = noSEA
	}
	if m.Delimiter != "" {
		values := []string{a.Name, a.PhysLoc, sea, a.Backing, a.Status, a.BackingLoc}
		for k, v := range values {
			if v == "" {
				values[k] = " "
			}
		}
		return []string{strings.Join(values, m.Delimiter)}
	}
	rows := []string{
		"SVEA   Physloc",
		strings.Repeat("-", 6) + " " + strings.Repeat("-", 44),
		fmt.Sprintf("%-6s %s", a.Name, a.PhysLoc),
		"",
	}
	if a.SEA == "" && a.NoSEA {
		return append(rows, fmt.Sprintf("%-20s%s", "SEA", noSEA), "")
	}
	label := func(label, value string) { rows = append(rows, fmt.Sprintf("%-22s%s", label, value)) }
	label("SEA", a.SEA)
	label("Backing device", a.Backing)
	if a.Status != "" {
		label("Status", a.Status)
	}
	label("Physloc", a.BackingLoc)
	return append(rows, "")
}
