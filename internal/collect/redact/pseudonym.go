package redact

import (
	"cmp"
	"encoding/base32"
	"encoding/hex"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
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

// mac replaces a MAC in the form in which it was printed: fa:c2:11:4c:20:02,
// FA-C2-…, fa.c2.11.4c.20.2 or FAC2114C2002.
func (k Key) mac(s string) string {
	sep, step := "", 2
	if i := strings.IndexAny(s, ":-."); i >= 0 {
		sep, step = s[i:i+1], 1
	}
	parts := strings.Split(s, sep)
	var was [6]byte
	short := sep == "." // without leading zeros
	for i := range was {
		digits := strings.Join(parts[i*step:(i+1)*step], "")
		n, _ := strconv.ParseUint(digits, 16, 8) // digits: a shape found it
		was[i] = byte(n)
		short = short || len(digits) == 1
	}
	now := k.MAC(was)
	out := strings.ReplaceAll(net.HardwareAddr(now[:]).String(), ":", sep)
	if short {
		out = strings.TrimPrefix(strings.ReplaceAll(sep+out, sep+"0", sep), sep)
	}
	return likeCase(s, out)
}

// macOrMore is mac. Six numbers with dots that would be the MAC of a group begin with
// an address.
func (k Key) macOrMore(s string) string {
	got := k.mac(s)
	parts := strings.Split(s, ".")
	if got != s || len(parts) != 6 {
		return got
	}
	a, err := netip.ParseAddr(strings.Join(parts[:4], "."))
	if err != nil {
		return got
	}
	return k.Addr(a).String() + "." + strings.Join(parts[4:], ".")
}

// macByFours replaces a MAC of three groups of four digits.
func (k Key) macByFours(s string) string {
	now := k.mac(strings.ReplaceAll(s, ".", ""))
	return now[:4] + "." + now[4:8] + "." + now[8:]
}

// wwn replaces a WWN that is printed by bytes, with leading zeros or without: 50:05:07:68:01:40:00:01.
func (k Key) wwn(s string) string {
	parts := strings.Split(s, ":")
	short := false
	for i, p := range parts {
		short = short || len(p) == 1
		parts[i] = strings.Repeat("0", 2-len(p)) + p
	}
	digits := k.Hex(strings.Join(parts, ""))
	for i := range parts {
		parts[i] = digits[2*i : 2*i+2]
		if short {
			parts[i] = cmp.Or(strings.TrimPrefix(parts[i], "0"), "0")
		}
	}
	return strings.Join(parts, ":")
}

// part keeps the number of a part or its level, which has few letters in a row and
// many digits; other words are names.
func (k Key) part(s string) string {
	letters := strings.Trim(s, ".-_")
	count := 0
	for _, c := range letters {
		if c >= '0' && c <= '9' {
			count++
		}
	}
	if 3*count >= len(letters) && !fourLetters.MatchString(s) || len(s) <= 4 && len(letters) == len(s) && count > 0 {
		return s
	}
	return k.word(s)
}

var fourLetters = parse.Lazy(`[^0-9._-]{4}`)

// likeCase gives hexadecimal digits in capitals where they were.
func likeCase(was, now string) string {
	if strings.ToUpper(was) == was && strings.ToLower(was) != was {
		return strings.ToUpper(now)
	}
	return now
}

const letters = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// Serial replaces a serial number by one of the same length. The two digits of
// the plant before a machine's seven characters stay, and what a logical
// serial number has behind them.
func (k Key) Serial(s string) string {
	head, tail := "", ""
	switch {
	case plant.MatchString(s):
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

var plant = parse.Lazy(`^\d\d\w{7}$`)

// Hex replaces hexadecimal digits, a WWN or a UUID with its dashes, by as many.
func (k Key) Hex(s string) string {
	sum := k.sum("hex", []byte(strings.ToLower(s)))
	digits := hex.EncodeToString(sum[:])
	for len(digits) < len(s) {
		digits += digits
	}
	now := []byte(digits[:len(s)])
	for i := range now {
		if s[i] == '-' {
			now[i] = '-'
		}
	}
	return likeCase(s, string(now))
}

// digits replaces a number by one of as many digits.
func (k Key) digits(s string) string {
	sum := k.sum("digits", []byte(s))
	now := []byte(s)
	for i := range now {
		now[i] = '0' + sum[i%len(sum)]%10
	}
	return string(now)
}

// base is 32 letters and digits that host names may have.
var base = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// Name replaces a host's name. Of lpar1.example.com each label is replaced, so
// lpar1 alone still is its first one.
func (k Key) Name(s string) string {
	labels := strings.Split(strings.ToLower(s), ".")
	for i, label := range labels {
		if label != "" {
			sum := k.sum("name", []byte(label))
			labels[i] = "h" + base.EncodeToString(sum[:5])
		}
	}
	return strings.Join(labels, ".")
}

// network replaces a network that lacks its last octets: 10.32.77, 10.3/16.
func (k Key) network(s string) string {
	word, length, cut := strings.Cut(s, "/")
	octets := strings.Count(word, ".") + 1
	n := octets * 8
	if cut {
		n, _ = strconv.Atoi(length) // digits: a shape found it
	}
	a, err := netip.ParseAddr(word + strings.Repeat(".0", 4-octets))
	if err != nil || n > 32 {
		return s
	}
	p := k.Prefix(netip.PrefixFrom(a, n)).Addr().String()
	got := strings.Join(strings.Split(p, ".")[:octets], ".")
	if cut {
		got += "/" + length
	}
	return got
}

var (
	serialShape = parse.Lazy(`^[0-9A-Z]*(?:[0-9][A-Z]|[A-Z][0-9])[0-9A-Z]*$`)
	hexShape    = parse.Lazy(`^[0-9A-Fa-f]{9,}$`)
)

// word replaces a word that nothing but its form is known of.
func (k Key) word(s string) string {
	switch {
	case len(s) == 12 && hexShape.MatchString(s):
		return k.mac(s)
	case hexShape.MatchString(s) && strings.ContainsAny(s, "0123456789") && len(s) != 10:
		return k.Hex(s)
	case len(s) > 4 && serialShape.MatchString(s):
		return k.Serial(s)
	}
	return k.Name(s)
}
