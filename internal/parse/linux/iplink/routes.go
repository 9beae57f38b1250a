package iplink

import (
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// types are the words that may stand before a destination.
var types = []string{"unicast", "local", "broadcast", "multicast", "anycast", "throw", "unreachable", "prohibit", "blackhole", "nat"}

// neighbour is a line of ip neigh, which looks alike.
var neighbour = parse.Lazy(` lladdr |(?:REACHABLE|STALE|DELAY|PROBE|FAILED|INCOMPLETE|NOARP|PERMANENT|NONE)\s*$`)

// ParseRoutesText reads the text of ip route. Of several next hops the first is
// kept. Errors: parse.ErrNotRecognised if no line is a route.
func ParseRoutesText(text []byte) (*Routes, error) {
	r := &Routes{}
	r.Read(text, func(l parse.Line) bool {
		f := strings.Fields(l.Text)
		if n := len(r.Routes); n > 0 && (f[0] == "nexthop" || f[0] == "cache") {
			if last, w := r.Routes[n-1], words(l.Text); last.Device == "" {
				last.Gateway, last.Device = w["via"], w["dev"]
			}
			return true
		}
		x := &Route{}
		if slices.Contains(types, f[0]) {
			x.Type, f = f[0], f[1:]
		}
		if r.CutOff(l) || len(f) == 0 || !destination(f[0]) || neighbour.MatchString(l.Text) {
			return false
		}
		w := words(strings.Join(f, " "))
		x.To = f[0]
		fill(x, w)
		if w["via"] == "inet6" { // an IPv4 route by a neighbour's IPv6 address
			x.Gateway = w["inet6"]
		}
		m := &Metrics{}
		fill(m, words(strings.ReplaceAll(l.Text, " lock ", " ")))
		if *m != (Metrics{}) {
			x.Metrics = []*Metrics{m}
		}
		r.Routes = append(r.Routes, x)
		return true
	})
	return parse.Recognised(r, r.Routes != nil)
}

func destination(s string) bool {
	if _, err := netip.ParsePrefix(s); err == nil || s == "default" {
		return true
	}
	_, err := netip.ParseAddr(s)
	return err == nil
}
