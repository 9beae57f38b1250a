package printing

import (
	"cmp"
	"text/template"

	"seaworthy/internal/parse/aix/lsmap"
)

// FormatLsmap prints the adapters of a map as VIOS 3.1 does: as blocks, or with a
// delimiter as -fmt lines.
func FormatLsmap(m *lsmap.Map) []byte { return lsmapLayout(m) }

const noSEA = "NO SHARED ETHERNET ADAPTER FOUND"

var lsmapLayout = newLayout(`{{range .Adapters}}
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
	"sea": func(a lsmap.Adapter) string {
		if a.NoSEA {
			return cmp.Or(a.SEA, noSEA)
		}
		return a.SEA
	},
})
