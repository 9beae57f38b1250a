package redact

import (
	"encoding/base32"
	"encoding/hex"
	"strings"
)

// MAC replaces the six bytes of a MAC. Group addresses and none stay.
func (k Key) MAC(b [6]byte) [6]byte {
	if b == ([6]byte{}) || b[0]&1 == 1 {
		return b
	}
	s := k.sum("mac", b[:])
	out := [6]byte(s[:6])
	out[0] = out[0]&^3 | b[0]&3 // locally administered or not
	return out
}

const letters = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// Serial replaces a serial number by one of the same length. The two digits of
// the plant before a machine's seven characters stay, and what a logical
// serial number has behind them.
func (k Key) Serial(s string) string {
	head, tail := "", ""
	switch {
	case len(s) == 9 && isDigit(s[0]) && isDigit(s[1]):
		head, s = s[:2], s[2:]
	case len(s) == 8:
		s, tail = s[:7], s[7:]
	}
	sum := k.sum("serial", []byte(strings.ToUpper(s)))
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(letters[int(sum[i%len(sum)])%len(letters)])
	}
	return head + b.String() + tail
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Machine replaces what uname -m prints: 00, six digits of the serial number,
// the model's and 00.
func (k Key) Machine(s string) string {
	if len(s) != 12 {
		return k.Hex(s)
	}
	return s[:2] + strings.ToUpper(k.Hex(s[2:8])) + s[8:]
}

// Hex replaces hexadecimal digits, a WWN, by as many.
func (k Key) Hex(s string) string {
	sum := k.sum("hex", []byte(strings.ToLower(s)))
	digits := hex.EncodeToString(sum[:])
	for len(digits) < len(s) {
		digits += digits
	}
	digits = digits[:len(s)]
	if strings.ToUpper(s) == s {
		digits = strings.ToUpper(digits)
	}
	return digits
}

// base is 32 letters and digits that host names may have.
var base = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// Name replaces a host's name. Of lpar1.example.com each label is replaced, so
// lpar1 alone still is its first one.
func (k Key) Name(s string) string {
	var out []string
	for _, label := range strings.Split(strings.ToLower(s), ".") {
		if label == "" {
			out = append(out, "")
			continue
		}
		sum := k.sum("name", []byte(label))
		out = append(out, "h"+base.EncodeToString(sum[:5]))
	}
	return strings.Join(out, ".")
}
