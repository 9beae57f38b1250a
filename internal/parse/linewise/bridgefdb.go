package linewise

import "seaworthy/internal/parse"

// ForwardingTable is the output of bridge fdb show of Linux: to which port a bridge sends the frames for a MAC
// address. Forms: bridge(8) and bridge/fdb.c of iproute2.
type ForwardingTable struct {
	parse.Report
	Entries []*ForwardingEntry `json:"entries,omitempty"`
}

// ForwardingEntry is one line.
type ForwardingEntry struct {
	MAC    string `json:"mac" from:"mac"`                 // aa:bb:cc:dd:ee:ff
	Device string `json:"device" from:"device"`           // the port, or the bridge itself; empty: the command line names it
	Master bool   `json:"master,omitempty" from:"master"` // of a bridge's table, not of the device's own
	State  string `json:"state,omitempty" from:"state"`   // permanent, static, stale; empty: it is in use and ages
}

// Learned says that the bridge has seen a frame from that address come in by the port.
func (e *ForwardingEntry) Learned() bool { return e.Master && (e.State == "" || e.State == "stale") }

var fdbOutput = &output[ForwardingTable]{
	name: "bridge-fdb",
	rows: []line[ForwardingTable]{row(
		parse.Lazy(`^(?P<mac>(?:[0-9a-f]{2}:)+[0-9a-f]{2})(?: dev (?P<device>\S+))?`+
			`(?: (?:dst|vlan|port|vni|src_vni|via|via ifindex|link-netnsid|nhid|used|activity_notify) \S+`+
			`| (?:self|router|extern_learn|offload|sticky|locked|added_by_user|inactive))*`+
			// Old kernels do not name the bridge.
			`(?P<master> master(?: \S+)??)?(?: (?P<state>permanent|static|stale|state=0x[0-9a-f]+))?[ \t]*$`),
		func(t *ForwardingTable) *[]*ForwardingEntry { return &t.Entries }, nil)},
	ended: true,
}

// ParseBridgeFDB reads bridge fdb show; parse.ErrNotRecognised if it has no entry.
func ParseBridgeFDB(text []byte) (*ForwardingTable, error) { return fdbOutput.parse(text) }
