package task

import (
	"strings"
	"unicode"
)

// Comment makes a string fit for one line of a comment or of a message: what
// is not printable, line ends first of all, becomes a question mark.
func Comment(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return '?'
	}, s)
}
