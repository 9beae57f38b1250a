// Package bridgefdb reads bridge fdb show of Linux: to which port a bridge sends
// the frames for a MAC address. Forms: bridge(8) and bridge/fdb.c of iproute2.
package bridgefdb

import (
	"strings"

	"seaworthy/internal/parse"
)

// Table is the whole output.
type Table struct {
	parse.Report
	Entries []*Entry `json:"entries,omitempty"`
}

// Entry is one line.
type Entry struct {
	MAC    string `json:"mac"`              // aa:bb:cc:dd:ee:ff
	Device string `json:"device"`           // the port, or the bridge itself
	Master bool   `json:"master,omitempty"` // of a bridge's table, not of the device's own
	State  string `json:"state,omitempty"`  // permanent, static, stale; empty: it is in use and ages
}

// Learned says that the bridge has seen a frame from that address come in by the port.
func (e *Entry) Learned() bool { return e.Master && (e.State == "" || e.State == "stale") }

var form = parse.Lazy(`^((?:[0-9a-f]{2}:)+[0-9a-f]{2}) dev (\S+)` +
	`(?: (?:dst|vlan|port|vni|src_vni|via|via ifindex|link-netnsid|nhid|used|activity_notify) \S+` +
	`| (?:self|router|extern_learn|offload|sticky|locked|added_by_user|inactive))*` +
	// Old kernels do not name the bridge.
	`( master(?: \S+)??)?(?: (permanent|static|stale|state=0x[0-9a-f]+))?$`)

// Parse reads the output; parse.ErrNotRecognised if it has no entry. A last line that
// was cut off is none.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	t.ReadWhole(text, func(l parse.Line) bool {
		e, master := &Entry{}, ""
		ok := form.Scan(strings.TrimRight(l.Text, " \t"), &e.MAC, &e.Device, &master, &e.State)
		if ok {
			e.Master = master != ""
			t.Entries = append(t.Entries, e)
		}
		return ok
	})
	return parse.Recognised(t, t.Entries != nil)
}
