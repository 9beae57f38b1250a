package printing

import (
	"fmt"
	"text/template"

	"seaworthy/internal/parse/aix/netstat/interfaces"
)

// FormatInterfaces prints a table as AIX 7.2 prints netstat -in: names to the left,
// counters to the right, the heading one column before the rows. Counters
// above eight digits push a row to the right there too.
func FormatInterfaces(t *interfaces.Table) []byte { return interfacesLayout(t) }

var interfacesLayout = newLayout(`Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll
{{range .Rows}}
{{$c := .Counters}}{{printf "%-5s %-5d %-11s %-16s" (name .) .MTU .Network .Address -}}
{{count $c "Ipkts" 8}}{{count $c "Ierrs" 5}}{{count $c "Opkts" 8}}{{count $c "Oerrs" 5}}{{count $c "Coll" 5}}
{{range .Multicast}}
{{printf "%24s%s" "" .}}
{{end}}
{{end}}
`, template.FuncMap{
	"name": func(r *interfaces.Row) string {
		if r.Down {
			return r.Name + "*"
		}
		return r.Name
	},
	"count": func(all map[string]uint64, name string, width int) string {
		if n, ok := all[name]; ok {
			return fmt.Sprintf(" %*d", width, n)
		}
		return fmt.Sprintf(" %*s", width, "-")
	},
})
