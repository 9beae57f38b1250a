package importer

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// sign is what an output says of its host and few others could say: its partition's number, the MAC of an adapter.
type sign struct {
	class signClass
	what  string // the MAC of eth0
	value string
}

// signClass says what follows where two outputs give different values for the same.
type signClass int

const (
	// strict: one different value is another host.
	strict signClass = iota
	// Of these one value that is the same is enough: a port may get another MAC or address, all of them seldom do.
	macs
	addresses
	// What a host's ports and processors are: others are another host's, unless something else says that it is the same.
	hardware
	// The addresses of a host itself, and those of hosts with which it speaks: no host is its own neighbour.
	own
	peers
	// Of these a host has another value after an update or a move: they decide whose a file is, and never leave one out.
	kernels
	machines
	// firsts are the first addresses of ports in one output, which shows each port once: others are another host's.
	firsts
	// systems: which operating system alone prints such an output.
	systems
	// all the devices that a host has, and those of which an output speaks.
	listed
	spoken
)

// patterns of signs. The words are looked for first: that costs a fraction of the pattern. The last group is the
// value; what several of a host have is followed by the first.
var patterns = []struct {
	what  string
	words []string
	at    *parse.Pattern
	many  bool
}{
	{"the partition's number", []string{"Partition Number"}, parse.Lazy(`(?m)^Partition Number[ \t]*:[ \t]*(\d+)`), false},
	{"the machine id of the system", []string{"Machine ID"}, parse.Lazy(`(?m)^[ \t]*Machine ID:[ \t]*([0-9a-f]{32})`), false},
	{"the UUID of the system", []string{"os_uuid", "UUID:"},
		parse.Lazy(`(?m)^(?:os_uuid[ \t]+|System Information\n(?:\t[^\n]*\n)*?\tUUID:[ \t]*)([0-9A-Fa-f-]{36})`), false},
	{"the MAC of ent", []string{"Network Address."}, parse.Lazy(`(?m)^[ \t]*ent(\d+)[ \t]+\S+[ \t][^\n]*\n` +
		`(?:[^\n]*\n){0,5}?[ \t]*Network Address\.+([0-9A-F]{12})\b`), true},
	{"the machine's serial number", []string{"Machine Serial Number", "IBM,"},
		parse.Lazy(`(?m)(?:^Machine Serial Number:[ \t]*|\bIBM,\d\d)(\w{7})\b`), false},
	{"the MAC of ent", []string{"ETHERNET STATISTICS"}, parse.Lazy(`(?m)^ETHERNET STATISTICS \(ent?(\d+)\)[^\n]*\n(?:[^\n]*\n){0,3}?` +
		`Hardware Address:[ \t]*([0-9A-Fa-f:]{17})`), true},
	{"the MAC of ent", []string{"link#"}, parse.Lazy(`(?m)^en(\d+)\*?[ \t]+\d+[ \t]+link#\d+[ \t]+` +
		`([0-9a-f]{1,2}(?:\.[0-9a-f]{1,2}){5})[ \t]`), true},
}

var (
	portHead = parse.Lazy(`^(?:\d+: *)?([A-Za-z][\w.-]*)(?:@[\w.-]+)?(?::? +Link encap:|: +(?:<|flags=)| +(?:UP|DOWN|UNKNOWN)\b)`)
	portMAC  = parse.Lazy(`(?i)(?:\bether|\bHWaddr|\bUP|\bDOWN) +((?:[0-9a-f]{2}:){5}[0-9a-f]{2})\b`)
	// functionLine is of a virtual function of a port, which has a MAC of its own.
	functionLine = parse.Lazy(`^[ \t]+vf \d+`)
	burntMAC     = parse.Lazy(`(?i)\bpermaddr ((?:[0-9a-f]{2}:){5}[0-9a-f]{2})\b`)
	portIPv4     = parse.Lazy(`(?:\binet (?:addr:)?|\bUP +)(\d{1,3}(?:\.\d{1,3}){3})\b`)
	rowIPv4      = parse.Lazy(`^(en\d+)\*? +\d+ +\d[\d.]* +(\d{1,3}(?:\.\d{1,3}){3}) `)
	// commonPort are devices whose MAC and address are made by a program: the same on many hosts, or others at each start.
	commonPort = parse.Lazy(`^(?:lo\d*|docker\d*|virbr\d.*|lxcbr\d+|lxdbr\d+|cni.*|` +
		`flannel.*|cali.*|veth.*|br-.*|tun\d+|tap.*|vnet\d+|dummy\d+)$`)
	nobodysIPv4 = parse.Lazy(`^(?:127|0|169\.254)\.`)
	// nodeLine is what uname -a prints, wherever it stands.
	nodeLine     = parse.Lazy(`(?m)^(?:Linux|AIX) ([\w.-]+) (?:\d+\.\d+\S* #\d|\d \d 00[0-9A-F]{10}[ \t]*$)`)
	linuxKernel  = parse.Lazy(`(?m)^(?:.*\b)?Linux version (\d\S*)|^Linux \S+ (\d+\.\d+\S*)`)
	aixLevel     = parse.Lazy(`(?m)^AIX \S+ (\d) (\d)(?: |$)`)
	aixLevelLong = parse.Lazy(`^(\d)(\d)00(?:-\d\d){0,2}`)
	systemCPUs   = parse.Lazy(`(?m)^Maximum Physical CPUs in system[ \t]*:[ \t]*(\d+)`)
	machineID    = parse.Lazy(`(?m)^(?:AIX \S+ \d \d )?(00[0-9A-F]{10})$`)
)

