package iplink

import (
	"net/netip"
	"reflect"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// The number of a device is often cut off.
	head = parse.Lazy(`^\s*(?:[0-9]+: )?([^\s:@]+)(?:@([^\s:]+))?: <([A-Z0-9_,-]*)>((?: +\S+)*)\s*$`)
	// A line of ip -o addr, which has a device's address and no more of the device.
	alone = parse.Lazy(`^\s*[0-9]+: ([^\s:@]+)(?:@\S+)?\s+(inet6?) (\S+)((?: +\S+)*)\s*$`)
	below = parse.Lazy(`^\s+(link/(?:[a-z0-9_]+|\[[0-9]+\])|inet6?)(?: (\S+))?((?: +\S+)*)\s*$`)
	// Times of an address, other names, counters, and what -d says of the kinds
	// of devices: "vlan protocol 802.1Q id 120".
	counts = parse.Lazy(`^\s+([RT]X)(?: errors)?:((?: +[a-z]+)+)\s*$`)
	// What stands for the device below where ip cannot name it: none, or one of another namespace.
	unnamed = parse.Lazy(`^(?:NONE|if[0-9]+)$`)
	more    = parse.Lazy(`^\s+(?:[a-z][a-z0-9_]*(?: +\S+)+|[RT]X(?: errors)?:.*|[0-9]+(?: +[0-9]+)+|[a-z_]+)\s*$`)
)

// kinds of devices that the kernel makes, and those of which -d says more that matters.
var (
	kinds    = []string{"bridge", "dummy", "macvlan", "macvtap", "openvswitch", "team", "tun", "veth"}
	detailed = []string{"vlan", "bond", "vxlan", "geneve", "gretap"}
)

// ParseText reads the text of ip link or ip addr, also with -o, which prints a device in a line. A line that was cut off
// is not understood. Errors: parse.ErrNotRecognised if no line begins a device.
func ParseText(text []byte) (*Links, error) {
	r := &textReader{links: &Links{}}
	r.links.ReadComplete(text, func(line parse.Line) bool {
		understood := true
		for part := range strings.SplitSeq(line.Text, `\`) {
			understood = r.read(parse.Line{Text: part, Number: line.Number}) && understood
		}
		return understood
	})
	return parse.Recognised(r.links, r.links.Links != nil)
}

// textReader reads line after line.
type textReader struct {
	links    *Links
	last     *Link    // the lines are about
	columns  []string // of the counters on the next line
	function bool     // the lines are about a virtual function of the device, whose counters are its own
}

func (r *textReader) read(line parse.Line) bool {
	h, b := head.FindStringSubmatch(line.Text), below.FindStringSubmatch(line.Text)
	a := alone.FindStringSubmatch(line.Text)
	switch {
	case line.Text == "Message truncated": // an old ip, of a device with many functions
		r.links.Warn(line.Number, "an error message: "+line.Text)
		return true
	case h != nil:
		r.last = newLink(h, line.Number)
		if r.last != nil {
			r.links.Links, r.function = append(r.links.Links, r.last), false
		}
		return r.last != nil
	case a != nil:
		r.last = &Link{Name: a[1], Line: line.Number}
		r.links.Links, r.function = append(r.links.Links, r.last), false
		return r.last.address(a[2], a[3], words(a[4]))
	case r.last == nil:
		return false
	case b != nil:
		w := words(b[3])
		fill(r.last, w)
		return r.last.address(b[1], b[2], w)
	case counts.MatchString(line.Text):
		r.columns = strings.Fields(strings.Replace(line.Text, " errors:", ":", 1))
		return true
	}
	if r.columns != nil && !r.function {
		r.last.count(r.columns, strings.Fields(line.Text))
	}
	r.columns = nil
	return r.detail(line)
}

// detail reads a line that has more of a device: what kind it is, its names, its functions.
func (r *textReader) detail(line parse.Line) bool {
	kind, rest, _ := strings.Cut(strings.TrimSpace(line.Text), " ")
	r.function = r.function || kind == "vf"
	w := words(rest)
	fill(r.last, w)
	switch {
	case !more.MatchString(line.Text):
		return false
	case slices.Contains(detailed, kind):
		r.last.Info = &Info{Kind: kind, Data: &Data{}}
		fill(r.last.Info.Data, w)
		if w["ad_partner_mac"] != "" {
			r.last.Info.Data.LACP = &LACP{}
			fill(r.last.Info.Data.LACP, w)
		}
	case slices.Contains(kinds, kind):
		r.last.Info = &Info{Kind: kind}
	}
	return true
}

// newLink reads a device's first line; nil without its MTU.
func newLink(m []string, line int) *Link {
	l := &Link{Name: m[1], Base: m[2], Line: line}
	fill(l, words(m[4]))
	if l.MTU == "" {
		return nil
	}
	if unnamed.MatchString(l.Base) {
		l.Base = ""
	}
	if m[3] != "" {
		l.Flags = strings.Split(m[3], ",")
	}
	return l
}

// address takes a MAC or an IP address; false if it is none. That of a point
// to point link has its length behind "peer" and is not kept.
func (l *Link) address(kind, value string, w map[string]string) bool {
	if kind, ok := strings.CutPrefix(kind, "link/"); ok {
		l.Type, l.MAC = kind, value
		return true
	}
	p, err := netip.ParsePrefix(value)
	if err != nil {
		_, err = netip.ParseAddr(value)
		return err == nil
	}
	l.Addresses = append(l.Addresses, &Address{Family: kind, Local: p.Addr().String(), Prefix: p.Bits(), Scope: w["scope"]})
	return true
}

// fill gives the fields of a struct that have no value yet those of the words in their tags: of a device
// there are more behind the MAC address and the kind than on its first line.
func fill(v any, w map[string]string) {
	for name, to := range parse.Tagged(v) {
		text := w[name]
		if _, is := to.(*Number); is {
			text = string(number(text))
		}
		if field := reflect.ValueOf(to).Elem(); field.Len() == 0 {
			field.SetString(text)
		}
	}
}

// count takes the numbers below "RX: bytes packets", if there are as many.
func (l *Link) count(columns, numbers []string) {
	if len(numbers) != len(columns)-1 {
		return
	}
	into := l.counted().RX
	if columns[0] == "TX:" {
		into = l.counted().TX
	}
	for i, name := range columns[1:] {
		if n := number(numbers[i]); n != "" {
			into[name] = n
		}
	}
}

func (l *Link) counted() *Counted {
	if l.Counted == nil {
		l.Counted = &Counted{RX: map[string]Number{}, TX: map[string]Number{}}
	}
	return l.Counted
}

// words are the values of "qdisc mq master br0 state UP", by the word before.
func words(text string) map[string]string {
	out := map[string]string{}
	f := strings.Fields(text)
	for i := 1; i < len(f); i++ {
		if out[f[i-1]] == "" {
			out[f[i-1]] = f[i]
		}
	}
	return out
}

func number(text string) Number {
	if digits.MatchString(text) {
		return Number(text)
	}
	return ""
}
