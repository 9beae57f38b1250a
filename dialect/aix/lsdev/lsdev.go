// Package lsdev reads and prints lists of devices: lsdev -Cc CLASS of AIX with
// its four columns, -H, -F with any list of columns, and the table that lsdev
// prints on a VIOS.
//
// The location column is blank for pseudo devices (an SEA, an EtherChannel, an
// interface), so a location is taken only where its shape or the columns of
// the other rows show it.
package lsdev

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/table"
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
	Kind    Kind         `json:"-"`
	Heading bool         `json:"-"`
	Fields  table.Fields `json:"-"`
}

// C is lsdev -C, with any -c CLASS.
func C() Form { return Form{Kind: Table} }

// V is lsdev of a VIOS: lsdev, lsdev -dev X, lsdev -type adapter.
func V() Form { return Form{Kind: VIOS, Heading: true} }

// F is lsdev -F with its list, e.g. "name:type:description".
func F(list string) Form { return Form{Kind: Fields, Fields: table.ParseFields(list)} }

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
}

// List is one output.
type List struct {
	dialect.Report
	Form    Form     `json:"-"`
	Devices []Device `json:"devices,omitempty"`
}

// columns are those that lsdev knows, with their place in a device.
var columns = map[string]func(*Device) *string{
	"name":        func(d *Device) *string { return &d.Name },
	"status":      func(d *Device) *string { return &d.Status },
	"location":    func(d *Device) *string { return &d.Location },
	"description": func(d *Device) *string { return &d.Description },
	"class":       func(d *Device) *string { return &d.Class },
	"subclass":    func(d *Device) *string { return &d.Subclass },
	"type":        func(d *Device) *string { return &d.Type },
	"physloc":     func(d *Device) *string { return &d.PhysLoc },
	"parent":      func(d *Device) *string { return &d.Parent },
}

// known are the names of all columns of -F.
var known = map[string]bool{"state": true, "chgstatus": true, "ddins": true, "devno": true, "prefix": true, "connwhere": true,
	"uniquetype": true, "PdDvLn": true, "detectable": true, "desc": true, "run": true, "name": true, "status": true, "location": true,
	"description": true, "class": true, "subclass": true, "type": true, "physloc": true, "parent": true}

func (d *Device) set(column, value string) {
	if field := columns[column]; field != nil {
		*field(d) = value
	} else if value != "" {
		if d.Other == nil {
			d.Other = map[string]string{}
		}
		d.Other[column] = value
	}
}

func (d *Device) column(name string) string {
	if field := columns[name]; field != nil {
		return *field(d)
	}
	return d.Other[name]
}

// Format prints a list in its form.
func Format(l *List) []byte {
	var lines []string
	switch l.Form.Kind {
	case VIOS: // a longer entry pushes what follows
		lines = append(lines, "name             status      description")
		for _, d := range l.Devices {
			lines = append(lines, fmt.Sprintf("%-16s %-11s %s", d.Name, d.Status, d.Description))
		}
	case Table, Fields:
		f := l.Form.Fields
		if l.Form.Kind == Table {
			f = table.ParseFields("name status location description")
		}
		lines = f.List(l.Form.Heading, len(l.Devices), func(i int, name string) string { return l.Devices[i].column(name) })
	}
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