// linuxCounters and aixCounters are lines of netstat -s that only one of the two systems prints.
var (
	linuxCounters = parse.Lazy(`(?m)^[ \t]*(?:Ip|Tcp|Udp|TcpExt):[ \t]*$|segments retransmit`)
	aixCounters   = parse.Lazy(`(?m)^[ \t]*(?:icmp|tcp|udp|ip):[ \t]*$|calls to icmp_error`)
)

// mostPorts bounds the devices of an output whose signs are kept.
const mostPorts = 64

// signsOf finds what an output says that few hosts can say.
func signsOf(f *detect.Found, text []byte) (out []sign) {
	if f.Family == registry.HMC || f.Namespace != "" { // it speaks of many, or of a namespace's own
		return nil
	}
	if f.Host != "" && strings.HasPrefix(f.HostFrom, "node name") {
		out = append(out, sign{strict, "the node name", key(strings.Clone(f.Host))})
	}
	for _, m := range nodeLine.Regexp().FindAllSubmatch(text, maxListed) {
		out = append(out, sign{strict, "the node name", key(string(m[1]))})
	}
	for _, s := range patterns {
		switch {
		case !slices.ContainsFunc(s.words, func(w string) bool { return bytes.Contains(text, []byte(w)) }):
		case s.many:
			for _, m := range s.at.Regexp().FindAllSubmatch(text, maxListed) {
				out = append(out, sign{strict, s.what + string(m[1]), plainMAC(string(m[2]))})
			}
		default:
			for _, m := range s.at.Regexp().FindAllSubmatch(text, maxListed) {
				out = append(out, sign{strict, s.what, string(m[1])})
			}
		}
	}
	if strings.HasPrefix(f.ID, "ethtool") && f.Element != "" {
		out = append(out, sign{spoken, "the device", strings.Clone(f.Element)})
	}
	if strings.HasPrefix(f.ID, "netstat-s") && linuxCounters.Match(text) && aixCounters.Match(text) {
		out = append(out, sign{systems, "the system", "Linux"}, sign{systems, "the system", "AIX"})
	}
	out = append(out, hardwareSigns(f, text)...)
	out = append(out, speakers(text)...)
	if f.ID == "dmesg" && bytes.Contains(text, []byte("    link/ether ")) { // outputs that nothing parts from a log
		out = append(out, portSigns(text)...)
	}
	return append(out, systemSigns(f.ID, text)...)
}

// systemSigns are those of outputs that describe the ports or the system of a host.
func systemSigns(id string, text []byte) (out []sign) {
	switch id {
	case "ip-addr-text", "ip-link", "ip-brief", "ifconfig-linux", "ifconfig-a", "netstat-in":
		return portSigns(text)
	case "uname-a", "dmesg":
		for _, m := range linuxKernel.Regexp().FindAllSubmatch(text, maxListed) {
			out = append(out, sign{kernels, "the kernel", cmp.Or(string(m[1]), string(m[2]))})
		}
		if m := aixLevel.Regexp().FindSubmatch(text); m != nil {
			out = append(out, sign{kernels, "the level of AIX", string(m[2]) + "." + string(m[1])})
		}
	case "oslevel-s", "oslevel", "oslevel-r":
		if m := aixLevelLong.Regexp().FindSubmatch(text); m != nil {
			out = append(out, sign{kernels, "the level of AIX", string(m[1]) + "." + string(m[2])})
		}
	}
	if id == "lparstat-i" {
		for _, m := range systemCPUs.Regexp().FindAllSubmatch(text, maxListed) {
			out = append(out, sign{machines, "the number of physical CPUs of the system", string(m[1])})
		}
	}
	if id == "uname-a" || id == "uname-m" {
		if m := machineID.Regexp().FindSubmatch(text); m != nil {
			out = append(out, sign{machines, "the machine id", string(m[1])})
		}
	}
	return out
}

