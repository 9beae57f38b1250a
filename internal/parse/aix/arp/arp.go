// Package arp reads arp -a and arp -an of AIX: the IPv4 addresses
// that a host has talked to recently, and the hardware address of each.
package arp

import (
	"net/netip"
	"strings"

	"seaworthy/internal/parse"
)

// Entry is one line of the table.
type Entry struct {
	Name    string     `json:"name"` // lpar2; "?" where no name was looked for, as with -n
	Address netip.Addr `json:"address"`
	MAC     string     `json:"mac,omitempty"`  // 00:09:6b:2e:01:07; empty: incomplete, nobody has answered
	Kind    string     `json:"kind,omitempty"` // ethernet
	// Set by arp -s, which nothing takes out but arp -d and the interface's end; a
	// published one is answered for others.
	Permanent bool `json:"permanent,omitempty"`
	Published bool `json:"published,omitempty"`
}

// Table is one output.
type Table struct {
	parse.Report
	Entries []*Entry `json:"entries,omitempty"`
}

var (
	form = parse.Lazy(`^[ \t]*(\S+) \(([0-9.]{7,15})\) at (\(incomplete\)|[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){5})` +
		`(?: \[([a-z0-9 -]+)\])?([ \t].*)?$`)
	frame = parse.Lazy(`^[ \t]*(?:bucket:\s+[0-9]+\s+contains:\s+[0-9]+\s+entries|` +
		`There (?:are|is) [0-9]+ entr(?:ies|y) in the arp table\.)\s*$`)
)

// Parse reads the output of arp -a or -an; parse.ErrNotRecognised if no line
// is of such a table and none is a message. A last line that may have been cut
// off is not an entry.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	known := t.Read(text, func(l parse.Line) bool {
		if frame.MatchString(l.Text) {
			return true
		}
		e, mac, words := &Entry{}, "", ""
		if t.CutOff(l) || !form.Scan(l.Text, &e.Name, &e.Address, &mac, &e.Kind, &words) {
			return false
		}
		e.Permanent, e.Published = strings.Contains(words, "permanent"), strings.Contains(words, "published")
		e.MAC = parse.MAC(mac)
		t.Entries = append(t.Entries, e)
		return true
	})
	return parse.Recognised(t, known+t.Messages > 0)
}
