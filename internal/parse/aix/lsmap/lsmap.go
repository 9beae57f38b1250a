// Package lsmap reads and prints lsmap of a VIOS: which virtual Ethernet
// adapter is bridged by which SEA over which device (-all -net, as blocks or
// with -fmt). The blocks of -vscsi, -npiv and -vnic that come with -all are
// read as Others.
//
// A trunk adapter that no SEA bridges prints NO SHARED ETHERNET ADAPTER FOUND
// in place of a name: that is an answer (NoSEA), a block that was cut off before
// its SEA line is not, and leaves a warning.
package lsmap

import (
	"cmp"
	"text/template"

	"seaworthy/internal/parse"
)

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

// Format prints the adapters of a map as VIOS 3.1 does: as blocks, or with a
// delimiter as -fmt lines.
func Format(m *Map) []byte { return printed(m) }

var printed = parse.Layout(`{{range .Adapters}}
{{if $.Delimiter}}
{{$d := $.Delimiter}}{{.Name}}{{cell $d .PhysLoc}}{{cell $d (sea .)}}{{cell $d .Backing}}{{cell $d .Status}}{{cell $d .BackingLoc}}
{{else}}
SVEA   Physloc
------ --------------------------------------------
{{printf "%-6s" .Name}} {{.PhysLoc}}

{{if and .NoSEA (not .SEA)}}
SEA                 {{sea .}}

{{else}}
SEA                   {{.SEA}}
Backing device        {{.Backing}}
Status                {{opt .Status}}
Physloc               {{.BackingLoc}}

{{end}}
{{end}}
{{end}}
`, template.FuncMap{
	"cell": func(delimiter, value string) string { return delimiter + cmp.Or(value, " ") },
	"sea": func(a Adapter) string {
		if a.NoSEA {
			return cmp.Or(a.SEA, noSEA)
		}
		return a.SEA
	},
})
