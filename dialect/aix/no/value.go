package no

import (
	"math/bits"
	"strconv"
	"strings"
)

// Value is a tunable's value as AIX spells it: 262144, 256K, 64K-1, {all}, n/a.
type Value string

const units = "KMGTPE" // 2^10, 2^20, ... as the legend of no -L says

// Uint is the number a value stands for: 64K-1 is 65535. Lists, n/a and empty
// values are no numbers.
func (v Value) Uint() (n uint64, ok bool) {
	text := string(v)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseUint(text[:digits], 10, 64)
	if err != nil {
		return 0, false
	}
	text = text[digits:]
	if text != "" {
		if i := strings.IndexByte(units, text[0]); i >= 0 {
			shift := 10 * (i + 1)
			if bits.Len64(n)+shift > 64 {
				return 0, false
			}
			n <<= shift
			text = text[1:]
		}
	}
	if text == "" {
		return n, true
	}
	d, err := strconv.ParseUint(text[1:], 10, 64)
	switch {
	case err != nil:
		return 0, false
	case text[0] == '+' && n+d >= n:
		return n + d, true
	case text[0] == '-' && d <= n:
		return n - d, true
	}
	return 0, false
}

// Short spells a number as the table of no -L does: 262144 is 256K, 65535 is
// 64K-1.
func Short(n uint64) Value {
	for _, d := range []struct {
		whole uint64
		sign  string
	}{{n, ""}, {n + 1, "-1"}, {n - 1, "+1"}} {
		if d.whole < 1024 || d.whole%1024 != 0 {
			continue
		}
		i := 0
		for d.whole >= 1024 && d.whole%1024 == 0 && i < len(units) {
			d.whole /= 1024
			i++
		}
		return Value(strconv.FormatUint(d.whole, 10) + units[i-1:i] + d.sign)
	}
	return Value(strconv.FormatUint(n, 10))
}

// text is the value as printed, nothing where there is none.
func (v *Value) text() string {
	if v == nil {
		return ""
	}
	return string(*v)
}
