// Package entstat reads the statistics of Ethernet adapters as AIX
// and VIOS print them: entstat, entstat -d, ioscli entstat -all, and the
// Ethernet sections of netstat -v.
//
// There is one text per driver family and per level, and no list of them is
// ever complete. So the codec knows no driver: package labels turns lines into
// fields by their shape, and this package knows only the lines at which an
// adapter starts. A Shared Ethernet Adapter and an EtherChannel print the whole
// statistics of their adapters below their own. Every adapter is a Statistics
// of its own in Members, so no counter can be taken for another adapter's.
//
// The methods of Statistics answer what consumers ask, whatever the driver
// calls it: Link, PVID, Buffers, Offload, HA. They answer nil for what is not
// printed.
package entstat

import (
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// Statistics holds what entstat prints about one adapter.
type Statistics struct {
	// Name is the device in the heading, entN or enN, whichever was asked for.
	// Empty if the text has no heading; Adapter knows more places.
	Name string `json:"name,omitempty"`
	// Role and RoleName are what the line above a member says: "Real Adapter",
	// ent0. Both are empty for an adapter that was asked for itself.
	Role     Role   `json:"role,omitempty"`
	RoleName string `json:"role_name,omitempty"`

	Fields  []*Field      `json:"fields"`            // in printed order
	Members []*Statistics `json:"members,omitempty"` // adapters of an SEA or EtherChannel
}

// Field is one thing printed; its section is empty above General Statistics.
type Field = labels.Field

// Role is an adapter's part in the SEA or EtherChannel that prints it, in the
// words of the text.
type Role string

const (
	RealAdapter    Role = "Real Adapter"
	VirtualAdapter Role = "Virtual Adapter"
	ControlChannel Role = "Control Channel Adapter"
	BackupAdapter  Role = "Backup adapter"
)

// Adapter is the device's name from the heading, else from the line that names
// it as a member, else from the SEA's own section. Empty if none is printed.
func (s *Statistics) Adapter() string {
	if s.Name != "" {
		return s.Name
	}
	if s.RoleName != "" {
		return s.RoleName
	}
	if f := s.heading(sharedHeading); f != nil && !f.Cut {
		return deviceAtEnd(f.Label)
	}
	return ""
}

// Empty says that only the adapter's name was printed, and no statistics.
func (s *Statistics) Empty() bool { return len(s.Fields) == 0 }

// Walk calls fn for the adapter and all members below it, in printed order.
func (s *Statistics) Walk(fn func(*Statistics)) {
	fn(s)
	for _, m := range s.Members {
		m.Walk(fn)
	}
}

// Listing holds what one text says: of one device, of all that netstat -v or an
// IBM snap list, or of several outputs one after the other.
type Listing struct {
	parse.Report
	Parts []Part `json:"parts"` // in printed order
}

// Part is one device's section. Exactly one of its fields is set.
type Part struct {
	Adapter *Statistics `json:"adapter,omitempty"`
	Foreign *Foreign    `json:"foreign,omitempty"`
}

// Foreign is a section that netstat -v prints of a device that is not
// Ethernet: known for what it is, and not read.
type Foreign struct {
	Kind string `json:"kind"`           // FIBRE CHANNEL, TOKEN-RING
	Name string `json:"name,omitempty"` // fcs0
}

// Adapters are the Ethernet adapters, without those printed as members of
// another one.
func (l *Listing) Adapters() []*Statistics {
	var all []*Statistics
	for _, p := range l.Parts {
		if p.Adapter != nil {
			all = append(all, p.Adapter)
		}
	}
	return all
}

// Adapter is the adapter of that name, or nil. An adapter that was printed for
// itself goes before one that is a member of another.
func (l *Listing) Adapter(name string) *Statistics {
	var found *Statistics
	for _, top := range l.Adapters() {
		if top.Adapter() == name {
			return top
		}
		top.Walk(func(s *Statistics) {
			if found == nil && s.Adapter() == name {
				found = s
			}
		})
	}
	return found
}

// deviceForm is a heading that ends with a device's name.
var deviceForm = parse.Lazy(`(?:^|\s)([A-Za-z][A-Za-z0-9_]{0,31})$`)

// deviceAtEnd is the device that a heading ends with; empty if none.
func deviceAtEnd(heading string) string {
	name := ""
	deviceForm.Scan(heading, &name)
	if name == "Adapter" {
		return ""
	}
	return name
}
