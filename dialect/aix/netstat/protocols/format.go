package protocols

import "strings"

// Format prints Statistics as Parse read them. New protocols and counters are
// printed as AIX 7.2 does: one TAB per level.
func Format(s *Statistics) []byte {
	var lines []string
	for _, p := range s.Protocols {
		l := p.Layout
		lines = append(lines, l.Before...)
		if l.colon == "" {
			l.colon = ":"
		}
		if p.Name != "" {
			lines = append(lines, l.Lead+p.Name+l.colon+l.Tail)
		}
		lines = printEntries(lines, p.Entries, "\t")
	}
	return s.Layout.Join(lines)
}

func printEntries(lines []string, entries []*Entry, indent string) []string {
	for _, e := range entries {
		l := e.Layout
		if !l.Old {
			l.Lead = indent
		}
		lines = append(lines, l.Before...)
		lines = append(lines, l.Lead+e.body()+l.Tail)
		lines = printEntries(lines, e.Children, l.Lead+"\t")
	}
	return lines
}

// body puts the numbers back into the text; a # without a number stays.
func (e *Entry) body() string {
	var b strings.Builder
	for i, part := range strings.Split(e.Text, "#") {
		switch {
		case i == 0:
		case i-1 < len(e.Values):
			b.WriteString(e.Values[i-1].String())
		default:
			b.WriteByte('#')
		}
		b.WriteString(part)
	}
	return b.String()
}
