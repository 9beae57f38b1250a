package split

import (
	"strings"
	"unicode"

	"seaworthy/internal/parse"
)

// longestTitle is how long a heading in words may be, in bytes.
const longestTitle = 80

// isUnderline reports whether the line below a line is a ruler of about its length.
func isUnderline(lines []string, i int) bool {
	if i+1 >= len(lines) || !isRuler(body(lines[i+1])) {
		return false
	}
	by := len(strings.TrimSpace(body(lines[i+1]))) - len(strings.TrimSpace(body(lines[i])))
	return by >= -2 && by <= 2
}

// underlined is the heading in words at a line: one with a blank line above it and a ruler of its length below, as reports
// have it. Empty if there is none. A colon at its end makes it a part of an output: "General Statistics:" of entstat.
func underlined(lines []string, i int) string {
	b := strings.TrimSpace(body(lines[i]))
	switch {
	case b == "", len(b) > longestTitle, strings.HasSuffix(b, ":"), !strings.ContainsFunc(b, unicode.IsLetter), !isUnderline(lines, i):
		return ""
	case i > 0 && strings.TrimSpace(lines[i-1]) != "" && !isRuler(body(lines[i-1])):
		return ""
	}
	return b
}

// underlines parts a text at the headings with a ruler below them.
func underlines(lines []string) *Cut {
	var marks []mark
	for i := range lines {
		if heading := underlined(lines, i); heading != "" {
			marks = append(marks, mark{i, i + 2, Piece{Title: heading}})
		}
	}
	return cutAt(Headings, lines, marks)
}

// hostLine is a line that says of which host all that follows is.
var hostLine = parse.Lazy(`(?m)^[ \t]*(?i:host(?: ?name)?|node ?name|server)[ \t]*[:=][ \t]*["']?([A-Za-z0-9][\w.-]*)["']?[ \t\r]*$`)

// introduced is the host that a report names before its first heading, or a monitoring agent in the section about itself. The
// words before the first heading are marked.
func introduced(c *Cut) string {
	for i, p := range c.Pieces {
		first := c.Form == Headings && i == 0 && p.Command == "" && p.Title == ""
		if first || c.Form == Agent && p.Title == "check_mk" {
			if m := hostLine.FindStringSubmatch(string(p.Text)); m != nil {
				c.Pieces[i].Preface = first
				return m[1]
			}
		}
	}
	return ""
}
