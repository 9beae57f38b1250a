package linewise

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// ResolverConfig is /etc/resolv.conf.
type ResolverConfig struct {
	parse.Report
	Servers []string `json:"servers,omitempty"` // in order
	Domains []string `json:"domains,omitempty"` // of domain or search
	Options []string `json:"options,omitempty"` // timeout:2, rotate
}

var resolverOutput = &output[ResolverConfig]{
	name:    "resolv-conf",
	ignored: parse.Lazy(`^\s*[#;].*$`),
	rows: []line[ResolverConfig]{func(c *ResolverConfig, l parse.Line) bool {
		words := strings.Fields(l.Text)
		if len(words) < 2 {
			return false
		}
		switch words[0] {
		case "nameserver":
			c.Servers = append(c.Servers, words[1])
		case "domain", "search":
			c.Domains = words[1:]
		case "options":
			c.Options = append(c.Options, words[1:]...)
		case "sortlist", "lookup":
		default:
			return false
		}
		return true
	}},
}

// Option is the number of an option such as timeout:2; false if it is not set.
func (c *ResolverConfig) Option(name string) (int, bool) {
	for _, o := range c.Options {
		if value, ok := strings.CutPrefix(o, name+":"); ok {
			n, err := strconv.Atoi(value)
			return n, err == nil
		}
	}
	return 0, false
}

// ParseResolver reads /etc/resolv.conf; parse.ErrNotRecognised if no line sets anything.
func ParseResolver(text []byte) (*ResolverConfig, error) { return resolverOutput.parse(text) }

// LookupOrder says where a host looks for names: AIX's /etc/netsvc.conf, or the line hosts of /etc/nsswitch.conf.
type LookupOrder struct {
	parse.Report
	Hosts []string `json:"hosts,omitempty"` // local4, bind4; files, dns
}

var (
	netsvcLine   = parse.Lazy(`^\s*hosts\s*=\s*(\S.*?)\s*$`)
	nsswitchLine = parse.Lazy(`^\s*hosts\s*:\s*(\S.*?)\s*$`)
)

var lookupOutput = &output[LookupOrder]{
	name: "lookup-order",
	ignored: parse.Lazy(`^\s*#.*$|^\s*(?:passwd|group|shadow|gshadow|networks|protocols|services|ethers|rpc|netgroup|aliases|` +
		`sendmail|initgroups|automount|netmasks|bootparams|publickey|sudoers|subid)\s*[:=].*$`),
	rows: []line[LookupOrder]{func(o *LookupOrder, l parse.Line) bool {
		if m := netsvcLine.FindStringSubmatch(l.Text); m != nil {
			o.Hosts = strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
			return true
		}
		if m := nsswitchLine.FindStringSubmatch(l.Text); m != nil {
			o.Hosts = strings.Fields(m[1])
			return true
		}
		return false
	}},
	recognised: func(o *LookupOrder) bool { return len(o.Hosts) > 0 },
}

// ParseLookupOrder reads netsvc.conf or nsswitch.conf; parse.ErrNotRecognised if it says nothing of hosts.
func ParseLookupOrder(text []byte) (*LookupOrder, error) { return lookupOutput.parse(text) }
