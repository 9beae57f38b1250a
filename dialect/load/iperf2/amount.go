package iperf2

import (
	"fmt"

	"seaworthy/dialect/load/layout"
)

// Style is what -f asks for: k, m, g, t in bits, K, M, G, T in Bytes, 0 or 'a'
// for the unit that suits the value.
type Style byte

// prefixes by their power.
var prefixes = []string{"", "K", "M", "G", "T"}

func (s Style) power() int {
	switch s {
	case 'k', 'K':
		return 1
	case 'm', 'M':
		return 2
	case 'g', 'G':
		return 3
	case 't', 'T':
		return 4
	}
	return -1
}

// Check says whether iperf knows the style.
func (s Style) Check() error {
	if s.power() < 0 && s != 0 && s != 'a' && s != 'A' {
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
// at least 1, and keeps three significant digits as iperf does.
func amount(v, step float64, power int, unit string) Amount {
	if power < 0 {
		power = 0
		for v >= step && power < len(prefixes)-1 {
			v /= step
			power++
		}
	} else {
		for range power {
			v /= step
		}
	}
	decimals := 0
	switch {
	case v < 9.995:
		decimals = 2
	case v < 99.95:
		decimals = 1
	}
	return Amount{Number: layout.Number{Value: v, Decimals: decimals}, Unit: prefixes[power] + unit}
}
