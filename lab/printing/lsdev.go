package printing

import (
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/table"
)

// FormatLsdev prints a list in its form.
func FormatLsdev(l *lsdev.List) []byte {
	fields := l.Form.Fields
	switch l.Form.Kind {
	case lsdev.VIOS:
		return lsdevLayout(l)
	case lsdev.Table:
		fields = table.ParseFields("name status location description")
	}
	return formatList(fields, l.Form.Heading, len(l.Devices), func(i int, name string) string {
		return cellOf(&l.Devices[i], l.Devices[i].Other, name)
	})
}

// lsdevLayout is the table of a VIOS, where a longer entry pushes what follows.
var lsdevLayout = newLayout(`name             status      description
{{range .Devices}}
{{printf "%-16s %-11s %s" .Name .Status .Description}}
{{end}}
`, nil)
