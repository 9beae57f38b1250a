// Package arp reads and prints arp -a and arp -an of AIX: the IPv4 addresses
// that a host has talked to recently, and the hardware address of each.
package arp

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect"
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
	dialect.Report
	Entries []*Entry `json:"entries,omitempty"`
}

var (
	form = dialect.Lazy(`^[ \t]*(\S+) \(([0-9.]{7,15})\) at (\(incomplete\)|[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){5})` +
		`(?: \[([a-z0-9 -]+)\])?([ \t].*)?$`)
	frame = dialect.Lazy(`^[ \t]*(?:bucket:\s+[0-9]+\s+contains:\s+[0-9]+\s+entries|` +
		`There (?:are|is) [0-9]+ entr(?:ies|y) in the arp table\.)\s*$`)
)

// Parse reads the output of arp -a or -an; dialect.ErrNotRecognised if no line
// is of such a table and none is a message. A last line that may have been cut
// off is not an entry.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	known := 0
	for _, l := range dialect.Lines(text, &t.Report) {
		if frame.MatchString(l.Text) {
			known++
			continue
		}
		e := parseLine(l.Text)
		if e == nil || t.CutOff(l) {
			t.NotUnderstood(l)
			continue
		}
		t.Entries = append(t.Entries, e)
	}
	if known+len(t.Entries)+t.Messages == 0 {
		return nil, fmt.Errorf("arp: %w", dialect.ErrNotRecognised)
	}
	return t, nil
}

func parseLine(line string) *Entry {
	m := form.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	address, err := netip.ParseAddr(m[2])
	if err != nil {
		return nil
	}
	e := &Entry{Name: m[1], Address: address, Kind: m[4]}
	words := strings.Fields(m[5])
	e.Permanent, e.Published = slices.Contains(words, "permanent"), slices.Contains(words, "published")
	if m[3] == "(incomplete)" {
		return e
	}
	for part := range strings.SplitSeq(m[3], ":") {
		n, _ := strconv.ParseUint(part, 16, 8) // the form has digits only
		e.MAC += fmt.Sprintf(":%02x", n)
	}
	e.MAC = e.MAC[1:]
	return e
}

// Format prints a table as AIX does: bytes without leading zeros, the number
// of entries below.
func Format(t *Table) []byte {
	var b strings.Builder
	for _, e := range t.Entries {
		mac := "(incomplete)"
		if e.MAC != "" {
			mac = strings.ReplaceAll(":"+e.MAC, ":0", ":")[1:]
		}
		fmt.Fprintf(&b, "  %s (%s) at %s", e.Name, e.Address, mac)
		if e.Kind != "" {
			fmt.Fprintf(&b, " [%s]", e.Kind)
		}
		if e.Permanent {
			b.WriteString(" permanent")
		}
		if e.Published {
			b.WriteString(" published")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\nThere are %d entries in the arp table.\n", len(t.Entries))
	return []byte(b.String())
}
