package split

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Widths of terminals, and the longest text in which wrapped lines are looked for.
const (
	narrowest  = 60
	widest     = 250
	mostUnwrap = 256 << 10
)

// unwrapped is a text with the lines put together that a terminal of a fixed width broke: those of the greatest length go on
// in the next. It says how many were; nil if no two lines have it.
func unwrapped(text []byte) (whole []byte, joined int) {
	if len(text) > mostUnwrap {
		return nil, 0
	}
	lines := split(text)
	bare := func(i int) string { return strings.TrimRight(lines[i], "\r\n") }
	// A line above a prompt ends there, however long it is.
	ends := func(i int) bool {
		return bare(i) == "" || isRuler(bare(i)) || i+1 < len(lines) && isPrompt(body(lines[i+1]))
	}
	width, full := 0, 0
	for i := range lines {
		n := utf8.RuneCountInString(bare(i))
		switch {
		case n < width, ends(i):
		case n > width:
			width = n
			full = 1
		default:
			full++
		}
	}
	if width < narrowest || width > widest || full < 2 {
		return nil, 0
	}
	var out strings.Builder
	out.Grow(len(text))
	for i, l := range lines {
		if utf8.RuneCountInString(bare(i)) == width && !ends(i) {
			l = bare(i)
		}
		out.WriteString(l)
	}
	return []byte(out.String()), full
}

// Of a line that a mail program broke at a blank, the rest is short, and stands below a long one.
const (
	shortestFolded = 34
	longestRest    = 24
	mostRestWords  = 3
)

// unfolded is a text with the rests of lines put behind those from which a mail program took them. It says how many were; nil if none was.
func unfolded(text []byte) (whole []byte, joined int) {
	if len(text) > mostUnwrap {
		return nil, 0
	}
	var out []string
	for _, l := range split(text) {
		b := body(l)
		last := len(out) - 1
		isRest := b != "" && len(b) <= longestRest && b[0] != ' ' && b[0] != '\t' && len(strings.Fields(b)) <= mostRestWords
		isRest = isRest && last >= 0 && len(body(out[last])) >= shortestFolded && !isRuler(body(out[last]))
		isRest = isRest && (unicode.IsLetter(rune(b[0])) || unicode.IsDigit(rune(b[0]))) && deviceTitle(b) == ""
		if isRest && !isRuler(b) && !isPrompt(b) && commandOf(b) == "" {
			out[last] = body(out[last]) + " " + l
			joined++
			continue
		}
		out = append(out, l)
	}
	if joined == 0 {
		return nil, 0
	}
	return []byte(strings.Join(out, "")), joined
}

// filled counts the lines of a text that are not blank.
func filled(text []byte) (n int) {
	for l := range bytes.Lines(text) {
		if len(bytes.TrimSpace(l)) > 0 {
			n++
		}
	}
	return n
}
