package seastat

import (
	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Statistics is the output of seastat -d.
type Statistics struct {
	dialect.Report
	Device  string    `json:"device"` // the SEA: ent63
	Clients []*Client `json:"clients"`
	Layout  Layout    `json:"-"`
}

// Layout is the frame of a parsed text.
type Layout struct {
	layout.Sheet
	device *row
}

// Client is one block. What it does not print is nil or empty.
type Client struct {
	MAC      string     `json:"mac"`
	VLAN     *uint64    `json:"vlan,omitempty"`
	Priority *uint64    `json:"vlan_priority,omitempty"`
	Hostname string     `json:"hostname,omitempty"`
	IP       string     `json:"ip,omitempty"`
	Packets  Directions `json:"packets"`
	Bytes    Directions `json:"bytes"`

	Untagged   bool `json:"untagged,omitempty"`         // said: None for the VLAN
	NoPriority bool `json:"no_vlan_priority,omitempty"` // said: None for the priority

	Layout Rows `json:"-"`
}

// Directions is a counter as the SEA saw it.
type Directions struct {
	Tx *uint64 `json:"tx,omitempty"`
	Rx *uint64 `json:"rx,omitempty"`
}

// Rows is how the lines of a block were printed.
type Rows struct{ rows []*row }

type row struct {
	before []string
	pairs  layout.Pairs
}

// ByMAC lists the blocks of a MAC address, printed as 5A:0E:E6:D2:E2:C2.
func (s *Statistics) ByMAC(mac string) []*Client {
	var out []*Client
	for _, c := range s.Clients {
		if c.MAC == mac {
			out = append(out, c)
		}
	}
	return out
}
