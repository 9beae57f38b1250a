package protocols

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// kernel are the protocols whose names nstat joins with those of their counters,
// longer ones first.
var kernel = []string{"MPTcpExt", "UdpLite6", "IcmpMsg", "UdpLite", "TcpExt", "IpExt", "Icmp6", "Icmp", "Udp6", "Udp", "Tcp", "Ip6", "Ip"}

var counted = parse.Lazy(`^([A-Z][A-Za-z0-9]*)\s+([0-9]+)\s+[0-9.]+\s*$`)

// ParseNstat reads nstat, text or JSON. Errors: parse.ErrNotRecognised if it has
// no counter.
func ParseNstat(text []byte) (*Counters, error) {
	c := &Counters{Values: map[string]uint64{}}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && len(text) <= parse.MaxText {
		var whole struct {
			Kernel map[string]json.Number `json:"kernel"`
		}
		if json.Unmarshal(text, &whole) != nil {
			return nil, parse.ErrNotRecognised
		}
		c.Lines = bytes.Count(text, []byte("\n"))
		for name, n := range whole.Kernel {
			c.count(name, n.String())
		}
	} else {
		c.ReadComplete(text, func(l parse.Line) bool {
			m := counted.FindStringSubmatch(l.Text)
			return l.Text == "#kernel" || m != nil && c.count(m[1], m[2])
		})
	}
	return parse.Recognised(c, len(c.Values) > 0)
}

// count keeps a number under the protocol's name; false if it is none.
func (c *Counters) count(name, value string) bool {
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return false
	}
	for _, p := range kernel {
		if rest, ok := strings.CutPrefix(name, p); ok && rest != "" {
			c.Values[p+"."+rest] = n
			return true
		}
	}
	c.Values[name] = n
	return true
}
