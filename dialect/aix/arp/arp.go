// Package arp reads and prints arp -a and arp -an of AIX: the IPv4 addresses
// that a host has talked to of late, and the hardware address of each.
package arp

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

// Entry is one line of the table.
type Entry struct {
	Name    string     `json:"name"` // lpar2; "?" where no name was looked for, as with -n
	Address netip.Addr `json:"address"`
	MAC     string     `json:"mac,omitempty"`  // 00:09:6b:2e:01:07; empty: incomplete, nobody has answered
	Kind    string     `json:"kind,omitempty"` // ethernet
	Line    int        `json:"-"`              // 1-based, 0 if not read from a text

	raw   string
	paint printout.Paint
}

// Table is one output.
type Table struct {
	dialect.Report
	Entries []*Entry `json:"entries,omitempty"`

	layout printout.Layout
}

var (
	form  = dialect.Lazy(`^[ \t]*(\S+) \(([0-9.]{7,15})\) at (\(incomplete\)|[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){5})(?: \[([a-z0-9 -]+)\])?([ \t].*)?$`)
	known = dialect.Lazy(`^[ \t]*(?:bucket:[ \t]+[0-9]+[ \t]+contains:[ \t]+[0-9]+[ \t]+entries|There (?:are|is) [0-9]+ entr(?:ies|y) in the arp table\.)[ \t\r]*$`)
)

// Parse reads the output of arp -a or -an; dialect.ErrNotRecognised if no line
// is of such a table and none is a message. A last line that may have been cut
// off is no entry.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	s, err := printout.Open("arp", text, &t.Report)
	if err != nil {
		return nil, err
	}
	t.layout = s.Layout()
	_, open := s.Ends()
	recognised := s.Messages > 0
	for i, line := range s.Lines {
		if !s.Message[i] && known.MatchString(line) {
			recognised = true
			s.KeepKnown(&t.layout, i)
			continue
		}
		e := parseLine(line)
		if e == nil || s.Message[i] || open && i == len(s.Lines)-1 {
			s.Keep(&t.layout, i)
			continue
		}
		recognised = true
		e.Line, e.paint = i+1, s.Paint[i]
		t.Entries = append(t.Entries, e)
		t.layout.Row()
	}
	if !recognised {
		return nil, fmt.Errorf("arp: %w", dialect.ErrNotRecognised)
	}
	return t, nil
}

func parseLine(line string) *Entry {
	m := form.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	a, err := netip.ParseAddr(m[2])
	if err != nil {
		return nil
	}
	e := &Entry{Name: m[1], Address: a, Kind: m[4], raw: line}
	if m[3][0] == '(' {
		return e
	}
	for part := range strings.SplitSeq(m[3], ":") {
		n, _ := strconv.ParseUint(part, 16, 8) // the form has digits only
		e.MAC += fmt.Sprintf(":%02x", n)
	}
	e.MAC = e.MAC[1:]
	return e
}

// Format prints a table: as it was read, or anew with the number of entries
// below, as AIX does.
func Format(t *Table) []byte {
	if t.layout.Empty() {
		var b strings.Builder
		for _, e := range t.Entries {
			b.WriteString(e.line() + "\n")
		}
		fmt.Fprintf(&b, "\nThere are %d entries in the arp table.\n", len(t.Entries))
		return []byte(b.String())
	}
	return t.layout.Print(len(t.Entries), func(i int) string {
		e := t.Entries[i]
		was := parseLine(e.raw)
		if was != nil && was.Name == e.Name && was.Address == e.Address && was.MAC == e.MAC && was.Kind == e.Kind {
			return e.paint.On(e.raw)
		}
		return e.paint.On(e.line())
	})
}

// line is an entry as AIX prints it: bytes without leading zeros.
func (e *Entry) line() string {
	line := fmt.Sprintf("  %s (%s) at ", e.Name, e.Address)
	if e.MAC == "" {
		line += "(incomplete)"
	}
	for i, part := range strings.Split(e.MAC, ":") {
		if i > 0 {
			line += ":"
		}
		if short := strings.TrimLeft(part, "0"); short != "" || part == "" {
			line += short
		} else {
			line += "0"
		}
	}
	if e.Kind != "" {
		line += " [" + e.Kind + "]"
	}
	return line
}
