package no

import (
	"math/bits"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Value is a tunable's value as AIX spells it: 262144, 256K, 64K-1, {all}, n/a.
type Value string

const units = "KMGTPE" // 2^10, 2^20, ... as the legend of no -L says

// Uint is the number a value stands for: 64K-1 is 65535. Lists, n/a and empty
// values are no numbers.
func (v Value) Uint() (n uint64, ok bool) {
	unit, sign, d := "", "", uint64(0)
	if !number.Scan(string(v), &n, &unit, &sign, &d) {
		return 0, false
	}
	shift := 0
	if unit != "" {
		shift = 10 * (strings.Index(units, unit) + 1)
	}
	whole := n << shift
	switch {
	case bits.Len64(n)+shift > 64, sign == "-" && d > whole, sign == "+" && whole+d < whole:
		return 0, false
	case sign == "-":
		return whole - d, true
	}
	return whole + d, true
}

var number = parse.Lazy(`^(\d+)([KMGTPE]?)(?:([+-])(\d+))?$`)

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
