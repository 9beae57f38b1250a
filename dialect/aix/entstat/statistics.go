package entstat

import "seaworthy/dialect"

// Statistics is what entstat prints about one adapter.
//
// The Report is that of the whole text and is filled in the outermost adapter
// only; its line numbers count from the first line of the text.
type Statistics struct {
	dialect.Report

	// Name is the device in the heading, entN or enN, whichever was asked for.
	// Empty if the text has no heading; Adapter knows more places.
	Name string `json:"name,omitempty"`
	// Role and RoleName are what the line above a member says: "Real Adapter",
	// ent0. Both are empty for an adapter that was asked for itself.
	Role     Role   `json:"role,omitempty"`
	RoleName string `json:"role_name,omitempty"`

	Fields  []*Field      `json:"fields"`            // in printed order
	Members []*Statistics `json:"members,omitempty"` // adapters of an SEA or EtherChannel

	placing  *placing
	end      ending
	device   *Field // its Device Type
	bridge   bool   // its text says that it is an SEA
	channel  bool   // its text says that it is an EtherChannel
	announce uint64 // how many members it says it has; 0: it does not say
}

// Role is an adapter's part in the SEA or EtherChannel that prints it, in the
// words of the text.
type Role string

const (
	RealAdapter    Role = "Real Adapter"
	VirtualAdapter Role = "Virtual Adapter"
	ControlChannel Role = "Control Channel Adapter"
	BackupAdapter  Role = "Backup adapter"
)

// Field is one thing printed: a counter, a state, a list, a row, a heading.
type Field struct {
	Kind Kind `json:"kind,omitempty"`
	// Section is the headings the field stands under, joined by " / ", without
	// their colons; empty for the part above "General Statistics".
	Section string `json:"section,omitempty"`
	Level   int    `json:"level,omitempty"` // how many less indented lines it stands below
	Label   string `json:"label,omitempty"` // as printed, without the colon
	Side    Side   `json:"side,omitempty"`

	// Number is the value if it is a plain decimal number that fits; otherwise
	// it is nil and Text has what was printed.
	Number *uint64   `json:"number,omitempty"`
	Text   string    `json:"text,omitempty"`
	Items  []string  `json:"items,omitempty"` // words of a list: flags, columns
	Cells  []*uint64 `json:"cells,omitempty"` // numbers of a row or of a list of VLAN IDs; nil: none printed

	cut    bool  // the text ends in this value, without a line end
	placed int32 // how many Items or Cells the layout has places for
	place  int32 // which field of the layout it is
}

// Adapter is the device's name from the heading, else from the line that names
// it as a member, else from the SEA's own section. Empty if none is printed.
func (s *Statistics) Adapter() string {
	if s.Name != "" {
		return s.Name
	}
	if s.RoleName != "" {
		return s.RoleName
	}
	if f := s.sharedHeading(); f != nil {
		return f.Text
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
