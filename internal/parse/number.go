package parse

import (
	"fmt"
	"strconv"
	"strings"
)

// Count reads an unsigned number printed without sign, leading zeros or
// separators.
func Count(text string) (uint64, bool) {
	if text == "" || text[0] < '0' || text[0] > '9' || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil
}

// Decimal reads a number such as 0.30, 98 or, printed under another locale,
// 0,30. One comma before one or two digits can only be a decimal comma; 1,000
// could be either, so it is refused, as are more digits than a float64 holds
// for certain.
func Decimal(text string) (value float64, comma, ok bool) {
	if whole, fraction, found := strings.Cut(text, ","); found {
		if len(fraction) < 1 || len(fraction) > 2 || whole == "" || strings.Contains(text, ".") {
			return 0, false, false
		}
		comma = true
		text = whole + "." + fraction
	}
	whole, fraction, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !digitsOnly(whole) || point && !digitsOnly(fraction) || whole[0] == '0' && len(whole) > 1 || len(whole)+len(fraction) > 15 {
		return 0, false, false
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, comma, err == nil
}

func digitsOnly(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// MAC writes a hardware address as aa:bb:cc:dd:ee:ff; "" if it is none. It may have points for
// colons and no leading zeros, or be twelve digits.
func MAC(text string) string {
	parts := strings.FieldsFunc(text, func(c rune) bool { return c == ':' || c == '.' })
	if len(parts) == 1 && len(text) == 12 {
		parts = []string{text[:2], text[2:4], text[4:6], text[6:8], text[8:10], text[10:]}
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 16, 8)
		if err != nil {
			return ""
		}
		parts[i] = fmt.Sprintf("%02x", n)
	}
	if len(parts) != 6 {
		return ""
	}
	return strings.Join(parts, ":")
}
