package iplink

import (
	"net/netip"
	"strings"

	"seaworthy/internal/parse"
)

// briefLine is a device of ip -br: its name, state, and addresses, or its MAC address and flags.
var briefLine = parse.Lazy(`^([^\s@]+)(?:@(\S+))?\s+(UP|DOWN|UNKNOWN|LOWERLAYERDOWN|DORMANT|NOTPRESENT|TESTING)(?:\s+(\S.*?))?\s*$`)

// ParseBrief reads the text of ip -br addr or ip -br link. Errors: parse.ErrNotRecognised if no line is a device.
func ParseBrief(text []byte) (*Links, error) {
	l := &Links{}
	l.ReadComplete(text, func(line parse.Line) bool {
		x, rest := &Link{Line: line.Number}, ""
		if !briefLine.Scan(line.Text, &x.Name, &x.Base, &x.State, &rest) {
			return false
		}
		if unnamed.MatchString(x.Base) {
			x.Base = ""
		}
		if !x.brief(strings.Fields(rest)) {
			return false
		}
		l.Links = append(l.Links, x)
		return true
	})
	return parse.Recognised(l, l.Links != nil)
}

// brief takes the words behind a device's state; false if one of them is nothing that ip prints there.
func (l *Link) brief(words []string) bool {
	for i, w := range words {
		p, err := netip.ParsePrefix(w)
		switch {
		case err == nil:
			l.briefAddress(p)
		case parse.MAC(w) != "":
			l.MAC = w
		case strings.HasPrefix(w, "<") && strings.HasSuffix(w, ">"):
			l.Flags = strings.Split(strings.Trim(w, "<>"), ",")
		case w == "peer", w == "metric", i > 0 && (words[i-1] == "peer" || words[i-1] == "metric"):
		default:
			_, err = netip.ParseAddr(w) // of a point to point link
			if err != nil {
				return false
			}
		}
	}
	return true
}

func (l *Link) briefAddress(p netip.Prefix) {
	family := "inet"
	if p.Addr().Is6() {
		family = "inet6"
	}
	l.Addresses = append(l.Addresses, &Address{Family: family, Local: p.Addr().String(), Prefix: p.Bits()})
}

// Brief reports whether an output has a device's state and neither its MTU nor its flags, as ip -br addr does.
func (l *Link) Brief() bool { return l.MTU == "" && l.Flags == nil && l.State != "" }
