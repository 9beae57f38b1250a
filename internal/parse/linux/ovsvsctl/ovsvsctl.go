// Package ovsvsctl reads what ovs-vsctl says of Open vSwitch: the JSON of
// ovs-vsctl --format=json list Open_vSwitch, Bridge, Port and Interface, one
// table after the other, and the text of ovs-vsctl show.
//
// JSON has the values as RFC 7047 writes them: what a column may lack is an
// empty set, a set of one is the value itself, a row of another table is named
// by its UUID. A port of several interfaces is a bond.
package ovsvsctl

import "seaworthy/internal/parse"

// Switch is the Open vSwitch of a host. What its output does not say is nil or empty.
type Switch struct {
	parse.Report
	Version string            `json:"version,omitempty"`
	Config  map[string]string `json:"other_config,omitempty"` // of all bridges: hw-offload; nil: not read
	Bridges []*Bridge         `json:"bridges"`
}

// Bridge is one of its bridges. It has a port of its own name, the host's own.
type Bridge struct {
	Name  string  `json:"name"`
	Ports []*Port `json:"ports"`
}

// Port is one of a bridge; with several interfaces it is a bond.
type Port struct {
	Name       string       `json:"name"`
	Tag        *int         `json:"tag,omitempty"`    // VLAN of its untagged frames
	Trunks     []int        `json:"trunks,omitempty"` // VLANs of its tagged frames
	BondMode   string       `json:"bond_mode,omitempty"`
	LACP       string       `json:"lacp,omitempty"` // active, passive, off
	Interfaces []*Interface `json:"interfaces"`
}

// Interface is a device of a port.
type Interface struct {
	Name  string `json:"name"`
	Type  string `json:"type,omitempty"` // empty: a device of the kernel; internal, patch, vxlan, dpdk, ...
	MTU   *int   `json:"mtu,omitempty"`
	Up    *bool  `json:"link_up,omitempty"`
	Speed *int   `json:"link_speed,omitempty"` // bit/s
	Peer  string `json:"peer,omitempty"`       // of a patch port: the one at the other end
	// Remote is where a tunnel's packets go: an address, or "flow".
	Remote string `json:"remote,omitempty"`
	Error  string `json:"error,omitempty"` // why Open vSwitch cannot use it
}
