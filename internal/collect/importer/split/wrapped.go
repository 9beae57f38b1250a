package split

import (
	"bytes"
	"unicode/utf8"
)

// Widths of terminals, and the longest text in which wrapped lines are looked for.
const (
	narrowest  = 60
	widest     = 250
	mostUnwrap = 256 << 10
)

// unwrapped is a text with the lines put together that a terminal of a fixed width broke: those of the greatest length go on
// in the next. Nil if no two lines have it.
func unwrapped(text []byte) []byte {
	if len(text) > mostUnwrap {
		return nil
	}
	width, full := 0, 0
	for l := range bytes.Lines(text) {
		n := utf8.RuneCount(bytes.TrimRight(l, "\r\n"))
		switch {
		case isRuler(string(l)):
		case n > width:
			width = n
			full = 1
		case n == width:
			full++
		}
	}
	if width < narrowest || width > widest || full < 2 {
		return nil
	}
	out := make([]byte, 0, len(text))
	for l := range bytes.Lines(text) {
		bare := bytes.TrimRight(l, "\r\n")
		if utf8.RuneCount(bare) == width && !isRuler(string(bare)) {
			l = bare
		}
		out = append(out, l...)
	}
	return out
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
