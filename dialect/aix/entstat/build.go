package entstat

import (
	"fmt"
	"time"
)

// Head is the part of the statistics that all adapters print.
type Head struct {
	Name            string // entN or enN; empty prints no heading
	DeviceType      string // "Virtual I/O Ethernet Adapter (l-lan)"
	HardwareAddress string // aa:bb:cc:dd:ee:ff; empty prints no line
	Elapsed         *time.Duration
	// Counters are the two-column and the general counters, named as Counters
	// names them: "tx.Packets", "rx.No Resource Errors", "S/W Transmit Queue
	// Overflow", "Adapter Data Rate". One that is missing prints no line; see
	// HeadCounters for the names AIX prints.
	Counters map[string]uint64
	Flags    []string // driver flags; nil prints no line
}

// headCounters are the counters every driver prints, left and right.
var headCounters = [][2]string{
	{"Packets", "Packets"}, {"Bytes", "Bytes"}, {"Interrupts", "Interrupts"},
	{"Transmit Errors", "Receive Errors"}, {"Packets Dropped", "Packets Dropped"}, {"", "Bad Packets"},
	{"Max Packets on S/W Transmit Queue", ""}, {"S/W Transmit Queue Overflow", ""}, {"Current S/W+H/W Transmit Queue Length", ""},
	{"Broadcast Packets", "Broadcast Packets"}, {"Multicast Packets", "Multicast Packets"},
	{"No Carrier Sense", "CRC Errors"}, {"DMA Underrun", "DMA Overrun"}, {"Lost CTS Errors", "Alignment Errors"},
	{"Max Collision Errors", "No Resource Errors"}, {"Late Collision Errors", "Receive Collision Errors"},
	{"Deferred", "Packet Too Short Errors"}, {"SQE Test", "Packet Too Long Errors"},
	{"Timeout Errors", "Packets Discarded by Adapter"}, {"Single Collision Count", "Receiver Start Count"},
	{"Multiple Collision Count", ""}, {"Current HW Transmit Queue Length", ""},
}

var generalCounters = []string{"No mbuf Errors", "Adapter Reset Count", "Adapter Data Rate"}

// HeadCounters are the names of the counters that every AIX driver prints, in
// printed order. AIX prints 0 for those an adapter does not support.
func HeadCounters() []string {
	var names []string
	for _, pair := range headCounters {
		names = append(names, counterNames(pair)...)
	}
	return append(names, generalCounters...)
}

func counterNames(pair [2]string) []string {
	switch {
	case pair[1] == "":
		return []string{pair[0]}
	case pair[0] == "":
		return []string{Receive.String() + "." + pair[1]}
	}
	return []string{Transmit.String() + "." + pair[0], Receive.String() + "." + pair[1]}
}

// New makes the statistics of an adapter that were never a text. The Add
// methods give it the blocks of its driver; what they are not given they leave
// out.
func New(h Head) *Statistics {
	s := &Statistics{Name: h.Name}
	b := builder{s: s}
	b.text("Device Type", h.DeviceType)
	if h.HardwareAddress != "" {
		b.text("Hardware Address", h.HardwareAddress)
	}
	if h.Elapsed != nil {
		b.text("Elapsed Time", FormatElapsed(*h.Elapsed))
	}
	for _, pair := range headCounters {
		for i, name := range counterNames(pair) {
			if n, ok := h.Counters[name]; ok {
				f := b.number(pair[0], &n)
				f.Side = OneColumn
				if pair[1] != "" {
					f.Side = Transmit
				}
				if i == 1 || pair[0] == "" {
					f.Label, f.Side = pair[1], Receive
				}
			}
		}
	}
	b.general(h)
	return s
}

// general adds the General Statistics if any of them is given.
func (b *builder) general(h Head) {
	given := h.Flags != nil
	for _, name := range generalCounters {
		_, ok := h.Counters[name]
		given = given || ok
	}
	if !given {
		return
	}
	b.major("General Statistics")
	for _, name := range generalCounters {
		if n, ok := h.Counters[name]; ok {
			b.number(name, &n)
		}
	}
	if h.Flags != nil {
		b.add(List, "Driver Flags").Items = h.Flags
	}
}

// FormatElapsed prints a duration as entstat does: "3 days 5 hours 15 minutes
// 41 seconds".
func FormatElapsed(d time.Duration) string {
	n := int64(d / time.Second)
	return fmt.Sprintf("%d days %d hours %d minutes %d seconds", n/86400, n/3600%24, n/60%60, n%60)
}

// AddMember puts an adapter below an SEA, in a role, or below an EtherChannel,
// without one.
func (s *Statistics) AddMember(role Role, m *Statistics) {
	m.Role, m.RoleName = role, ""
	if role != "" {
		m.RoleName = m.Name
	}
	s.Members = append(s.Members, m)
}

// builder adds fields to an adapter.
type builder struct {
	s       *Statistics
	section string
	majors  string
	level   int
}

func (b *builder) add(kind Kind, label string) *Field {
	f := &Field{Kind: kind, Section: b.section, Level: b.level, Label: label}
	b.s.Fields = append(b.s.Fields, f)
	return f
}

func (b *builder) text(label, text string) {
	if text != "" {
		b.add(Value, label).Text = text
	}
}

func (b *builder) number(label string, n *uint64) *Field {
	if n == nil {
		return nil
	}
	f := b.add(Value, label)
	value := *n
	f.Number = &value
	return f
}

func (b *builder) state(label string, state *bool, yes, no string) {
	if state == nil {
		return
	}
	if *state {
		b.text(label, yes)
	} else {
		b.text(label, no)
	}
}

// major opens a section with a rule below its heading.
func (b *builder) major(name string) *Field {
	b.section, b.majors, b.level = name, name, 0
	return b.add(Heading, name)
}

// minor opens a section inside the major one; the fields after it stand one
// level deeper.
func (b *builder) minor(level int, path ...string) {
	b.section, b.level = b.majors, level
	for _, p := range path {
		b.section += " / " + p
	}
	b.add(Heading, path[len(path)-1])
	b.level = level + 1
}

// row adds a table row; one without any number is left out.
func (b *builder) row(label string, cells ...*uint64) {
	for _, c := range cells {
		if c != nil {
			b.add(Row, label).Cells = cells
			return
		}
	}
}
