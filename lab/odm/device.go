package odm

import (
	"net/netip"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Status of a device in the customized database.
type Status string

const (
	Available Status = "Available"
	Defined   Status = "Defined"
)

// Device is one entry of the customized device database.
type Device struct {
	Name, Class, Subclass string // class: adapter, if, tcpip, sys, memory, processor
	Type                  string // driver type as lsdev -F type prints it
	Status                Status
	Location              string // AIX location, e.g. 00-00; empty for pseudo devices
	PhysLoc               string // physical location code
	Description, Parent   string
	Kind                  model.Kind // catalogue layer of its attributes; empty: none
	MAC                   string

	// What it is built on, by name on the same node.
	On      string   // interface: its adapter
	Members []string // SEA, EtherChannel: adapters it holds open

	Attached bool // interface: known to the IP layer, up or down
	Deleted  bool // rmdev -d: comes back with cfgmgr or a reboot
	Attrs    []*Attribute
}

func (r *Device) attr(name string) *Attribute { return find(r.Attrs, name) }

// value is a running or next-boot value, empty if there is no such attribute.
func (r *Device) value(attr string, mode Mode) string {
	a := r.attr(attr)
	switch {
	case a == nil:
		return ""
	case mode == NextBoot:
		return a.NextBoot
	}
	return a.Running
}

// Attribute is one attribute of a device, or one option of no(1) or schedo(1).
type Attribute struct {
	knowledge.Attribute        `yaml:",inline"`
	Default, Running, NextBoot string
	Settable                   bool
	Optional                   bool   // may be empty: unset
	Command                    string // option of another command than no(1): schedo
}

func (a *Attribute) write(v string, mode Mode) {
	if mode != RunningOnly {
		a.NextBoot = v
	}
	if mode != NextBoot {
		a.Running = v
	}
}

// Route is a static route of inet0, or one that only the kernel has, as route add
// sets it. Active turns false when the interface it leaves by is detached, and
// true again with mkdev -l inet0; one that only the kernel has is gone then.
type Route struct {
	To     netip.Prefix
	Via    netip.Addr
	Dev    string // enN whose subnet holds Via
	Active bool
	Kernel bool // not in the database
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
