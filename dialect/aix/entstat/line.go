package entstat

import (
	"strings"

	"seaworthy/dialect"
)

// line is an input line with the part of it that is its text: without the
// blanks and escapes at either end.
type line struct {
	raw    string // whole, without the line end
	plain  string // raw without the escapes inside its text
	text   string
	at     int  // where in plain the text starts
	indent int  // columns, a TAB reaching to the next multiple of 8
	number int  // 1-based
	last   bool // the text ends in this line, without a line end
}

// end is where in plain the text ends.
func (l *line) end() int { return l.at + len(l.text) }

// tail is the blanks and escapes after the text.
func (l *line) tail() string { return l.plain[l.end():] }

// cut takes a line apart. Blanks are spaces, TABs and carriage returns;
// terminal escapes at either end count as blanks without width.
func cut(raw string) line {
	l := line{raw: raw, plain: raw}
	i := 0
	for i < len(raw) {
		if raw[i] == ' ' {
			l.indent++
			i++
		} else if raw[i] == '\t' {
			l.indent += 8 - l.indent%8
			i++
		} else if n := escape(raw[i:]); n > 0 {
			i += n
		} else {
			break
		}
	}
	j := len(raw)
	for j > i && (raw[j-1] == ' ' || raw[j-1] == '\t' || raw[j-1] == '\r') {
		j--
	}
	l.at, l.text = i, raw[i:j]
	if strings.IndexByte(l.text, 0x1b) < 0 {
		return l
	}
	j = beforeEscapes(raw, i, j)
	l.text = dialect.StripEscapes(raw[i:j])
	l.plain = raw[:i] + l.text + raw[j:]
	return l
}

// beforeEscapes is where the text ends if only escapes and blanks follow.
func beforeEscapes(raw string, from, to int) int {
	for k := from; k < to; k++ {
		n := escape(raw[k:])
		if n == 0 {
			continue
		}
		rest := k
		for rest < to {
			if m := escape(raw[rest:]); m > 0 {
				rest += m
			} else if isBlank(raw[rest]) || raw[rest] == '\r' {
				rest++
			} else {
				break
			}
		}
		if rest >= to {
			for k > from && isBlank(raw[k-1]) {
				k--
			}
			return k
		}
		k = rest - 1
	}
	return to
}

// escape is the length of the terminal escape sequence that s starts with.
func escape(s string) int {
	if len(s) < 3 || s[0] != 0x1b || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		c := s[i]
		if c >= '0' && c <= '9' || c == ';' || c == '?' {
			continue
		}
		if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			return i + 1
		}
		return 0
	}
	return 0
}

// trimLeft and trimRight cut spaces and TABs off a text.
func trimLeft(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func trimRight(s string) string {
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isRule tells a line drawn under or above something: ---- or ====, in one
// piece or, under two columns, in two.
func isRule(text string) bool {
	if text[0] != '-' && text[0] != '=' || len(text) < 3 {
		return false
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '-' && text[i] != '=' && !isBlank(text[i]) {
			return false
		}
	}
	return true
}

// printable refuses control characters: such a line is damage.
func printable(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// sameLabel compares labels as the field reads them: case, runs of blanks and
// a blank before the end do not matter.
func sameLabel(a, b string) bool {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x, y := lower(a[i]), lower(b[j])
		if isBlank(x) && isBlank(y) {
			for i < len(a) && isBlank(a[i]) {
				i++
			}
			for j < len(b) && isBlank(b[j]) {
				j++
			}
			continue
		}
		if x != y {
			return false
		}
		i++
		j++
	}
	return trimRight(a[i:]) == "" && trimRight(b[j:]) == ""
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && lower(s[0]) == lower(prefix[0]) && strings.EqualFold(s[:len(prefix)], prefix)
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && lower(s[len(s)-1]) == lower(suffix[len(suffix)-1]) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
