package printing

import (
	"strconv"
	"text/template"

	"seaworthy/internal/parse/aix/seastat"
)

// FormatSeastat prints statistics as VIOS 3.1 does.
func FormatSeastat(s *seastat.Statistics) []byte { return seastatLayout(s) }

const seastatRuler = "================================================================================"

var seastatLayout = newLayout(seastatRuler+`

Advanced Statistics for SEA
Device Name: {{.Device}}{{" "}}

`+seastatRuler+`
{{range .Clients}}
MAC: {{.MAC}}
----------------------

VLAN: {{opt .VLAN}}
VLAN Priority: {{opt .Priority}}
Hostname: {{opt .Hostname}}
IP: {{opt .IP}}

Transmit Statistics:                   Receive Statistics:
--------------------                   -------------------
{{with .Packets}}
Packets: {{number .Tx | printf "%-30s"}}Packets: {{number .Rx}}
{{end}}
{{with .Bytes}}
Bytes: {{number .Tx | printf "%-32s"}}Bytes: {{number .Rx}}
{{end}}

`+seastatRuler+`
{{end}}
`, template.FuncMap{"number": func(n *uint64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatUint(*n, 10)
}})
