// Package procarp reads /proc/net/arp of Linux: the IPv4 addresses that a host
// has talked to recently.
package procarp

import (
	"net/netip"
	"strconv"

	"seaworthy/internal/parse"
)

// Entry is one line of the table.
type Entry struct {
	Address netip.Addr `json:"address"`
	Type    uint64     `json:"type"`  // hardware, 1: Ethernet (include/uapi/linux/if_arp.h)
	Flags   uint64     `json:"flags"` // 2: complete
	MAC     string     `json:"mac"`   // 00:09:6b:2e:01:07, zeros if it is not known
	Device  string     `json:"device"`
}

// Complete says that an Ethernet interface has answered for the address.
func (e *Entry) Complete() bool { return e.Type == 1 && e.Flags&2 != 0 }

// Table is the whole file.
type Table struct {
	parse.Report
	Entries []*Entry `json:"entries,omitempty"`
}

var (
	heading = parse.Lazy(`^\s*IP address\s+HW type\s+Flags\s+HW address\s+Mask\s+Device\s*$`)
	form    = parse.Lazy(`^([0-9.]{7,15})\s+0x([0-9a-f]{1,8})\s+0x([0-9a-f]{1,8})\s+([0-9a-f]{2}(?::[0-9a-f]{2}){5})\s+\S+\s+(\S+)\s*$`)
)

// Parse reads the file; parse.ErrNotRecognised if its heading is missing. A
// last line that was cut off is not an entry.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	headed := false
	t.Read(text, func(l parse.Line) bool {
		if !headed {
			headed = heading.MatchString(l.Text)
			return headed
		}
		e, kind, flags := &Entry{}, "", ""
		if t.CutOff(l) || !form.Scan(l.Text, &e.Address, &kind, &flags, &e.MAC, &e.Device) {
			return false
		}
		e.Type, _ = strconv.ParseUint(kind, 16, 64) // the form has digits only
		e.Flags, _ = strconv.ParseUint(flags, 16, 64)
		t.Entries = append(t.Entries, e)
		return true
	})
	return parse.Recognised(t, headed)
}
