package iperf2

import (
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
	prefixes = " KMGT" // by their power; none is the zeroth
)

// scaled gives the amount in the base unit, if its unit ends in it.
func (a Amount) scaled(step float64, base string) (float64, bool) {
	prefix, ok := strings.CutSuffix(a.Unit, base)
	power := strings.Index(prefixes, prefix)
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