// portSigns are the devices, MACs and addresses that ip, ifconfig and netstat -in show. Only an output that has the
// loopback too is taken to list all devices.
func portSigns(text []byte) (out []sign) {
	if bytes.Contains(text, []byte("netns: ")) { // of all namespaces
		return nil
	}
	port, bonded, addressed := "", "", "" // addressed: the port whose first address was seen
	ports, all := 0, false
	var devices []sign
	for l := range bytes.Lines(text) {
		if m := rowIPv4.Regexp().FindSubmatch(l); m != nil {
			out = append(out, sign{addresses, "the address of " + string(m[1]), string(m[2])})
			continue
		}
		if m := portHead.Regexp().FindSubmatch(l); m != nil {
			port, addressed = string(m[1]), ""
			all = all || port == "lo"
			devices = append(devices, sign{listed, "the device", port})
			ports++
		}
		if ports > mostPorts {
			return nil
		}
		if port == "" || commonPort.MatchString(port) || functionLine.Match(l) {
			continue
		}
		if bytes.Contains(l, []byte("SLAVE")) || bytes.Contains(l, []byte(" master bond")) {
			bonded = port // it has the MAC of its bond
		}
		m := burntMAC.Regexp().FindSubmatch(l)
		if m == nil && port != bonded {
			m = portMAC.Regexp().FindSubmatch(l)
		}
		if m != nil {
			out = append(out, sign{macs, "the MAC of " + port, plainMAC(string(m[1]))})
		}
		if m := portIPv4.Regexp().FindSubmatch(l); m != nil && !nobodysIPv4.MatchString(string(m[1])) {
			out = append(out, sign{addresses, "the address of " + port, string(m[1])})
			if addressed != port {
				addressed = port
				out = append(out, sign{firsts, "the address of " + port, string(m[1])})
			}
		}
	}
	for _, d := range devices {
		if !commonPort.MatchString(d.value) {
			out = append(out, sign{spoken, d.what, d.value})
		}
	}
	if all {
		out = append(out, devices...)
	}
	return out
}

// plainMAC writes a MAC in one form, of netstat's fa.c2.11.4c.20.2 and lscfg's FAC2114C2002 too.
func plainMAC(s string) string {
	if len(s) == 12 && !strings.ContainsAny(s, ".:") {
		s = s[:2] + ":" + s[2:4] + ":" + s[4:6] + ":" + s[6:8] + ":" + s[8:10] + ":" + s[10:]
	}
	parts := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return c == '.' || c == ':' })
	for i, p := range parts {
		parts[i] = ("0" + p)[len(p)-1:]
	}
	return strings.Join(parts, ":")
}

// signOf is a sign and the output that has it.
type signOf struct {
	sign
	part *part
}

// signKey is where signs stand that are compared with each other.
type signKey struct {
	class signClass
	what  string
}

// signTable holds the signs of some outputs by what they are of.
type signTable map[signKey][]signOf

func (t signTable) add(p *part) {
	for _, s := range p.signs {
		at := signKey{s.class, s.what}
		if !slices.ContainsFunc(t[at], func(had signOf) bool { return had.value == s.value }) {
			t[at] = append(t[at], signOf{s, p})
		}
	}
}

// has reports whether the table has a sign.
func (t signTable) has(s sign) bool {
	return slices.ContainsFunc(t[signKey{s.class, s.what}], func(had signOf) bool { return strings.EqualFold(had.value, s.value) })
}

// agrees reports whether some signs have a MAC or an address of the table.
func (t signTable) agrees(signs []sign) bool {
	return slices.ContainsFunc(signs, func(s sign) bool {
		identifies := s.class == macs || s.class == addresses || s.class == strict && strings.HasPrefix(s.what, "the MAC")
		return identifies && t.has(s)
	})
}

// against gives a sign of the table that an output contradicts in a class, and that of the output; nil if there is none.
func (t signTable) against(p *part, class signClass) (had *signOf, value sign) {
	for _, s := range p.signs {
		if s.class != class {
			continue
		}
		same := t.has(s)
		if same && class != strict && class != hardware {
			return nil, sign{}
		}
		if list := t[signKey{s.class, s.what}]; len(list) > 0 && !same && had == nil {
			had, value = &list[0], s
		}
	}
	return had, value
}
