// Package slots reads and prints lsdev -slots of a VIOS: the slots of the
// partition, virtual ones among them, with the devices in each.
package slots

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
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

	rows   []row
	layout printout.Layout
}

// row is one printed line of a slot: its first, or one with more devices.
type row struct {
	slot     int
	from, to int // its devices on this line
	more     bool
	read     string // as it stood
	paint    printout.Paint
}

// New makes a list to print.
func New(slots ...*Slot) *List { return &List{Slots: slots} }

// Of finds the slot that holds a device; nil if none does.
func (l *List) Of(device string) *Slot {
	for _, s := range l.Slots {
		for _, d := range s.Devices {
			if d == device {
				return s
			}
		}
	}
	return nil
}

const (
	heading = "# Slot                    Description       Device(s)"
	first   = 26 // column of the description
	second  = 44 // column of the devices
)

var (
	headForm = dialect.Lazy(`^#[ \t]+Slot[ \t]+Description[ \t]+Device\(s\)[ \t]*\r?$`)
	slotForm = dialect.Lazy(`^(U[0-9A-Z]{4}\.[0-9A-Z]{2,4}\.[0-9A-Z]{5,8}(?:-[A-Z][0-9]+)+)[ \t]+([A-Z][A-Za-z0-9/,. -]*?Slot)(?:[ \t]+(\S.*?))?[ \t]*\r?$`)
	device   = dialect.Lazy(`^[a-z][a-zA-Z_]*[0-9]+$`)
)

// Parse reads lsdev -slots; dialect.ErrNotRecognised for a text without its
// heading and its slots. A line that is damaged is no slot, and what follows it
// is not the one's before.
func Parse(text []byte) (*List, error) {
	l := &List{}
	s, err := printout.Open("lsdev", text, &l.Report)
	if err != nil {
		return nil, err
	}
	l.layout = s.Layout()
	headed, open := false, false
	for i, line := range s.Lines {
		r := row{slot: len(l.Slots) - 1, read: line, paint: s.Paint[i]}
		switch {
		case s.Message[i]:
			s.Keep(&l.layout, i)
			continue
		case !headed && headForm.MatchString(line):
			headed = true
			s.KeepKnown(&l.layout, i)
			continue
		case headed && l.slot(line, i+1, &r):
			open = true
		case open && l.more(line, &r):
		default:
			open = open && s.Blank(i)
			s.Keep(&l.layout, i)
			continue
		}
		l.rows = append(l.rows, r)
		l.layout.Row()
	}
	if !headed && s.Messages == 0 {
		return nil, fmt.Errorf("lsdev -slots: %w", dialect.ErrNotRecognised)
	}
	return l, nil
}

func (l *List) slot(line string, number int, r *row) bool {
	m := slotForm.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	x := &Slot{Location: m[1], Description: m[2], Line: number}
	if m[3] != "Unknown" && m[3] != "EMPTY" && !x.add(m[3]) {
		return false
	}
	l.Slots = append(l.Slots, x)
	r.slot, r.to = len(l.Slots)-1, len(x.Devices)
	return true
}

// more reads a line that holds nothing but further devices.
func (l *List) more(line string, r *row) bool {
	body := strings.TrimLeft(line, " \t")
	if len(line)-len(body) < 8 || strings.TrimSpace(body) == "" {
		return false
	}
	x := l.Slots[r.slot]
	r.from, r.more = len(x.Devices), true
	ok := x.add(body)
	r.to = len(x.Devices)
	return ok
}

// add takes a list of devices, all or none of it.
func (x *Slot) add(text string) bool {
	names := strings.Fields(text)
	for _, n := range names {
		if !device.MatchString(n) {
			return false
		}
	}
	x.Devices = append(x.Devices, names...)
	return true
}

// Format prints a list.
func Format(l *List) []byte {
	if l.layout.Empty() {
		fresh := &List{Slots: l.Slots}
		fresh.layout.Keep(heading)
		for i, x := range l.Slots {
			fresh.rows = append(fresh.rows, row{slot: i, to: len(x.Devices)})
		}
		return fresh.layout.Print(len(fresh.rows), fresh.line)
	}
	return l.layout.Print(len(l.rows), l.line)
}

// line prints a row: as it stood, while it still says the same.
func (l *List) line(i int) string {
	r := l.rows[i]
	x := l.Slots[r.slot]
	devices := x.Devices[min(r.from, len(x.Devices)):]
	if next := i + 1; next < len(l.rows) && l.rows[next].slot == r.slot {
		devices = x.Devices[min(r.from, len(x.Devices)):min(r.to, len(x.Devices))]
	}
	words := strings.Join(devices, " ")
	if r.read != "" && r.same(x, devices) {
		return r.paint.On(r.read)
	}
	if r.more {
		return strings.Repeat(" ", second) + words
	}
	return strings.TrimRight(fmt.Sprintf("%-*s%-*s%s", first, x.Location+" ", second-first, x.Description+" ", words), " ")
}

// same says that the line as read shows these values.
func (r row) same(x *Slot, devices []string) bool {
	was := List{Slots: []*Slot{{}}}
	again := row{}
	if r.more {
		return was.more(r.read, &again) && strings.Join(was.Slots[0].Devices, " ") == strings.Join(devices, " ")
	}
	if !was.slot(r.read, 0, &again) {
		return false
	}
	y := was.Slots[1]
	return y.Location == x.Location && y.Description == x.Description && strings.Join(y.Devices, " ") == strings.Join(devices, " ")
}
