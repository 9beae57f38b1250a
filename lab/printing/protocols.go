package printing

import (
	"strings"

	"seaworthy/internal/parse/aix/netstat/protocols"
)

// FormatProtocols prints statistics as AIX does: one TAB per level.
func FormatProtocols(s *protocols.Statistics) []byte {
	var b strings.Builder
	for _, p := range s.Protocols {
		if p.Name != "" {
			b.WriteString(p.Name + ":\n")
		}
		writeEntries(&b, p.Entries, "\t")
	}
	return []byte(b.String())
}

func writeEntries(b *strings.Builder, entries []*protocols.Entry, indent string) {
	for _, e := range entries {
		b.WriteString(indent)
		for i, part := range strings.Split(e.Text, "#") {
			if i > 0 && i <= len(e.Values) {
				b.WriteString(e.Values[i-1].String())
			}
			b.WriteString(part)
		}
		b.WriteString("\n")
		writeEntries(b, e.Children, indent+"\t")
	}
}
