package printing

import (
	"seaworthy/internal/parse/linewise"
)

// FormatErrpt prints a report in the short form.
func FormatErrpt(r *linewise.ErrorReport) []byte { return errptLayout(r) }

var errptLayout = newLayout(`{{if .Entries}}
IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION
{{range .Entries}}
{{printf "%-8s   %-10s %s %s %-14s %s" .ID .Stamp .Type .Class .Resource .Description}}
{{end}}
{{end}}
`, nil)
