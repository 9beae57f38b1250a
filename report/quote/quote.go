package quote

import (
	"html"
	"strconv"
	"strings"
	"unicode"
)

// Plain replaces what controls a terminal, is not to be seen, or turns the
// order of letters round.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return '·'
		}
		return r
	}, s)
}

// XML is a text for an element or a quoted attribute of XML, SVG or HTML.
func XML(s string) string { return html.EscapeString(Plain(s)) }

// DOT is a quoted string of Graphviz; lines stay lines.
func DOT(s string) string {
	return `"` + lines(s, `\n`, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace) + `"`
}

// Mermaid is a quoted label of Mermaid, which reads entities with a number sign
// and some HTML and Markdown: all but letters, digits and some marks becomes one.
func Mermaid(s string) string {
	return `"` + lines(s, "<br>", func(line string) string {
		var b strings.Builder
		for _, r := range line {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" .,:/()+-=%→·×", r) {
				b.WriteRune(r)
				continue
			}
			b.WriteString("#" + strconv.Itoa(int(r)) + ";")
		}
		return b.String()
	}) + `"`
}

func lines(s, join string, escape func(string) string) string {
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		out = append(out, escape(Plain(l)))
	}
	return strings.Join(out, join)
}
