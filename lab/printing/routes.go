package printing

import (
	"text/template"

	"seaworthy/internal/parse/aix/netstat/routes"
)

// FormatRoutes prints a table as AIX 7.2 prints netstat -rn.
func FormatRoutes(t *routes.Table) []byte { return routesLayout(t) }

var routesLayout = newLayout(`Routing tables
Destination        Gateway           Flags   Refs     Use  If   Exp  Groups
{{range .Families}}

Route Tree for Protocol Family {{.Number}} ({{.Name}}):
{{range .Routes}}
{{printf "%-18s %-17s %-6s %4s %9s" .Destination .Gateway .Flags (dash .Refs) (dash .Use) -}}
{{printf " %-4s %5s %6s" .Interface (dash .Expires) (dash .Groups)}}{{if .Same}}   =>{{end}}
{{end}}
{{end}}
`, template.FuncMap{"dash": func(v any) string {
	if onlyWith(v) == missing {
		return "-"
	}
	return optional(v)
}})
