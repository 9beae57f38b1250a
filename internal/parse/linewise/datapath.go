package linewise

import "seaworthy/internal/parse"

// Datapaths is what ovs-dpctl show prints: how the datapaths of Open vSwitch find the flows of
// packets.
type Datapaths struct {
	parse.Report
	Lookups []*DatapathLookups `json:"lookups"`
}

// DatapathLookups is what a datapath found, in packets.
type DatapathLookups struct {
	Hit    uint64 `json:"hit" from:"hit"`
	Missed uint64 `json:"missed" from:"missed"` // handed to ovs-vswitchd (upcall)
	Lost   uint64 `json:"lost" from:"lost"`     // dropped on that way: its queue was full
	Line   int    `json:"-" from:"#"`           // 1-based
}

var datapathOutput = &output[Datapaths]{
	name:    "ovs-datapath",
	ignored: parse.Lazy(`^(?:\S+@\S+:\s*$|\s+(?:flows|masks|caches|port \d+|RX|TX|collisions|cache)\b.*)$`),
	rows: []line[Datapaths]{
		row(parse.Lazy(`^\s+lookups: hit:(?P<hit>\d+) missed:(?P<missed>\d+) lost:(?P<lost>\d+)\s*$`),
			func(d *Datapaths) *[]*DatapathLookups { return &d.Lookups }, nil),
	},
	ended:      true,
	recognised: func(d *Datapaths) bool { return len(d.Lookups) > 0 },
}

// ParseDatapaths reads an output; parse.ErrNotRecognised without the lookups of a datapath.
func ParseDatapaths(text []byte) (*Datapaths, error) { return datapathOutput.parse(text) }

// Counters are the sums over all datapaths, as "ovs.lookups_lost"; those that were printed.
func (d *Datapaths) Counters() map[string]uint64 {
	sums := map[string]uint64{}
	for _, l := range d.Lookups {
		sums["ovs.lookups_hit"] += l.Hit
		sums["ovs.lookups_missed"] += l.Missed
		sums["ovs.lookups_lost"] += l.Lost
	}
	return sums
}
