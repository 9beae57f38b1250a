package split

import (
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// titleLine is a heading in words, of any language: "*** IP interfaces and addresses:", "=== Schnittstellen ===",
// "## Statistiques".
var titleLine = parse.Lazy(`^[ \t]*(?:\*{2,}|={2,}|#{2,}|-{2,}|~{2,}|\+{2,}|>{2,})[ \t]*([\pL\d][^=*#<>]*?)[ \t]*:?` +
	`[ \t]*(?:\*{2,}|={2,}|#{2,}|-{2,}|~{2,}|\+{2,}|<{2,})?$`)

// titled takes apart a text at headings in words, and says how many kinds of output that are known are below them.
func titled(lines []string) (c *Cut, kinds int) {
	var marks []mark
	for i, l := range lines {
		b := body(l)
		if len(b) > 120 || !strings.ContainsAny(b, "*=#~+>-") {
			continue
		}
		if m := titleLine.FindStringSubmatch(b); m != nil {
			marks = append(marks, mark{i, i + 1, Piece{Title: m[1]}})
		}
	}
	c = cutAt(Headings, lines, marks)
	if c == nil || len(c.Pieces) > maxPieces {
		return nil, 0
	}
	known := map[string]bool{}
	for _, p := range c.Pieces {
		if p.Title == "" {
			continue
		}
		if f, ok := detect.Text(p.Text, detect.Hint{}); ok {
			known[f.ID] = true
		}
	}
	return c, len(known)
}
