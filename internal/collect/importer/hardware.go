package importer

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// hardwarePatterns are what outputs say of the ports and processors of a host, by the beginning of their entry's id. The
// values of one with a device are of that device.
var hardwarePatterns = []struct {
	id, what string
	device   bool
	at       *parse.Pattern
}{
	{"ethtool-i", "the driver", true, parse.Lazy(`(?m)^driver:[ \t]*(\S+)`)},
	{"ethtool-i", "the bus address", true, parse.Lazy(`(?m)^bus-info:[ \t]*(\S+)`)},
	{"ethtool-g", "the largest receive ring", true, parse.Lazy(`(?m)^Pre-set maximums:\nRX:[ \t]*(\d+)`)},
	{"ethtool", "the supported ports", true, parse.Lazy(`(?m)^[ \t]*Supported ports:[ \t]*\[[ \t]*(\S[^\]\n]*?)[ \t]*\]`)},
	{"lscpu", "the model of the processors", false, parse.Lazy(`(?m)^Model name:[ \t]*(\S[^\n]*)`)},
	{"lsdev", "the place of ent0", false, parse.Lazy(`(?m)^ent0[ \t]+\w+[ \t]+(\d\w-\w\w(?:-\w\w)*)[ \t]`)},
	{"lsdev", "the kind of ent0", false, parse.Lazy(`(?m)^ent0[ \t]+\w+[ \t]+(?:\d\S+[ \t]+)?([A-Z0-9][^\n]*\))`)},
	{"lscfg", "the physical location of ent0", false, parse.Lazy(`(?m)^[ \t]*\+?[ \t]*ent0[ \t]+(U\w{4,5}\.\w{3}\.\w{7}-\S+)`)},
}

// permanentAddress is what ethtool -P prints.
var permanentAddress = parse.Lazy(`(?m)^Permanent address:[ \t]*((?:[0-9a-f]{2}:){5}[0-9a-f]{2})`)

// leastAttributes is how many names of attributes or counters are needed to tell one kind of port from another.
const leastAttributes = 5

// hardwareSigns are what an output says of the hardware of its host.
func hardwareSigns(f *detect.Found, text []byte) (out []sign) {
	device := strings.Clone(f.Element)
	if words := strings.Fields(f.Command); device == "" && len(words) > 1 && detect.IsDevice(words[len(words)-1]) {
		device = strings.Clone(words[len(words)-1])
	}
	for _, m := range permanentAddress.Regexp().FindAllSubmatch(text, maxListed) {
		out = append(out, sign{strict, strings.TrimSuffix("the permanent address of "+device, " of "), string(m[1])})
	}
	for _, h := range hardwarePatterns {
		exact := h.device && f.ID != h.id
		if exact || !strings.HasPrefix(f.ID, h.id) || h.device && device == "" || commonPort.MatchString(device) {
			continue
		}
		m := h.at.Regexp().FindSubmatch(text)
		switch {
		case m == nil:
		case h.device:
			out = append(out, sign{hardware, h.what + " of " + device, string(m[1])})
		default:
			out = append(out, sign{hardware, h.what, string(m[1])})
		}
	}
	if names := namesIn(f, text); len(names) >= leastAttributes {
		sum := crc32.ChecksumIEEE([]byte(strings.Join(names, "\n")))
		set := fmt.Sprintf("%s, %s, … (%d, %08x)", names[0], names[1], len(names), sum)
		out = append(out, sign{hardware, "the set of " + f.Kind + " of " + device, set})
	}
	return out
}

// attributeLine is a line of lsattr -El.
var attributeLine = parse.Lazy(`^([a-z_0-9]+)[ \t]+.*[ \t](?:True|False)\+?$`)

// namesIn are the attributes of an adapter that lsattr -El lists, which depend on its kind.
func namesIn(f *detect.Found, text []byte) (names []string) {
	if f.ID != "lsattr-El" || !strings.HasPrefix(f.Element, "ent") || detect.IsFiltered(f.Command) || strings.Contains(f.Command, " -a") {
		return nil
	}
	for l := range strings.Lines(string(text)) {
		if m := attributeLine.FindStringSubmatch(strings.TrimRight(l, " \t\r\n")); m != nil {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return names
}

var (
	// connected is a line of iperf, or of an established connection in ss and netstat -an: the host's own address and the other's.
	connected = parse.Lazy(`(?m)\blocal (\d{1,3}(?:\.\d{1,3}){3}) port \d+ connected (?:to|with) (\d{1,3}(?:\.\d{1,3}){3}) port|` +
		`^(?:tcp\d? .*?|ESTAB +\d+ +\d+ +)(\d{1,3}(?:\.\d{1,3}){3})[:.]\d+[ \t]+(\d{1,3}(?:\.\d{1,3}){3})[:.]\d+(?:[ \t]|$)`)
	// neighbour is a line of ip neigh or arp -an.
	neighbour = parse.Lazy(`(?m)^(?:(\d{1,3}(?:\.\d{1,3}){3}) dev \S+ lladdr|\S+ \((\d{1,3}(?:\.\d{1,3}){3})\) at [0-9a-f]{1,2}:)`)
)

// mostSpeakers bounds the addresses of an output that are kept.
const mostSpeakers = 200

// speakers are the addresses of a host itself and of its neighbours that an output gives.
func speakers(text []byte) (out []sign) {
	mine := map[string]bool{}
	for _, m := range connected.Regexp().FindAllSubmatch(text, mostSpeakers) {
		local, remote := string(m[1])+string(m[3]), string(m[2])+string(m[4])
		if local == remote || nobodysIPv4.MatchString(local) || nobodysIPv4.MatchString(remote) {
			continue
		}
		mine[local] = true
		out = append(out, sign{own, "an address", local}, sign{peers, "an address", remote})
	}
	for _, m := range neighbour.Regexp().FindAllSubmatch(text, mostSpeakers) {
		out = append(out, sign{peers, "an address", string(m[1]) + string(m[2])})
	}
	return slices.DeleteFunc(out, func(s sign) bool { return s.class == peers && mine[s.value] })
}
