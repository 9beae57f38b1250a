package shell

import (
	"regexp"
	"strings"
	"unicode"
)

var plain = regexp.MustCompile(`^[A-Za-z0-9_./:+,=-]+$`)

// Quote makes a string one word of a shell. A string with a NUL byte in it has
// no such form: see Sayable.
func Quote(s string) string {
	if plain.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Sayable says whether a value can stand in a script: a NUL byte cannot.
func Sayable(s string) bool { return !strings.ContainsRune(s, 0) }

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
