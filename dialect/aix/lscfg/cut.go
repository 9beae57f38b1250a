package lscfg

import (
	"strings"
	"unicode/utf8"

	"seaworthy/dialect"
)

const space = " \t\n\f\r"

// match matches a text against a pattern if it is worth a try.
func match(p *dialect.Pattern, text string, worth bool) []string {
	if !worth {
		return nil
	}
	return p.FindStringSubmatch(text)
}

// mayBeFixed sorts out most lines before the costly check.
func mayBeFixed(text string) bool {
	text = strings.TrimLeft(text, space)
	for _, start := range []string{"INSTALLED", "The following", "DEVICE", "PLATFORM"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return strings.Contains(text, "Added or deleted from") || strings.Contains(text, "Diagnostic support not")
}

// cutVPD cuts a line of vital product data: "   Label.....value". The gaps are
// what stands before the label, between the two, and after.
func cutVPD(text string) (label, value string, gaps [5]string, ok bool) {
	body := strings.TrimLeft(text, space)
	gaps[0] = text[:len(text)-len(body)]
	dots := strings.Index(body, "..")
	if gaps[0] == "" || dots < 1 || !letter(body[0]) || strings.IndexByte(body[:dots], ':') >= 0 {
		return "", "", gaps, false
	}
	rest := strings.TrimLeft(body[dots:], ".")
	gaps[1] = body[dots : len(body)-len(rest)]
	value = strings.TrimRight(rest, space)
	if value == "" && rest != "" {
		value = rest[:1] // a blank value is one blank
	}
	gaps[2] = rest[len(value):]
	return body[:dots], value, gaps, true
}

// setIn sorts out lines that start at the margin, as nearly all rows do.
func setIn(text string) bool { return text != "" && (text[0] == ' ' || text[0] == '\t') }

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// cells are the words of a line that names a resource, and the blanks around.
type cells struct{ lead, mark, after, name, gap, rest, tail string }

// cutRow cuts a line with a mark and a name, or a name alone, and more behind.
func cutRow(text string) (cells, bool) {
	body := strings.TrimLeft(text, " \t")
	lead := text[:len(text)-len(body)]
	if r, n := utf8.DecodeRuneInString(body); n > 0 && !strings.ContainsRune(space, r) && n < len(body) && (body[n] == ' ' || body[n] == '\t') {
		named := strings.TrimLeft(body[n:], " \t")
		if c, ok := cutName(named); ok {
			c.lead, c.mark, c.after = lead, body[:n], body[n:len(body)-len(named)]
			return c, true
		}
	}
	c, ok := cutName(body)
	c.lead = lead
	return c, ok
}

func cutName(text string) (c cells, ok bool) {
	n := 0
	for n < len(text) && (letter(text[n]) || n > 0 && (text[n] >= '0' && text[n] <= '9' || strings.IndexByte("_.:/-", text[n]) >= 0)) {
		n++
	}
	rest := strings.TrimLeft(text[n:], " \t")
	if n == 0 || rest == "" || len(rest) == len(text)-n || strings.IndexByte(space, rest[0]) >= 0 {
		return c, false
	}
	c.name, c.gap = text[:n], text[n:len(text)-len(rest)]
	c.rest = strings.TrimRight(rest, " \t\r")
	c.tail = rest[len(c.rest):]
	return c, true
}

// isLocation tells a word that can only be a location code: U9105.22A.10ABCDE-P1-C3,
// 00-08, P1-C3-T1 or U1/..., or an address behind a name and a colon.
func isLocation(word string) bool {
	if word == "" || strings.ContainsAny(word, space) {
		return false
	}
	c, rest := word[0], word[1:]
	if c == 'U' {
		if n := run(rest, alphanumeric); n > 0 && n < len(rest) && (rest[n] == '.' || rest[n] == '-') {
			return true
		}
	}
	if len(word) >= 5 && run(word, capital) == 2 && word[2] == '-' && run(word[3:], capital) >= 2 {
		if len(word) == 5 || len(word) > 6 && word[5] == '-' {
			return true
		}
	}
	if (c == 'P' || c == 'U') && rest != "" && digit(rest[0]) {
		n := 1 + run(rest[1:], func(c byte) bool { return wordByte(c) || c == '.' })
		if n+1 < len(rest) && (rest[n] == '-' || rest[n] == '/') {
			return true
		}
	}
	if !wordByte(c) {
		return false
	}
	n := run(rest, func(c byte) bool { return wordByte(c) || c == '.' || c == '-' })
	return n+1 < len(rest) && rest[n] == ':' && (rest[n+1] == ':' || rest[n+1] == '.' || hexadecimal(rest[n+1]))
}

// run is how many of the first bytes of a text are of a kind.
func run(text string, ok func(c byte) bool) int {
	n := 0
	for n < len(text) && ok(text[n]) {
		n++
	}
	return n
}

func digit(c byte) bool        { return c >= '0' && c <= '9' }
func capital(c byte) bool      { return digit(c) || c >= 'A' && c <= 'Z' }
func alphanumeric(c byte) bool { return digit(c) || letter(c) }
func wordByte(c byte) bool     { return alphanumeric(c) || c == '_' }
func hexadecimal(c byte) bool  { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
