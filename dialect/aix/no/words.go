package no

import (
	"strings"

	"seaworthy/dialect"
)

// isIdent tells a tunable's name; vmo, which prints the same table, has
// maxperm%.
func isIdent(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '_' || c == '%' || c == '.' || c == '-')) {
			return false
		}
	}
	return s != ""
}

// isRuler knows a line of dashes. nmon saves the line end before a ruler as
// the letter n.
func isRuler(body string) bool {
	body = strings.TrimPrefix(body, "n")
	return len(body) >= 5 && strings.Trim(body, "-") == ""
}

var legend = dialect.Lazy(`^([A-Za-z] = [A-Za-z]+:.*|[A-Z][a-z]+( [a-z]+)*:|n/a means .*)$`)

const blanks = " \t\n\f\r"

// cutAssign cuts "name = value", with the sign and the gap before the value.
func cutAssign(body string) (name, sign, gap, value string, ok bool) {
	before, after, ok := strings.Cut(body, "=")
	name = strings.TrimRight(before, blanks)
	if !ok || len(name) < 2 || !isIdent(name) {
		return "", "", "", "", false
	}
	value = strings.TrimLeft(after, blanks)
	return name, body[len(name) : len(before)+1], after[:len(after)-len(value)], value, true
}

// isLegend sorts out most lines before the costly check: all of the legend's
// have a colon, or explain n/a.
func isLegend(body string) bool {
	return (strings.IndexByte(body, ':') >= 0 || strings.HasPrefix(body, "n/a")) && legend.MatchString(body)
}

// isValue tells a number with its unit, a list in braces, n/a, or UNSET.
func isValue(s string) bool {
	switch {
	case s == "n/a" || s == "-" || s == "UNSET":
		return true
	case len(s) > 1 && s[0] == '{':
		return s[len(s)-1] == '}' && strings.IndexByte(s, '\n') < 0
	}
	rest, some := digits(strings.TrimPrefix(s, "-"))
	if !some {
		return false
	}
	if rest != "" && strings.IndexByte(units, rest[0]) >= 0 {
		rest = rest[1:]
	}
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		if rest, some = digits(rest[1:]); !some {
			return false
		}
	}
	return rest == ""
}

// digits takes the digits a text begins with.
func digits(s string) (rest string, some bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[n:], n > 0
}
