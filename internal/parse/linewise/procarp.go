package linewise

import (
	"net/netip"

	"seaworthy/internal/parse"
)

// ProcARPTable is /proc/net/arp of Linux: the IPv4 addresses that a host has talked to recently.
type ProcARPTable struct {
	parse.Report
	Entries []*ProcARPEntry `json:"entries,omitempty"`
}

// ProcARPEntry is one line of the table.
type ProcARPEntry struct {
	Address netip.Addr `json:"address" from:"address"`
	Type    uint64     `json:"type" from:"type"`   // hardware, 1: Ethernet (include/uapi/linux/if_arp.h)
	Flags   uint64     `json:"flags" from:"flags"` // 2: complete
	MAC     string     `json:"mac" from:"mac"`     // 00:09:6b:2e:01:07, zeros if it is not known
	Device  string     `json:"device" from:"device"`
}

// Complete says that an Ethernet interface has answered for the address.
func (e *ProcARPEntry) Complete() bool { return e.Type == 1 && e.Flags&2 != 0 }

var procARPOutput = &output[ProcARPTable]{
	name:    "procarp",
	heading: parse.Lazy(`^\s*IP address\s+HW type\s+Flags\s+HW address\s+Mask\s+Device\s*$`),
	rows: []line[ProcARPTable]{row(
		parse.Lazy(`^(?P<address>[0-9.]{7,15})\s+(?P<type>0x[0-9a-f]{1,8})\s+(?P<flags>0x[0-9a-f]{1,8})\s+`+
			`(?P<mac>[0-9a-f]{2}(?::[0-9a-f]{2}){5})\s+\S+\s+(?P<device>\S+)\s*$`),
		func(t *ProcARPTable) *[]*ProcARPEntry { return &t.Entries }, nil)},
	ended: true,
}

// ParseProcARP reads the file; parse.ErrNotRecognised if its heading is missing.
func ParseProcARP(text []byte) (*ProcARPTable, error) { return procARPOutput.parse(text) }
