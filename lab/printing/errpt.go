package printing

import (
	"seaworthy/internal/parse/aix/errpt"
)

// FormatErrpt prints a report in the short form.
func FormatErrpt(r *errpt.Report) []byte { return errptLayout(r) }

var errptLayout = newLayout(`{{if .Entries}}
IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION
{{range .Entries}}
{{printf "%-8s   %-10s %s %s %-14s %s" .ID .Stamp .Type .Class .Resource .Description}}
{{end}}
{{end}}
`, nil)
