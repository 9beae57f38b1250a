// Package quote makes texts that hosts printed harmless where they are shown:
// they appear as text, and never control a terminal, open an element or end a
// quotation. What is not to be seen becomes a visible dot.
package quote

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
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

// Markdown is a text within a paragraph or a cell of CommonMark in which nothing is
// markup: no emphasis, link, code, entity, element or cell of a table begins in it.
func Markdown(s string) string {
	s = Plain(s)
	var b strings.Builder
	for i, r := range s {
		if strings.ContainsRune("\\`*[]<>&|~", r) || r == '_' && !withinWord(s, i) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return bareLinks.Replace(b.String())
}

// withinWord reports whether the underscore at a place has letters or digits on both
// sides: it is not a markup then.
func withinWord(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at+1:])
	word := func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	return word(before) && word(after)
}

// MarkdownStart makes what Markdown returned fit to begin a paragraph or an item:
// neither a heading nor a list begins with it.
func MarkdownStart(s string) string { return blockStart.ReplaceAllString(s, `$1\$2`) }

// blockStart holds what begins a heading, a list or a line: blanks and digits, and the mark.
var blockStart = regexp.MustCompile(`^( *(?:\d+)?)([.)#+=-])`)

// bareLinks hold what GitHub makes links of without any markup.
var bareLinks = strings.NewReplacer("://", `\://`, "www.", `www\.`)

// MarkdownCode is a text as code, between more backquotes than it has in a row.
func MarkdownCode(s string) string {
	s = Plain(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// CSV is a field that a spreadsheet takes as a text, never as a formula. An unknown
// value, a dash, is an empty field. encoding/csv adds the quotes.
func CSV(s string) string {
	s = Plain(s)
	switch {
	case s == "-":
		return ""
	case formula.MatchString(s) && !plainNumber.MatchString(s):
		return "'" + s
	}
	return s
}

// CSVNumber is CSV for a number as people read it: −1 234.5 and +42 % become -1234.5 and
// 42%. A text with numbers in it, such as an interval, only loses its plus signs.
func CSVNumber(s string) string {
	if shownNumber.MatchString(s) {
		return strings.NewReplacer("−", "-", "+", "", "±", "", " ", "").Replace(s)
	}
	return CSV(plusSign.ReplaceAllString(s, "$1$2"))
}

var (
	// formula holds what spreadsheets take for one, behind blanks too.
	formula     = regexp.MustCompile(`^\s*[=+\-@＝＋－＠]`)
	plainNumber = regexp.MustCompile(`^-?\d+(\.\d+)?$`)
	shownNumber = regexp.MustCompile(`^[+−±-]?\d+( \d{3})*(\.\d+)?( %)?$`)
	plusSign    = regexp.MustCompile(`(^| )\+(\d)`)
)
