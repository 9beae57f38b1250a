package ipaddr

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Links is the output of ip addr or ip link.
type Links struct {
	dialect.Report
	Links  []*Link      `json:"links"`
	Layout layout.Sheet `json:"-"`
}

// Link is one device with what is printed below it.
type Link struct {
	Index  uint64   `json:"index"`
	Name   string   `json:"name"`
	Base   string   `json:"base,omitempty"`  // eth0 of eth0.100@eth0
	Flags  []string `json:"flags,omitempty"` // UP, LOWER_UP, NO-CARRIER
	MTU    uint64   `json:"mtu"`
	Words  []Word   `json:"words,omitempty"` // qdisc, master, state, qlen, ...
	Lines  []*Line  `json:"lines,omitempty"`
	Number int      `json:"-"` // 1-based line, 0 if not read from a text
	Before []string `json:"-"`
	lead   string
	rest   string
	tail   string
}

// Word is a word of a device's first line with the one behind it.
type Word struct{ Name, Value string }

// Line is a line below a device.
type Line struct {
	Kind   string   `json:"kind"`           // link/ether, inet, inet6
	Value  string   `json:"value"`          // a MAC, or an address with its length
	Rest   string   `json:"rest,omitempty"` // what follows: brd ..., scope global eth0
	Before []string `json:"-"`
	lead   string
	tail   string
}

var (
	head  = regexp.MustCompile(`^(0|[1-9][0-9]{0,9}): ([^\s:@]+)(?:@([^\s:]+))?: <([A-Z0-9_,-]*)> mtu (0|[1-9][0-9]{0,9})((?: \S+)*)$`)
	below = regexp.MustCompile(`^(link/[a-z0-9]+|inet6?) (\S+)((?: \S+)*)$`)
	more  = regexp.MustCompile(`^(valid_lft|altname|alias|promiscuity|RX:|TX:|bond|vlan|bridge|veth|[0-9]+ )`)
)

// Parse reads ip addr or ip link. A line that was cut off is kept as not
// understood. Errors: dialect.ErrNotRecognised if no line begins a device.
func Parse(text []byte) (*Links, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	l := &Links{}
	r := layout.NewReader(text, &l.Report)
	var last *Link
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		lead, body, tail := layout.Trim(line)
		if h := head.FindStringSubmatch(body); h != nil && !r.Cut() {
			index, _ := strconv.ParseUint(h[1], 10, 64)
			mtu, _ := strconv.ParseUint(h[5], 10, 64)
			last = &Link{Index: index, Name: h[2], Base: h[3], MTU: mtu, rest: h[6], lead: lead, tail: tail, Before: r.Held(), Number: r.Number()}
			if h[4] != "" {
				last.Flags = strings.Split(h[4], ",")
			}
			last.Words = pairs(h[6])
			l.Links = append(l.Links, last)
			continue
		}
		b := below.FindStringSubmatch(body)
		switch {
		case body == "" || last != nil && !r.Cut() && more.MatchString(body):
			r.Keep()
		case b == nil || last == nil || r.Cut() || !known(b[1], b[2]):
			r.Unread()
		default:
			last.Lines = append(last.Lines, &Line{Kind: b[1], Value: b[2], Rest: strings.TrimPrefix(b[3], " "), Before: r.Held(), lead: lead, tail: tail})
		}
	}
	l.Layout = r.Sheet()
	if l.Links == nil {
		return nil, dialect.ErrNotRecognised
	}
	return l, nil
}

// known tells whether a value is one of its kind.
func known(kind, value string) bool {
	if strings.HasPrefix(kind, "link/") {
		return true
	}
	if _, err := netip.ParsePrefix(value); err == nil {
		return true
	}
	_, err := netip.ParseAddr(value) // a point to point address has its length behind "peer"
	return err == nil
}

// pairs reads "qdisc mq master br0 state UP group default qlen 1000".
func pairs(text string) []Word {
	f := strings.Fields(text)
	var out []Word
	for i := 0; i+1 < len(f); i += 2 {
		out = append(out, Word{f[i], f[i+1]})
	}
	return out
}

// Word is the value of a word of the first line; empty if it is not there.
func (l *Link) Word(name string) string {
	for _, w := range l.Words {
		if w.Name == name {
			return w.Value
		}
	}
	return ""
}

// Format prints Links as Parse read them, new ones as ip does.
func Format(l *Links) []byte {
	var lines []string
	for _, x := range l.Links {
		name := x.Name
		if x.Base != "" {
			name += "@" + x.Base
		}
		rest := x.rest
		if list := pairs(rest); !equal(list, x.Words) {
			rest = ""
			for _, w := range x.Words {
				rest += " " + w.Name + " " + w.Value
			}
		}
		lines = append(append(lines, x.Before...), x.lead+strconv.FormatUint(x.Index, 10)+": "+name+": <"+strings.Join(x.Flags, ",")+"> mtu "+
			strconv.FormatUint(x.MTU, 10)+rest+x.tail)
		for _, b := range x.Lines {
			lead, after := b.lead, ""
			if lead == "" && x.Number == 0 {
				lead = "    "
			}
			if b.Rest != "" {
				after = " " + b.Rest
			}
			lines = append(append(lines, b.Before...), lead+b.Kind+" "+b.Value+after+b.tail)
		}
	}
	return l.Layout.Join(lines)
}

func equal(a, b []Word) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
