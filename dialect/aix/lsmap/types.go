package lsmap

import (
	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

// Adapter is one server virtual Ethernet adapter.
type Adapter struct {
	Name       string `json:"name"`              // ent4
	PhysLoc    string `json:"physloc,omitempty"` // U9009.22A.1234567-V1-C4-T1
	SEA        string `json:"sea,omitempty"`     // ent6; empty: none, or not said
	NoSEA      bool   `json:"no_sea,omitempty"`  // said: no SEA bridges it
	Backing    string `json:"backing,omitempty"` // the SEA's real adapter
	Status     string `json:"status,omitempty"`
	BackingLoc string `json:"backing_physloc,omitempty"`
	Line       int    `json:"-"` // 1-based, 0 if not read from a text
}

// Other is a block of another kind: a vhost, vfchost or vnicserver.
type Other struct {
	Name    string   `json:"name"`
	Fields  []string `json:"fields,omitempty"`  // the rest of its heading row, or of its -fmt line
	Details []Detail `json:"details,omitempty"` // in order; a label can come several times
	Line    int      `json:"-"`
}

// Detail is a labelled value below a block's heading.
type Detail struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Map is one output.
type Map struct {
	dialect.Report
	Delimiter string    `json:"delimiter,omitempty"` // -fmt; empty: blocks
	Adapters  []Adapter `json:"adapters,omitempty"`
	Others    []Other   `json:"others,omitempty"`

	read   int // adapters that the lines below print
	lines  []line
	layout printout.Layout
}

// New makes the output of lsmap -all -net to print as blocks.
func New(adapters ...Adapter) *Map { return &Map{Adapters: adapters} }

// NewFmt makes the output of lsmap -all -net -fmt.
func NewFmt(delimiter string, adapters ...Adapter) *Map {
	return &Map{Delimiter: delimiter, Adapters: adapters}
}

// BySEA lists the adapters that an SEA bridges.
func (m *Map) BySEA(sea string) []Adapter {
	var list []Adapter
	for _, a := range m.Adapters {
		if a.SEA == sea {
			list = append(list, a)
		}
	}
	return list
}

// line is one printed line: literal text and values in turn.
type line struct {
	parts []part
	paint printout.Paint
}

type part struct {
	literal string // printed before the value
	value   *ref   // nil: literal only
	empty   string // printed for an empty value: -fmt prints one blank
}

// ref names a value of the map.
type ref struct {
	other  bool
	block  int
	field  field
	detail int // index into Fields or Details
}

type field int

const (
	fieldName field = iota
	fieldPhysLoc
	fieldSEA
	fieldBacking
	fieldStatus
	fieldBackingLoc
	fieldLabel
	fieldDetail
	fieldColumn
)

const noSEA = "NO SHARED ETHERNET ADAPTER FOUND"

// at gives the text of a value, and whether it is still there.
func (m *Map) at(r ref) (string, bool) {
	if r.other {
		if r.block >= len(m.Others) {
			return "", false
		}
		o := &m.Others[r.block]
		switch {
		case r.field == fieldName:
			return o.Name, true
		case r.field == fieldColumn && r.detail < len(o.Fields):
			return o.Fields[r.detail], true
		case r.field == fieldLabel && r.detail < len(o.Details):
			return o.Details[r.detail].Label, true
		case r.field == fieldDetail && r.detail < len(o.Details):
			return o.Details[r.detail].Value, true
		}
		return "", false
	}
	if r.block >= len(m.Adapters) {
		return "", false
	}
	a := &m.Adapters[r.block]
	if r.field == fieldSEA && a.NoSEA && a.SEA == "" {
		return noSEA, true
	}
	return *a.text(r.field), true
}

func (a *Adapter) text(f field) *string {
	switch f {
	case fieldPhysLoc:
		return &a.PhysLoc
	case fieldSEA:
		return &a.SEA
	case fieldBacking:
		return &a.Backing
	case fieldStatus:
		return &a.Status
	case fieldBackingLoc:
		return &a.BackingLoc
	}
	return &a.Name
}
