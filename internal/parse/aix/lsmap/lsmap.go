// Package lsmap reads lsmap of a VIOS: which virtual Ethernet
// adapter is bridged by which SEA over which device (-all -net, as blocks or
// with -fmt). The blocks of -vscsi, -npiv and -vnic that come with -all are
// read as Others.
//
// A trunk adapter that no SEA bridges prints NO SHARED ETHERNET ADAPTER FOUND
// in place of a name: that is an answer (NoSEA), a block that was cut off before
// its SEA line is not, and leaves a warning.
package lsmap

import "seaworthy/internal/parse"

// Map is one output.
type Map struct {
	parse.Report
	Delimiter string    `json:"delimiter,omitempty"` // -fmt; empty: blocks
	Adapters  []Adapter `json:"adapters,omitempty"`
	Others    []Other   `json:"others,omitempty"`
}

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

const noSEA = "NO SHARED ETHERNET ADAPTER FOUND"
