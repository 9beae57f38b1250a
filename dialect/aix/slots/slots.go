// Package slots reads and prints lsdev -slots of a VIOS: the slots of the
// partition, virtual ones among them, with the devices in each.
package slots

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
)

// Slot is one slot.
type Slot struct {
	Location    string   `json:"location"`          // U9009.22A.1234567-V1-C2
	Description string   `json:"description"`       // Virtual I/O Slot
	Devices     []string `json:"devices,omitempty"` // ent4; none: "Unknown" or nothing is printed
	Line        int      `json:"-"`                 // 1-based, 0 if not read from a text
}

// List is one output.
type List struct {
	dialect.Report
	Slots []*Slot `json:"slots,omitempty"`
}

const (
	heading = "# Slot                    Description       Device(s)"
	indent  = 8 // blanks at least before a line with nothing but further devices
)

var (
	headForm = dialect.Lazy(`^#[ \t]+Slot[ \t]+Description[ \t]+Device\(s\)\s*$`)
	slotForm = dialect.Lazy(`^(U[0-9A-Z]{4}\.[0-9A-Z]{2,4}\.[0-9A-Z]{5,8}(?:-[A-Z][0-9]+)+)\s+` +
		`([A-Z][A-Za-z0-9/,. -]*?Slot)(?:\s+(\S.*?))?\s*$`)
	device = dialect.Lazy(`^[a-z][a-zA-Z_]*[0-9]+$`)
)

// Parse reads lsdev -slots; dialect.ErrNotRecognised for a text without its
// heading and its slots. A line that is damaged is not a slot, and what follows it
// does not belong to the slot before.
func Parse(text []byte) (*List, error) {
	l := &List{}
	headed := false
	var open *Slot // that further devices belong to
	for _, line := range dialect.Lines(text, &l.Report) {
		m := slotForm.FindStringSubmatch(line.Text)
		body := strings.TrimLeft(line.Text, " \t")
		switch {
		case !headed && headForm.MatchString(line.Text):
			headed = true
		case headed && m != nil:
			open = &Slot{Location: m[1], Description: m[2], Line: line.Number}
			if m[3] != "Unknown" && m[3] != "EMPTY" && !open.add(m[3]) {
				open = nil
				l.NotUnderstood(line)
				continue
			}
			l.Slots = append(l.Slots, open)
		case open != nil && len(line.Text)-len(body) >= indent && open.add(body):
		default:
			open = nil
			l.NotUnderstood(line)
		}
	}
	if !headed && l.Messages == 0 {
		return nil, fmt.Errorf("lsdev -slots: %w", dialect.ErrNotRecognised)
	}
	return l, nil
}

// add takes a list of devices, all or none of it.
func (s *Slot) add(text string) bool {
	names := strings.Fields(text)
	for _, n := range names {
		if !device.MatchString(n) {
			return false
		}
	}
	s.Devices = append(s.Devices, names...)
	return true
}

// Format prints a list.
func Format(l *List) []byte {
	var b strings.Builder
	b.WriteString(heading + "\n")
	for _, s := range l.Slots {
		line := fmt.Sprintf("%-25s %-17s %s", s.Location, s.Description, strings.Join(s.Devices, " "))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return []byte(b.String())
}
