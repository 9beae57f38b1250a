package lsdev

import (
	"seaworthy/dialect"
	"seaworthy/dialect/aix/fields"
	"seaworthy/dialect/aix/printout"
)

// Kind is the shape of a list.
type Kind string

const (
	Table  Kind = "table"  // lsdev -C: name, status, location, description
	VIOS   Kind = "vios"   // lsdev of a VIOS: name, status, description under a heading
	Fields Kind = "fields" // -F, or -field with -fmt on a VIOS
)

// Form is how a list is printed.
type Form struct {
	Kind    Kind        `json:"kind"`
	Heading bool        `json:"heading,omitempty"`
	Fields  fields.Spec `json:"fields"`
}

// C is lsdev -C, with any -c CLASS.
func C() Form { return Form{Kind: Table} }

// CH is lsdev -C -H.
func CH() Form { return Form{Kind: Table, Heading: true} }

// V is lsdev of a VIOS: lsdev, lsdev -dev X, lsdev -type adapter.
func V() Form { return Form{Kind: VIOS, Heading: true} }

// F is lsdev -F with its list, e.g. "name:type:description".
func F(list string) Form { return Form{Kind: Fields, Fields: fields.Parse(list)} }

// Device is one row. What the form does not print stays empty.
type Device struct {
	Name        string            `json:"name"`
	Status      string            `json:"status,omitempty"`   // Available, Defined, Stopped, ...
	Location    string            `json:"location,omitempty"` // AIX location code: 00-08
	Description string            `json:"description,omitempty"`
	Class       string            `json:"class,omitempty"`    // adapter, if
	Subclass    string            `json:"subclass,omitempty"` // pciex, vdevice, pseudo
	Type        string            `json:"type,omitempty"`     // IBM,l-lan, sea, ibm_ech
	PhysLoc     string            `json:"physloc,omitempty"`  // U78D3.001.WZS0002-P1-C3-T1
	Parent      string            `json:"parent,omitempty"`
	Other       map[string]string `json:"other,omitempty"` // further columns, by name
	Line        int               `json:"-"`               // 1-based, 0 if not read from a text

	place *placing
}

// List is one output.
type List struct {
	dialect.Report
	Form    Form     `json:"form"`
	Devices []Device `json:"devices,omitempty"`

	widths   [3]int // name, status, location as read
	headLine string
	layout   printout.Layout
}

// New makes a list to print.
func New(form Form, devices ...Device) *List { return &List{Form: form, Devices: devices} }

// placing is where the words of a row stood.
type placing struct {
	own                    bool // the gaps below are this row's own
	lead, g1, g2, g3, tail string
	read, words            string // -F: the line, and its words without padding
	paint                  printout.Paint
}

// column of a device by the name that -F gives it.
func (d *Device) column(name string) string {
	if p := d.known(name); p != nil {
		return *p
	}
	return d.Other[name]
}

func (d *Device) setColumn(name, value string) {
	if p := d.known(name); p != nil {
		*p = value
		return
	}
	if d.Other == nil {
		d.Other = map[string]string{}
	}
	d.Other[name] = value
}

func (d *Device) known(name string) *string {
	switch name {
	case "name":
		return &d.Name
	case "status":
		return &d.Status
	case "location":
		return &d.Location
	case "description":
		return &d.Description
	case "class":
		return &d.Class
	case "subclass":
		return &d.Subclass
	case "type":
		return &d.Type
	case "physloc":
		return &d.PhysLoc
	case "parent":
		return &d.Parent
	}
	return nil
}
