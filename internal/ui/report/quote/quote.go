// Package quote makes texts that hosts printed harmless where they are shown:
// they appear as text, and never control a terminal, open an element or end a
// quotation. What is not to be seen becomes a visible dot.
package quote

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden: a rune controls a terminal, is not to be seen, or turns the order of
// letters round.
func hidden(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// Plain replaces what is hidden.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case hidden(r):
			return '·'
		}
		return r
	}, s)
}

// JSON writes what is hidden in encoded JSON as \u escapes: encoding/json does so with
// C0 only. Such runes occur only in strings; what is decoded stays the same.
func JSON(text []byte) []byte {
	escaped := func(r rune) bool { return r != '\n' && hidden(r) }
	if bytes.IndexFunc(text, escaped) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case !escaped(r):
			out = append(out, text[:n]...)
		case r > 0xffff:
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[n:]
	}
	return out
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
