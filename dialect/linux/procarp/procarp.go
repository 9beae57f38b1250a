// Package procarp reads /proc/net/arp of Linux: the IPv4 addresses that a host
// has talked to recently.
package procarp

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/dialect"
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
	dialect.Report
	Entries []*Entry `json:"entries,omitempty"`
}

var form = dialect.Lazy(`^([0-9.]{7,15})\s+0x([0-9a-f]{1,8})\s+0x([0-9a-f]{1,8})\s+([0-9a-f]{2}(?::[0-9a-f]{2}){5})\s+\S+\s+(\S+)\s*$`)

// Parse reads the file; dialect.ErrNotRecognised if its heading is missing. A
// last line that was cut off is not an entry.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	headed := false
	for _, l := range dialect.Lines(text, &t.Report) {
		m := form.FindStringSubmatch(l.Text)
		switch {
		case !headed && strings.Join(strings.Fields(l.Text), " ") == "IP address HW type Flags HW address Mask Device":
			headed = true
		case !headed || m == nil || t.CutOff(l):
			t.NotUnderstood(l)
		default:
			address, err := netip.ParseAddr(m[1])
			if err != nil {
				t.NotUnderstood(l)
				continue
			}
			e := &Entry{Address: address, MAC: m[4], Device: m[5]}
			e.Type, _ = strconv.ParseUint(m[2], 16, 64) // the form has digits only
			e.Flags, _ = strconv.ParseUint(m[3], 16, 64)
			t.Entries = append(t.Entries, e)
		}
	}
	if !headed {
		return nil, fmt.Errorf("/proc/net/arp: %w", dialect.ErrNotRecognised)
	}
	return t, nil
}
