package shellword

import (
	"regexp"
	"strings"
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

// Sayable says whether a value can be part of a command line: a NUL byte cannot.
func Sayable(s string) bool { return !strings.ContainsRune(s, 0) }
