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
			empty := m[3] == "Unknown" || m[3] == "EMPTY"
			devices, ok := deviceNames(m[3])
			if empty || ok {
				open = &Slot{Location: m[1], Description: m[2], Line: l.Number}
				list.Slots = append(list.Slots, open)
			}
			if !empty && ok {
				open.Devices = devices
			}
			return open != nil
		}
		devices, ok := deviceNames(body)
		if open == nil || len(l.Text)-len(body) < slotsIndent || !ok {
			open = nil
			return false
		}
		open.Devices = append(open.Devices, devices...)
		return true
	}
}

// ParseSlots reads lsdev -slots; parse.ErrNotRecognised for a text without its heading.
func ParseSlots(text []byte) (*SlotList, error) { return slotsOutput.parse(text) }

// deviceNames are the names in a list of devices; false if one of them is none.
func deviceNames(text string) ([]string, bool) {
	var names []string
	for n := range strings.FieldsSeq(text) {
		if !slotsDevice.MatchString(n) {
			return nil, false
		}
		names = append(names, n)
	}
	return names, true
}
