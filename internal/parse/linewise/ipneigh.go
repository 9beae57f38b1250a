package linewise

import (
	"net/netip"

	"seaworthy/internal/parse"
)

// NeighbourTable is ip neigh of Linux as text: who answered for which address, and for which nobody did.
type NeighbourTable struct {
	parse.Report
	Entries []*NeighbourEntry `json:"entries"`
}

// NeighbourEntry is one line.
type NeighbourEntry struct {
	Address netip.Addr `json:"address" from:"address"`
	Device  string     `json:"device" from:"device"`
	MAC     string     `json:"mac,omitempty" from:"mac"`
	State   string     `json:"state" from:"state"` // REACHABLE, STALE, FAILED, INCOMPLETE …
	Line    int        `json:"-" from:"#"`         // 1-based
}

var neighboursOutput = &output[NeighbourTable]{
	name: "ip-neigh", ended: true,
	rows: []line[NeighbourTable]{row(
		parse.Lazy(`^(?P<address>[0-9a-f.:]+) (?:dev (?P<device>\S+) )?(?: *lladdr (?P<mac>\S+) )?.*?(?P<state>REACHABLE|STALE|DELAY|PROBE|FAILED|INCOMPLETE|NOARP|PERMANENT|NONE)\s*$`),
		func(t *NeighbourTable) *[]*NeighbourEntry { return &t.Entries },
		func(e *NeighbourEntry) bool {
			e.MAC = parse.MAC(e.MAC)
			return true
		})},
}

// ParseNeighbours reads an output; parse.ErrNotRecognised if no line is of such a table.
func ParseNeighbours(text []byte) (*NeighbourTable, error) { return neighboursOutput.parse(text) }

// Silent says that nobody answered for the address.
func (e *NeighbourEntry) Silent() bool { return e.State == "FAILED" || e.State == "INCOMPLETE" }
