// Package lsdev reads lists of devices: lsdev -Cc CLASS of AIX with
// its four columns, -H, -F with any list of columns, and the table that lsdev
// prints on a VIOS.
//
// The location column is blank for pseudo devices (an SEA, an EtherChannel, an
// interface), so a location is taken only where its shape or the columns of
// the other rows show it.
package lsdev

import (
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/table"
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
	Name        string            `json:"name" from:"name"`
	Status      string            `json:"status,omitempty" from:"status"`     // Available, Defined, Stopped, ...
	Location    string            `json:"location,omitempty" from:"location"` // AIX location code: 00-08
	Description string            `json:"description,omitempty" from:"description"`
	Class       string            `json:"class,omitempty" from:"class"`       // adapter, if
	Subclass    string            `json:"subclass,omitempty" from:"subclass"` // pciex, vdevice, pseudo
	Type        string            `json:"type,omitempty" from:"type"`         // IBM,l-lan, sea, ibm_ech
	PhysLoc     string            `json:"physloc,omitempty" from:"physloc"`   // U78D3.001.WZS0002-P1-C3-T1
	Parent      string            `json:"parent,omitempty" from:"parent"`
	Other       map[string]string `json:"other,omitempty"` // further columns, by name
	Line        int               `json:"-"`               // 1-based, 0 if not read from a text
}

// List is one output.
type List struct {
	parse.Report
	Form    Form     `json:"-"`
	Devices []Device `json:"devices,omitempty"`
}

// known are the names of all columns of -F.
var known = strings.Fields("name status location description class subclass type physloc parent " +
	"state chgstatus ddins devno prefix connwhere uniquetype PdDvLn detectable desc run")
