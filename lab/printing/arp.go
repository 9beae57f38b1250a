package printing

import (
	"strings"
	"text/template"

	"seaworthy/internal/parse/linewise"
)

// FormatARP prints a table as AIX does: bytes without leading zeros, the number
// of entries below.
func FormatARP(t *linewise.ARPTable) []byte { return arpLayout(t) }

var arpLayout = newLayout(`{{range .Entries}}
  {{.Name}} ({{.Address}}) at {{mac .MAC}}{{with .Kind}} [{{.}}]{{end}}{{if .Permanent}} permanent{{end}}{{if .Published}} published{{end}}
{{end}}

There are {{len .Entries}} entries in the arp table.
`, template.FuncMap{"mac": func(mac string) string {
	if mac == "" {
		return "(incomplete)"
	}
	return strings.ReplaceAll(":"+mac, ":0", ":")[1:]
}})
