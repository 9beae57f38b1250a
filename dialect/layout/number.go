package layout

import (
	"strconv"
	"strings"
)

// Count reads an unsigned number printed without sign, leading zeros or
// separators: exactly those that strconv prints back as they were.
func Count(text string) (uint64, bool) {
	if text == "" || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	n := uint64(0)
	for i := 0; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			return 0, false
		}
		if i == 19 { // the first that might not fit
			n, err := strconv.ParseUint(text, 10, 64)
			return n, err == nil
		}
		n = 10*n + uint64(c)
	}
	return n, true
}

// Decimal is a number with the digits it was printed with.
type Decimal struct {
	Value  float64
	Places int
	Comma  bool // printed with a decimal comma
}

// ParseDecimal reads a number such as 0.30, 98 or, printed under another
// locale, 0,30. One comma before one or two digits can only be a decimal
// comma; 1,000 could be either, so it is refused. Numbers that would not print
// back the same are refused too.
func ParseDecimal(text string) (Decimal, bool) {
	var d Decimal
	plain := text
	if whole, frac, found := strings.Cut(text, ","); found {
		if len(frac) < 1 || len(frac) > 2 || whole == "" || strings.Contains(text, ".") {
			return d, false
		}
		d.Comma = true
		plain = whole + "." + frac
	}
	whole, frac, point := strings.Cut(strings.TrimPrefix(plain, "-"), ".")
	if !isDigits(whole) || point && !isDigits(frac) || whole[0] == '0' && len(whole) > 1 {
		return d, false // would print as another text
	}
	if len(whole)+len(frac) > 15 { // more digits than a float64 holds for certain
		return d, false
	}
	v, err := strconv.ParseFloat(plain, 64)
	d.Value, d.Places = v, len(frac)
	return d, err == nil
}

func isDigits(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// String prints the number as it was printed.
func (d Decimal) String() string {
	s := strconv.FormatFloat(d.Value, 'f', d.Places, 64)
	if d.Comma {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}
