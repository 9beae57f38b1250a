// Package procarp reads and prints /proc/net/arp of Linux: the IPv4 addresses
// that a host has talked to of late.
package procarp

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Entry is one line of the table.
type Entry struct {
	Address netip.Addr `json:"address"`
	Type    uint64     `json:"type"`  // hardware, 1: Ethernet (include/uapi/linux/if_arp.h)
	Flags   uint64     `json:"flags"` // 2: complete
	MAC     string     `json:"mac"`   // 00:09:6b:2e:01:07, zeros if it is not known
	Mask    string     `json:"mask"`  // *
	Device  string     `json:"device"`

	before []string
	raw    string
}

// Complete says that an Ethernet interface has answered for the address.
func (e *Entry) Complete() bool { return e.Type == 1 && e.Flags&2 != 0 }

// Table is the whole file.
type Table struct {
	dialect.Report
	Entries []*Entry     `json:"entries,omitempty"`
	Layout  layout.Sheet `json:"-"`

	head []string
}

const heading = "IP address       HW type     Flags       HW address            Mask     Device"

var form = dialect.Lazy(`^([0-9.]{7,15})\s+0x([0-9a-f]{1,8})\s+0x([0-9a-f]{1,8})\s+([0-9a-f]{2}(?::[0-9a-f]{2}){5})\s+(\S+)\s+(\S+)\s*$`)

// Parse reads the file; dialect.ErrNotRecognised if its heading is missing. A
// last line that was cut off is no entry.
func Parse(text []byte) (*Table, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	t := &Table{}
	r := layout.NewReader(text, &t.Report)
	for {
		line, more := r.Next()
		if !more {
			break
		}
		switch e := parseLine(line); {
		case t.head == nil && strings.Join(strings.Fields(line), " ") == strings.Join(strings.Fields(heading), " "):
			t.head = append(r.Held(), line)
		case t.head != nil && e != nil && !r.Cut():
			e.before = r.Held()
			t.Entries = append(t.Entries, e)
		case strings.TrimSpace(line) == "":
			r.Keep()
		default:
			r.Unread()
		}
	}
	if t.head == nil {
		return nil, fmt.Errorf("/proc/net/arp: %w", dialect.ErrNotRecognised)
	}
	t.Layout = r.Sheet()
	return t, nil
}

func parseLine(line string) *Entry {
	m := form.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	a, err := netip.ParseAddr(m[1])
	if err != nil {
		return nil
	}
	e := &Entry{Address: a, MAC: m[4], Mask: m[5], Device: m[6], raw: line}
	e.Type, _ = strconv.ParseUint(m[2], 16, 64) // the form has digits only
	e.Flags, _ = strconv.ParseUint(m[3], 16, 64)
	return e
}

// Format prints the file as the kernel does.
func Format(t *Table) []byte {
	lines := t.head
	if lines == nil {
		lines = []string{heading}
	}
	lines = append([]string(nil), lines...)
	for _, e := range t.Entries {
		lines = append(lines, e.before...)
		if was := parseLine(e.raw); was != nil && was.same(e) {
			lines = append(lines, e.raw)
			continue
		}
		lines = append(lines, fmt.Sprintf("%-16s 0x%-10x0x%-10x%-17s     %-9s%s", e.Address, e.Type, e.Flags, e.MAC, e.Mask, e.Device))
	}
	return t.Layout.Join(lines)
}

func (e *Entry) same(o *Entry) bool {
	return e.Address == o.Address && e.Type == o.Type && e.Flags == o.Flags && e.MAC == o.MAC && e.Mask == o.Mask && e.Device == o.Device
}
