package linewise

import (
	"net/netip"

	"seaworthy/internal/parse"
)

// ARPTable is the output of arp -a or -an of AIX: the IPv4 addresses that a host has talked to recently.
type ARPTable struct {
	parse.Report
	Entries []*ARPEntry `json:"entries,omitempty"`
}

// ARPEntry is one line.
type ARPEntry struct {
	Name    string     `json:"name" from:"name"` // lpar2; "?" where no name was looked for, as with -n
	Address netip.Addr `json:"address" from:"address"`
	MAC     string     `json:"mac,omitempty" from:"mac"`   // 00:09:6b:2e:01:07; empty: incomplete, nobody has answered
	Kind    string     `json:"kind,omitempty" from:"kind"` // ethernet
	// Set by arp -s, which nothing takes out but arp -d and the interface's end; a
	// published one is answered for others.
	Permanent bool `json:"permanent,omitempty" from:"permanent"`
	Published bool `json:"published,omitempty" from:"published"`
}

var arpOutput = &output[ARPTable]{
	name: "arp",
	ignored: parse.Lazy(`^[ \t]*(?:bucket:\s+[0-9]+\s+contains:\s+[0-9]+\s+entries|` +
		`There (?:are|is) [0-9]+ entr(?:ies|y) in the arp table\.)\s*$`),
	rows: []line[ARPTable]{row(
		parse.Lazy(`^[ \t]*(?P<name>\S+) \((?P<address>[0-9.]{7,15})\) at `+
			`(?P<mac>\(incomplete\)|[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){5})(?: \[(?P<kind>[a-z0-9 -]+)\])?`+
			`(?:[ \t](?:.*?(?:(?P<permanent>permanent)|(?P<published>published)))*.*)?$`),
		func(t *ARPTable) *[]*ARPEntry { return &t.Entries },
		func(e *ARPEntry) bool {
			e.MAC = parse.MAC(e.MAC)
			return true
		})},
	ended:   true,
	message: true,
}

// ParseARP reads arp -a or -an of AIX; parse.ErrNotRecognised if no line is of such a table and none is a message.
func ParseARP(text []byte) (*ARPTable, error) { return arpOutput.parse(text) }
