// Package typeset measures texts of pictures before a browser sets them: as wide
// as the widest common sans-serif font would, so that nothing runs over.
package typeset

import (
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"

	"seaworthy/internal/ui/report/quote"
)

// Width is how wide a text of a font size is at most, both in px.
func Width(s string, size float64, bold bool) float64 {
	em := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune(" .,:;'!|iljt()[]/", r):
			em += 0.36
		case strings.ContainsRune("mwMW@%→…—", r):
			em += 1.02
		case r > unicode.MaxLatin1:
			em += max(0.8, 1.05*float64(lipgloss.Width(string(r))))
		case unicode.IsUpper(r):
			em += 0.74
		default:
			em += 0.65
		}
	}
	if bold {
		em *= 1.1
	}
	return em * size
}

// Cut shortens a text to a width in px.
func Cut(s string, room, size float64, bold bool) string {
	if Width(s, size, bold) <= room {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && Width(string(r)+"…", size, bold) > room {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// Fold breaks a text into lines of a width in px.
func Fold(s string, room, size float64) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(quote.Plain(s)) {
		if line != "" && Width(line+" "+word, size, false) > room {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
