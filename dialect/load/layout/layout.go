// Package layout remembers where the values of a line stood, so that a codec
// prints a parsed line back as it was: the text between the values, and how
// many decimals a number had.
package layout

import (
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// Gaps are the pieces of a line around its values: one more than values.
type Gaps []string

// Cut matches a line against an expression whose groups are the values, none
// inside another. Optional groups that took no part give an empty value.
func Cut(p *dialect.Pattern, line string) (values []string, gaps Gaps, ok bool) {
	m := p.Regexp().FindStringSubmatchIndex(line)
	if m == nil {
		return nil, nil, false
	}
	last := 0
	for i := 2; i < len(m); i += 2 {
		start, end := m[i], m[i+1]
		if start < 0 {
			start, end = last, last
		}
		values = append(values, line[start:end])
		gaps = append(gaps, line[last:start])
		last = end
	}
	return values, append(gaps, line[last:]), true
}

// Join puts values back between the gaps.
func (g Gaps) Join(values ...string) string {
	var b strings.Builder
	for i, v := range values {
		b.WriteString(g[i])
		b.WriteString(v)
	}
	b.WriteString(g[len(values)])
	return b.String()
}

// Number is a decimal number as it was printed.
type Number struct {
	Value    float64
	Decimals int
}

// ParseNumber reads digits with an optional fraction; anything else (inf, nan,
// an exponent) is no number of a report.
func ParseNumber(s string) (Number, bool) {
	for _, c := range s {
		if (c < '0' || c > '9') && c != '.' {
			return Number{}, false
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return Number{}, false
	}
	_, fraction, _ := strings.Cut(s, ".")
	n := Number{Value: v, Decimals: len(fraction)}
	return n, n.String() == s // what would not print back is left to the caller to keep as text
}

// String prints the number with its decimals.
func (n Number) String() string { return strconv.FormatFloat(n.Value, 'f', n.Decimals, 64) }
