package odm

import (
	"net/netip"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// Status of a device in the customized database.
type Status string

const (
	Available Status = "Available"
	Defined   Status = "Defined"
)

// Device is one entry of the customized device database.
type Device struct {
	Name        string         `json:"name"`
	Class       string         `json:"class"` // adapter, if, tcpip, sys, memory, processor
	Subclass    string         `json:"subclass"`
	Type        string         `json:"type"` // driver type as lsdev -F type prints it
	Status      Status         `json:"status"`
	Location    string         `json:"location,omitempty"`     // AIX location, e.g. 00-00; empty for pseudo devices
	PhysLoc     string         `json:"physical_loc,omitempty"` // physical location code
	Description string         `json:"description"`
	Parent      string         `json:"parent,omitempty"`
	Kind        inventory.Kind `json:"kind,omitempty"` // catalogue layer of its attributes; empty: none
	MAC         string         `json:"mac,omitempty"`

	// What it is built on, by name on the same node.
	On      string   `json:"on,omitempty"`      // interface: its adapter
	Members []string `json:"members,omitempty"` // SEA, EtherChannel: adapters it holds open
}

// Attribute is one attribute of a device, or one option of no(1) or schedo(1).
type Attribute struct {
	Name       string        `json:"name"`
	Label      string        `json:"label"`
	Default    string        `json:"default"`
	Running    string        `json:"running"`
	NextBoot   string        `json:"next_boot"`
	Values     []string      `json:"values,omitempty"` // enumerated
	Min        *int64        `json:"min,omitempty"`
	Max        *int64        `json:"max,omitempty"`
	Step       *int64        `json:"step,omitempty"`
	Unit       string        `json:"unit,omitempty"`
	Type       string        `json:"type,omitempty"`
	Class      catalog.Class `json:"class,omitempty"`
	Settable   bool          `json:"settable"`
	Restricted bool          `json:"restricted,omitempty"` // no(1) shows it with -F only
	Optional   bool          `json:"optional,omitempty"`   // may be empty: unset
	Command    string        `json:"command,omitempty"`    // option of another command than no(1): schedo
}

// Route is a static route of inet0, or one that only the kernel has, as route add
// sets it. Active turns false when the interface it leaves by is detached, and
// true again with mkdev -l inet0; one that only the kernel has is gone then.
type Route struct {
	To     netip.Prefix `json:"to"`
	Via    netip.Addr   `json:"via"`
	Dev    string       `json:"dev"` // enN whose subnet holds Via
	Active bool         `json:"active"`
	Kernel bool         `json:"kernel,omitempty"` // not in the database
}

// Setting is a wanted attribute value.
type Setting struct{ Attr, Value string }

// Mode says which values a change writes.
type Mode int

const (
	Both        Mode = iota // running and next boot
	NextBoot                // chdev -P: database only
	RunningOnly             // chdev -T, ifconfig: lost at the next boot
)
