package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// Slot is one slot of a VIOS, virtual ones among them, with the devices in it.
type Slot struct {
	Location    string   `json:"location"`          // U9009.22A.1234567-V1-C2
	Description string   `json:"description"`       // Virtual I/O Slot
	Devices     []string `json:"devices,omitempty"` // ent4; none: "Unknown" or nothing is printed
	Line        int      `json:"-"`                 // 1-based, 0 if not read from a text
}

// SlotList is the output of lsdev -slots.
type SlotList struct {
	parse.Report
	Slots []*Slot `json:"slots,omitempty"`
}

const slotsIndent = 8 // blanks at least before a line with nothing but further devices

var (
	slotsForm = parse.Lazy(`^(U[0-9A-Z]{4}\.[0-9A-Z]{2,4}\.[0-9A-Z]{5,8}(?:-[A-Z][0-9]+)+)\s+` +
		`([A-Z][A-Za-z0-9/,. -]*?Slot)(?:\s+(\S.*?))?\s*$`)
	slotsDevice = parse.Lazy(`^[a-z][a-zA-Z_]*[0-9]+$`)
)

var slotsOutput = &output[SlotList]{
	name:    "slots",
	heading: parse.Lazy(`^#[ \t]+Slot[ \t]+Description[ \t]+Device\(s\)\s*$`),
	reader:  readSlots,
	message: true,
}

// readSlots reads one line after the other: further devices of a slot stand below it. A line that is damaged is not a
// slot, and what follows it does not belong to the slot before.
func readSlots(*SlotList) line[SlotList] {
	var open *Slot // that further devices belong to
	return func(list *SlotList, l parse.Line) bool {
		body := strings.TrimLeft(l.Text, " \t")
		if m := slotsForm.FindStringSubmatch(l.Text); m != nil {
			open = nil
			s := &Slot{Location: m[1], Description: m[2], Line: l.Number}
			if m[3] == "Unknown" || m[3] == "EMPTY" || s.add(m[3]) {
				open = s
				list.Slots = append(list.Slots, s)
			}
		} else if open != nil && (len(l.Text)-len(body) < slotsIndent || !open.add(body)) {
			open = nil
		}
		return open != nil
	}
}

// ParseSlots reads lsdev -slots; parse.ErrNotRecognised for a text without its heading.
func ParseSlots(text []byte) (*SlotList, error) { return slotsOutput.parse(text) }

// add takes a list of devices, all or none of it.
func (s *Slot) add(text string) bool {
	names := strings.Fields(text)
	for _, n := range names {
		if !slotsDevice.MatchString(n) {
			return false
		}
	}
	s.Devices = append(s.Devices, names...)
	return true
}
