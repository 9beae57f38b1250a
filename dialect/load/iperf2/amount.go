package iperf2

import (
	"fmt"
	"math"
	"strings"
)

// Amount is a number with its unit: "965 KByte", "4.80 Gbits/sec".
type Amount struct {
	Value float64
	Unit  string
}

const (
	kibi     = 1024.0
	kilo     = 1000.0
	prefixes = " KMGT" // by their power
)

// Style is what -f asks for: k, m, g, t in bits, K, M, G, T in Bytes, 0 or 'a'
// for the unit that suits the value.
type Style byte

func (s Style) power() int {
	return max(strings.IndexByte(prefixes, strings.ToUpper(string(s))[0]), -1)
}

// Check says whether iperf knows the style.
func (s Style) Check() error {
	if s.power() < 1 && s != 0 && s != 'a' && s != 'A' {
		return fmt.Errorf("format %q is none of k m g t K M G T a", byte(s))
	}
	return nil
}

// Transfer makes a transfer of bytes in a style.
func Transfer(bytes float64, s Style) Amount { return amount(bytes, kibi, s.power(), "Bytes") }

// WindowSize makes a window size; iperf writes its unit without s.
func WindowSize(bytes int) Amount { return amount(float64(bytes), kibi, -1, "Byte") }

// Bandwidth makes a bandwidth of bit/s in a style.
func Bandwidth(bitsPerSecond float64, s Style) Amount {
	if s >= 'A' && s <= 'Z' {
		return amount(bitsPerSecond/8, kibi, s.power(), "Bytes/sec")
	}
	return amount(bitsPerSecond, kilo, s.power(), "bits/sec")
}

// amount scales a value to a power of its step, or to the largest that leaves
// at least 1.
func amount(v, step float64, power int, unit string) Amount {
	if power > 0 {
		v /= math.Pow(step, float64(power))
	} else {
		for power = 0; v >= step && power < len(prefixes)-1; power++ {
			v /= step
		}
	}
	return Amount{Value: v, Unit: strings.TrimSpace(prefixes[power:power+1]) + unit}
}

// String prints an amount as iperf does: three significant digits, four wide.
func (a Amount) String() string {
	decimals := 0
	switch {
	case a.Value < 9.995:
		decimals = 2
	case a.Value < 99.95:
		decimals = 1
	}
	return fmt.Sprintf("%4.*f %s", decimals, a.Value, a.Unit)
}

// scaled gives the amount in the base unit, if its unit ends in it.
func (a Amount) scaled(step float64, base string) (float64, bool) {
	prefix, ok := strings.CutSuffix(a.Unit, base)
	power := strings.Index(prefixes, prefix)
	if prefix == "" {
		power = 0
	}
	if !ok || power < 0 || len(prefix) > 1 {
		return 0, false
	}
	return a.Value * math.Pow(step, float64(power)), true
}

// Bytes is a transfer or window size in bytes, within the precision printed.
func (a Amount) Bytes() (float64, bool) {
	return Amount{a.Value, strings.TrimSuffix(a.Unit, "s")}.scaled(kibi, "Byte")
}

// BitsPerSecond is a bandwidth in bit/s, within the precision printed.
func (a Amount) BitsPerSecond() (float64, bool) {
	if v, ok := a.scaled(kibi, "Bytes/sec"); ok {
		return 8 * v, true
	}
	return a.scaled(kilo, "bits/sec")
}
