package protocols

import "strings"

// Format prints statistics as AIX does: one TAB per level.
func Format(s *Statistics) []byte {
	var b strings.Builder
	for _, p := range s.Protocols {
		if p.Name != "" {
			b.WriteString(p.Name + ":\n")
		}
		printEntries(&b, p.Entries, "\t")
	}
	return []byte(b.String())
}

func printEntries(b *strings.Builder, entries []*Entry, indent string) {
	for _, e := range entries {
		b.WriteString(indent)
		for i, part := range strings.Split(e.Text, "#") {
			if i > 0 && i <= len(e.Values) {
				b.WriteString(e.Values[i-1].String())
			}
			b.WriteString(part)
		}
		b.WriteString("\n")
		printEntries(b, e.Children, indent+"\t")
	}
}
