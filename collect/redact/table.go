package redact

import (
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// Networks are printed by netstat -in and -rn without their last octets: 10.32.77,
// 10.3/16, 127.
var (
	shortNet = dialect.Lazy(`^([0-9]{1,3}(?:\.[0-9]{1,3}){0,2})(/[0-9]{1,2})?$`)
	cell     = dialect.Lazy(`^(\S+)([ \t]*)`)
)

// tableLines replaces MACs and networks in the rows of netstat -in and -rn,
// and keeps the columns where there is room.
func (r *Redactor) tableLines(id, s string) string {
	column := 0 // -rn: the destination comes first
	if id == "netstat-in" {
		column = 2
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		rest, k := line, 0
		lead := len(rest) - len(strings.TrimLeft(rest, " \t"))
		b.WriteString(rest[:lead])
		rest = rest[lead:]
		for {
			m := cell.FindStringSubmatch(rest)
			if m == nil {
				break
			}
			word, gap := m[1], m[2]
			got := word
			switch {
			case k == column && (id != "netstat-rn" || routeLine(line)):
				got = r.network(word)
			case dotsShape.MatchString(word):
				got = dotsShape.Regexp().ReplaceAllStringFunc(word, r.mac)
			}
			if gap != "" {
				gap = strings.Repeat(" ", max(1, len(gap)+len(word)-len(got)))
			}
			b.WriteString(got + gap)
			rest = rest[len(m[0]):]
			k++
		}
		b.WriteString(rest)
	}
	return b.String()
}

// routeLine reports whether a line is a row of the routing table: it has flags.
var routeFlags = dialect.Lazy(`^\S+[ \t]+\S+[ \t]+[UGHSbcmlLWDMRBPX1-3]*U[UGHSbcmlLWDMRBPX1-3]*[ \t]`)

func routeLine(line string) bool { return routeFlags.MatchString(strings.TrimLeft(line, " \t")) }

// network replaces a network that lacks its last octets.
func (r *Redactor) network(word string) string {
	m := shortNet.FindStringSubmatch(word)
	if m == nil {
		return word
	}
	octets := strings.Split(m[1], ".")
	length := len(octets) * 8
	if m[2] != "" {
		length, _ = strconv.Atoi(m[2][1:]) // its shape was checked
	}
	full := m[1] + strings.Repeat(".0", 4-len(octets))
	a, err := netip.ParseAddr(full)
	if err != nil || length > 32 || !Replaces4(a) {
		return word
	}
	p := r.key.Prefix(netip.PrefixFrom(a, length))
	got := strings.Split(p.Addr().String(), ".")
	return strings.Join(got[:len(octets)], ".") + m[2]
}
