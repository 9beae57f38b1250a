package printing

import (
	"cmp"
	"fmt"
	"strings"
	"text/template"

	"seaworthy/internal/parse/aix/lparstat"
)

// FormatLparstat prints the fields of -i and the tables of the interval form as AIX 7.2
// does. Hypervisor calls are not printed.
func FormatLparstat(o *lparstat.Output) []byte { return lparstatLayout(o) }

var lparstatLayout = newLayout(`{{range .Fields}}
{{printf "%-43s" .Name}}: {{.Text}}
{{end}}
{{range .Tables}}
{{$table := . -}}
{{only .Config}}
System configuration: {{range .Config}}{{.Name}}={{.Text}} {{end}}{{only .Config}}
{{if .Columns}}

{{heading .Columns}}
{{range .Samples}}
{{print (line $table .) -}}
{{end}}
{{end}}
{{end}}
`, template.FuncMap{"heading": columnHeading, "line": FormatSample})

// columnStyle is how AIX 7.2 prints a column: %5s, with as many dashes below the name,
// and so many digits behind the point.
type columnStyle struct{ width, dashes, places int }

var columnStyles = map[string]columnStyle{
	"%user": {5, 5, 1}, "%sys": {5, 5, 1}, "%wait": {6, 6, 1}, "%idle": {6, 6, 1}, "physc": {5, 5, 2}, "%entc": {5, 5, 1},
	"lbusy": {6, 6, 1}, "app": {5, 3, 2}, "vcsw": {5, 5, 0}, "phint": {5, 5, 0}, "%nsp": {5, 5, 0}, "%utcyc": {7, 6, 2},
}

func styleOf(column string) columnStyle {
	return cmp.Or(columnStyles[column], columnStyle{max(5, len(column)), max(5, len(column)), 2})
}

func columnHeading(columns []string) string {
	var names, dashes []string
	for _, c := range columns {
		l := styleOf(c)
		names = append(names, fmt.Sprintf("%*s", l.width, c))
		dashes = append(dashes, fmt.Sprintf("%*s", l.width, strings.Repeat("-", l.dashes)))
	}
	return strings.Join(names, " ") + "\n" + strings.Join(dashes, " ")
}

// FormatSample prints one line of a table.
func FormatSample(t *lparstat.Table, s lparstat.Sample) string {
	var texts []string
	for i, v := range s.Values {
		l := styleOf(t.Columns[i])
		if t.Columns[i] == "%utcyc" {
			l.width-- // its heading reaches one column further than its values
		}
		if v == nil {
			texts = append(texts, fmt.Sprintf("%*s", l.width, "-"))
		} else {
			texts = append(texts, fmt.Sprintf("%*.*f", l.width, l.places, *v))
		}
	}
	return strings.Join(texts, " ") + "\n"
}
