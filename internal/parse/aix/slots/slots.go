// Package slots reads lsdev -slots of a VIOS: the slots of the
// partition, virtual ones among them, with the devices in each.
package slots

import (
	"strings"

	"seaworthy/internal/parse"
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
	parse.Report
	Slots []*Slot `json:"slots,omitempty"`
}

const indent = 8 // blanks at least before a line with nothing but further devices

var (
	headForm = parse.Lazy(`^#[ \t]+Slot[ \t]+Description[ \t]+Device\(s\)\s*$`)
	slotForm = parse.Lazy(`^(U[0-9A-Z]{4}\.[0-9A-Z]{2,4}\.[0-9A-Z]{5,8}(?:-[A-Z][0-9]+)+)\s+` +
		`([A-Z][A-Za-z0-9/,. -]*?Slot)(?:\s+(\S.*?))?\s*$`)
	device = parse.Lazy(`^[a-z][a-zA-Z_]*[0-9]+$`)
)

// Parse reads lsdev -slots; parse.ErrNotRecognised for a text without its
// heading and its slots. A line that is damaged is not a slot, and what follows it
// does not belong to the slot before.
func Parse(text []byte) (*List, error) {
	l := &List{}
	headed := false
	var open *Slot // that further devices belong to
	l.Read(text, func(line parse.Line) bool {
		m := slotForm.FindStringSubmatch(line.Text)
		body := strings.TrimLeft(line.Text, " \t")
		switch {
		case !headed && headForm.MatchString(line.Text):
			headed = true
			return true
		case headed && m != nil:
			s := &Slot{Location: m[1], Description: m[2], Line: line.Number}
			if open = nil; m[3] == "Unknown" || m[3] == "EMPTY" || s.add(m[3]) {
				open = s
				l.Slots = append(l.Slots, s)
			}
		case open != nil && (len(line.Text)-len(body) < indent || !open.add(body)):
			open = nil
		}
		return open != nil
	})
	return parse.Recognised(l, headed || l.Messages > 0)
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
