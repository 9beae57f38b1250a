package printing

import (
	"strings"
	"text/template"

	"seaworthy/internal/parse/aix/lscfg"
)

// FormatLscfg prints resources as lscfg -vl of AIX 7.2 does.
func FormatLscfg(resources ...*lscfg.Resource) []byte { return lscfgLayout(resources) }

var lscfgLayout = newLayout(`{{range .}}
  {{printf "%-16s" .Name}} {{.Location}}  {{.Description}}

      {{opt .Product}}:
{{range .VPD}}
        {{.Label}}{{dots .Label}}{{.Value}}
{{end}}
{{only .VPD}}
{{end}}
`, template.FuncMap{"dots": func(label string) string { return strings.Repeat(".", max(2, 28-len(label))) }})
