package iplink

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/dialect"
)

var (
	head  = dialect.Lazy(`^\s*[0-9]+: ([^\s:@]+)(?:@([^\s:]+))?: <([A-Z0-9_,-]*)>((?: \S+)*)\s*$`)
	below = dialect.Lazy(`^\s+(link/(?:[a-z0-9_]+|\[[0-9]+\])|inet6?)(?: (\S+))?((?: +\S+)*)\s*$`)
	// Times of an address, other names, counters, and what -d says of the kinds
	// of devices: "vlan protocol 802.1Q id 120".
	counts = dialect.Lazy(`^\s+([RT]X)(?: errors)?:((?: +[a-z]+)+)\s*$`)
	// What stands for the device below where ip cannot name it: none, or one of another namespace.
	unnamed = dialect.Lazy(`^(?:NONE|if[0-9]+)$`)
	more    = dialect.Lazy(`^\s+(?:[a-z][a-z0-9_]*(?: +\S+)+|[RT]X(?: errors)?:.*|[0-9]+(?: +[0-9]+)+|[a-z_]+)\s*$`)
)

// kinds of devices that the kernel makes, and those of which -d says more that matters.
var (
	kinds    = []string{"bridge", "dummy", "macvlan", "macvtap", "openvswitch", "team", "tun", "veth"}
	detailed = []string{"vlan", "bond", "vxlan", "geneve", "gretap"}
)

// ParseText reads the text of ip link or ip addr. A line that was cut off is
// not understood. Errors: dialect.ErrNotRecognised if no line begins a device.
func ParseText(text []byte) (*Links, error) {
	l := &Links{}
	var last *Link
	var columns []string // of the counters on the next line
	function := false    // the lines are about a virtual function of the device, whose counters are its own
	for _, line := range dialect.Lines(text, &l.Report) {
		h, b := head.FindStringSubmatch(line.Text), below.FindStringSubmatch(line.Text)
		switch {
		case l.CutOff(line):
			l.NotUnderstood(line)
		case line.Text == "Message truncated": // an old ip, of a device with many functions
			l.Warn(line.Number, "an error message: "+line.Text)
		case h != nil:
			if last = newLink(h, line.Number); last == nil {
				l.NotUnderstood(line)
				continue
			}
			l.Links, function = append(l.Links, last), false
		case last == nil:
			l.NotUnderstood(line)
		case b != nil:
			w := words(b[3])
			last.details(w)
			if !last.address(b[1], b[2], w) {
				l.NotUnderstood(line)
			}
		case counts.MatchString(line.Text):
			columns = strings.Fields(strings.Replace(line.Text, " errors:", ":", 1))
		default:
			if columns != nil && !function {
				last.count(columns, strings.Fields(line.Text))
			}
			columns = nil
			kind, rest, _ := strings.Cut(strings.TrimSpace(line.Text), " ")
			function = function || kind == "vf"
			w := words(rest)
			last.details(w)
			switch {
			case !more.MatchString(line.Text):
				l.NotUnderstood(line)
			case slices.Contains(detailed, kind):
				last.Info = &Info{Kind: kind, Data: &Data{VLAN: number(w["id"]), Mode: w["mode"], Hash: w["xmit_hash_policy"],
					LACPRate: w["lacp_rate"], MIIMon: number(w["miimon"]), ARP: number(w["arp_interval"]),
					Primary: Text(w["primary"]), Active: Text(w["active_slave"]), Link: Text(w["dev"]), Remote: Text(w["remote"])}}
				if w["ad_partner_mac"] != "" {
					last.Info.Data.LACP = &LACP{Ports: number(w["ad_num_ports"]), Partner: Text(w["ad_partner_mac"])}
				}
			case slices.Contains(kinds, kind):
				last.Info = &Info{Kind: kind}
			}
		}
	}
	if l.Links == nil {
		return nil, dialect.ErrNotRecognised
	}
	return l, nil
}

// newLink reads a device's first line; nil without its MTU.
func newLink(m []string, line int) *Link {
	w := words(m[4])
	l := &Link{Name: m[1], Base: m[2], MTU: number(w["mtu"]), Master: w["master"], State: w["state"], TxQueue: number(w["qlen"]), Line: line}
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

// details takes what -d says of MTUs, large segments and the slot, behind the MAC address or the kind.
func (l *Link) details(w map[string]string) {
	l.MinMTU, l.MaxMTU = cmp.Or(l.MinMTU, number(w["minmtu"])), cmp.Or(l.MaxMTU, number(w["maxmtu"]))
	l.BusDevice = cmp.Or(l.BusDevice, w["parentdev"])
	if size := number(w["gso_max_size"]); size != "" {
		l.GSOSize, l.GSOSegs = size, number(w["gso_max_segs"])
		l.TSOSize, l.TSOSegs = number(w["tso_max_size"]), number(w["tso_max_segs"])
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
