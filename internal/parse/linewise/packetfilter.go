package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// PacketFilter is what iptables -L -v, iptables-save -c and nft list print of the rules of a Linux firewall: those that drop
// or reject, with the packets that they took.
type PacketFilter struct {
	parse.Report
	Dropping []*FilterRule `json:"dropping,omitempty"`
	Rules    int           `json:"-"` // of any kind, with counters

	numbered bool // iptables --line-numbers
}

// FilterRule is a rule that drops or rejects packets.
type FilterRule struct {
	Packets uint64 `json:"packets"`
	Text    string `json:"text"` // what the rule matches, as printed
	Line    int    `json:"-"`    // 1-based
}

const counted = `\d+[KMGT]?`

var (
	filterHeading = parse.Lazy(`^\s*(?:(num)\s+)?pkts\s+bytes\s+target\s+prot\b`)
	filterListed  = parse.Lazy(`^\s*(` + counted + `)\s+` + counted + `\s+(\S.*)$`)
	filterNumber  = parse.Lazy(`^\s*\d+\s+(\S.*)$`)
	filterSaved   = parse.Lazy(`^\[(\d+):\d+\]\s+-A\s+\S+\s*(.*)$`)
	filterTable   = parse.Lazy(`^\s*(.*?)\s*\bcounter packets (\d+) bytes \d+\b(.*)$`)
	filterDrops   = parse.Lazy(`^(?:DROP|REJECT)\s|-j (?:DROP|REJECT)\b`)
	tableDrops    = parse.Lazy(`\b(?:drop|reject)\b`)
	// filterOther are chains, tables and rules without counters.
	filterOther = parse.Lazy(`^(?:Chain \S+ \(.*\)|#.*|\*\w+|COMMIT|:\S+ \S+ \[\d+:\d+\]|-[A-Z] .*|table \S+ \S+ \{|` +
		`\s+(?:chain|set|map|meter|counter|quota|flowtable|type|policy|flags|elements|comment|size|timeout) .*|\s*[{}]+\s*|\s+\S.*)$`)
)

var filterOutput = &output[PacketFilter]{
	name:       "packet-filter",
	ignored:    filterOther,
	rows:       []line[PacketFilter]{(*PacketFilter).readHeading, (*PacketFilter).readSaved, (*PacketFilter).readTable, (*PacketFilter).readListed},
	ended:      true,
	recognised: func(f *PacketFilter) bool { return f.Rules > 0 },
}

// ParsePacketFilter reads an output; parse.ErrNotRecognised without a rule that has counters.
func ParsePacketFilter(text []byte) (*PacketFilter, error) { return filterOutput.parse(text) }

func (f *PacketFilter) readHeading(l parse.Line) bool {
	number := ""
	if !filterHeading.Scan(l.Text, &number) {
		return false
	}
	f.numbered = number != ""
	return true
}

func (f *PacketFilter) readListed(l parse.Line) bool {
	text := l.Text
	if f.numbered && !filterNumber.Scan(l.Text, &text) {
		return false
	}
	count, rest := "", ""
	if !filterListed.Scan(text, &count, &rest) {
		return false
	}
	return f.take(count, rest, filterDrops.MatchString(rest+" "), l.Number)
}

func (f *PacketFilter) readSaved(l parse.Line) bool {
	count, rest := "", ""
	if !filterSaved.Scan(l.Text, &count, &rest) {
		return false
	}
	return f.take(count, rest, filterDrops.MatchString(rest), l.Number)
}

func (f *PacketFilter) readTable(l parse.Line) bool {
	match, count, rest := "", "", ""
	if !filterTable.Scan(l.Text, &match, &count, &rest) {
		return false
	}
	return f.take(count, match+rest, tableDrops.MatchString(rest), l.Number)
}

// take keeps a rule; false if its count cannot be read.
func (f *PacketFilter) take(count, text string, drops bool, line int) bool {
	n, ok := thousands(count)
	if !ok {
		return false
	}
	f.Rules++
	if drops {
		f.Dropping = append(f.Dropping, &FilterRule{Packets: n, Text: text, Line: line})
	}
	return true
}

// thousands reads a count as iptables shortens it: 12K is 12,000.
func thousands(text string) (uint64, bool) {
	factor := uint64(1)
	for _, unit := range []string{"K", "M", "G", "T"} {
		factor *= 1000
		if digits, ok := strings.CutSuffix(text, unit); ok {
			n, ok := parse.Count(digits)
			return n * factor, ok && n <= 1<<63/factor
		}
	}
	return parse.Count(text)
}

// kinds of what a rule drops that belongs to connections which should pass.
var filterKinds = []struct {
	name string
	form *parse.Pattern
}{
	{"firewall.dropped_invalid", parse.Lazy(`(?i)\b(?:ct ?)?state\s+(?:\S+,)?INVALID\b`)},
	{"firewall.dropped_icmp", parse.Lazy(`(?i)icmptype 3(?: code [04])?\b|icmp-type (?:3\b|3/4|fragmentation-needed|destination-unreachable)|` +
		`icmp type (?:destination-unreachable|3\b)|frag-needed|icmpv6 type packet-too-big|ipv6-icmptype 2\b|icmpv6-type (?:2\b|packet-too-big)`)},
	{"firewall.dropped_icmp", parse.Lazy(`(?i)^(?:DROP|REJECT)\s+(?:icmp|ipv6-icmp|icmpv6|1|58)\s+(?:--|opt)?\s*\S+\s+\S+\s+\S+\s+\S+\s*$|` +
		`^(?:\S+ )*?(?:-p|ip protocol|meta l4proto) (?:icmp|ipv6-icmp|icmpv6)\s+(?:-j (?:DROP|REJECT)|drop|reject)\s*$`)},
	{"firewall.dropped_limit", parse.Lazy(`(?i)\blimit: (?:above|avg)|--hashlimit-above|--connlimit-above|#conn |\blimit rate over\b|\bct count over\b|recent: UPDATE|--update`)},
}

// Counters are the packets that rules dropped, all as "firewall.dropped", and of the kinds of rules that there are: of
// connections that are not tracked ("firewall.dropped_invalid"), ICMP messages about packets that are too big
// ("firewall.dropped_icmp"), what exceeds a rate ("firewall.dropped_limit").
func (f *PacketFilter) Counters() map[string]uint64 {
	sums := map[string]uint64{"firewall.dropped": 0}
	for _, r := range f.Dropping {
		sums["firewall.dropped"] += r.Packets
		taken := ""
		for _, k := range filterKinds {
			if k.name != taken && k.form.MatchString(r.Text) {
				sums[k.name] += r.Packets
				taken = k.name
			}
		}
	}
	return sums
}
