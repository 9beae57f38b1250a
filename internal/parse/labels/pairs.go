package labels

import (
	"strings"

	"seaworthy/internal/parse"
)

// Pair is a label with its value.
type Pair struct{ Label, Value string }

// Cut reads a line that is one "Label: value" or "Label   : value".
func Cut(line string) (p Pair, ok bool) {
	label, value, ok := strings.Cut(strings.TrimSpace(line), ":")
	p = Pair{Label: oneBlank(trimRight(label)), Value: trimLeft(value)}
	return p, ok && isLabel(p.Label)
}

// oneBlank writes a label with one blank between its words.
func oneBlank(label string) string {
	if strings.Contains(label, "  ") || strings.IndexByte(label, '\t') >= 0 {
		return strings.Join(strings.Fields(label), " ")
	}
	return label
}

// mostPairs is how many pairs a line holds at most.
const mostPairs = 8

// split cuts a text into its pairs. In two columns a value is a number, which
// says where it ends even if runs of blanks were collapsed.
func split(text string, columns bool) (pairs []Pair, ok bool) {
	if !strings.Contains(text, ":") {
		label, value, ok := strings.Cut(text, " = ")
		ok = ok && isLabel(trimRight(label))
		if !ok {
			return nil, false
		}
		return []Pair{{trimRight(label), trimLeft(value)}}, true
	}
	for text != "" {
		colon := strings.IndexByte(text, ':')
		if text[0] == '[' { // [q-0]: rx_bytes: 5
			if end := strings.Index(text, "]:"); end > 0 {
				if n := strings.IndexByte(text[end+2:], ':'); n >= 0 {
					colon = end + 2 + n
				}
			}
		}
		if colon < 1 || len(pairs) == mostPairs {
			return nil, false
		}
		label := trimRight(text[:colon])
		if !isLabel(label) || len(pairs) > 0 && strings.Contains(label, "  ") {
			return nil, false
		}
		rest := text[colon+1:]
		value := trimLeft(rest)
		end := valueEnd(value, columns || len(rest)-len(value) > 1)
		pairs = append(pairs, Pair{label, trimRight(value[:end])})
		text = value[end:]
	}
	return pairs, len(pairs) > 0
}

// valueEnd is where in a text the next label starts, or its end. A value that
// is apart from its label by more than a blank may be missing.
func valueEnd(value string, missing bool) int {
	colon, last := labelColons(value)
	if colon < 0 {
		return len(value)
	}
	first := strings.IndexAny(value, " \t")
	if first < 0 {
		return 0 // the value is missing: this is the next label
	}
	gap := len(value) - len(trimLeft(value[first:]))
	if numberLike(value[:first]) && (gap-first > 1 || !startsWithDigit(value[gap:])) && last > gap {
		return gap
	}
	for i := first; i < len(value); {
		if !isBlank(value[i]) {
			i++
			continue
		}
		next := len(value) - len(trimLeft(value[i:]))
		if next-i > 1 || value[i] == '\t' {
			if colon < i {
				return 0 // one label more before the gap: this value is missing
			}
			if last > next {
				return next
			}
		}
		i = next
	}
	if missing {
		return 0
	}
	return len(value)
}

// labelColons are the places of the first and the last colon that end a
// label, not those inside an address or a time; -1 if there is none.
func labelColons(text string) (first, last int) {
	first, last = -1, -1
	for i := 1; i < len(text); i++ {
		n := strings.IndexByte(text[i:], ':')
		if n < 0 {
			break
		}
		i += n
		if i+1 == len(text) || isBlank(text[i+1]) {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	return first, last
}

// isLabel refuses what is not the name of anything: too long, not ASCII, no
// letter.
func isLabel(label string) bool {
	if label == "" || len(label) > 100 {
		return false
	}
	c := lower(label[0])
	letter := c >= 'a' && c <= 'z'
	if !letter && !startsWithDigit(label) && strings.IndexByte("[<#", c) < 0 {
		return false
	}
	for i := 0; i < len(label); i++ {
		if label[i] >= 0x80 {
			return false
		}
		c := label[i] | 0x20
		letter = letter || c >= 'a' && c <= 'z'
	}
	return letter
}

func numberLike(word string) bool { return startsWithDigit(strings.TrimPrefix(word, "-")) }

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// numbers reads words that are all counts.
func numbers(text string) (cells []*uint64, ok bool) {
	for word := range strings.FieldsSeq(text) {
		n, ok := parse.Count(word)
		if !ok {
			return nil, false
		}
		cells = append(cells, &n)
	}
	return cells, len(cells) > 0
}
