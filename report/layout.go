package report

import (
	"embed"
	"fmt"
	"io"
	"strings"
	"sync"
	"text/template"

	"seaworthy/audit/finding"
	"seaworthy/catalog"
	"seaworthy/change/plan"
	"seaworthy/collect/doctor"
)

//go:embed layouts
var layouts embed.FS

// layout is what reports say, as templates whose actions print a line or a text each;
// what stands between the actions is nothing.
var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs((&Printer{}).words()).ParseFS(layouts, "layouts/*.tmpl"))
})

// lay prints data as a template says.
func (p *Printer) lay(name string, data any) {
	t := template.Must(layout().Clone()).Funcs(p.words())
	if err := t.ExecuteTemplate(io.Discard, name+".tmpl", data); err != nil && p.Err == nil {
		p.Err = err
	}
}

// styled is a text whose style is not to be made safe.
type styled string

// words are the functions of the templates. What is no style is made safe by line.
func (p *Printer) words() template.FuncMap {
	return template.FuncMap{
		"line": func(format string, args ...any) string {
			for i, a := range args {
				switch v := a.(type) {
				case int, int64, float64:
				case styled:
					args[i] = string(v)
				default:
					args[i] = Safe(fmt.Sprint(v))
				}
			}
			p.Line(format, args...)
			return ""
		},
		"prose": func(label string, texts ...any) string {
			for _, x := range texts {
				list, ok := x.([]string)
				if !ok {
					list = []string{fmt.Sprint(x)}
				}
				p.Prose(label, list...)
			}
			return ""
		},
		"code":  func(label, text string) string { p.Code(label, text); return "" },
		"entry": func(head, text string) string { p.Entry(head, text); return "" },
		"lines": func(label string, commands ...any) string {
			for _, c := range commands {
				list, ok := c.([]string)
				if !ok {
					list = []string{fmt.Sprint(c)}
				}
				lines(p, label, list)
			}
			return ""
		},
		"heading": func(text string) string { p.Heading(text); return "" },
		"title": func(indent string, f finding.Finding) string {
			title(p, indent, p.Style(string(f.Severity), fmt.Sprintf("%-8s", f.Severity)), f)
			return ""
		},
		"head":  func(text any) styled { return styled(p.Style("head", Safe(fmt.Sprint(text)))) },
		"style": func(meaning string, text any) string { return p.Style(meaning, fmt.Sprint(text)) },
		"page":  func() bool { return p.HTML },
		"join":  strings.Join, "trim": strings.TrimSpace, "prefix": strings.TrimPrefix, "suffix": strings.TrimSuffix,
		"plural": Plural, "hosts": hosts, "proofs": proofs, "numbered": numbered, "outage": outage, "classed": classed, "source": sourced,
		"at":  func(s plan.Step, i int) step { return step{s, i + 1, i + 1, 1} },
		"add": func(a, b int) int { return a + b }, "sub": func(a, b int) int { return a - b },
		"times":    func(a, b float64) float64 { return a * b },
		"defaults": func(a catalog.Attribute) string { return Defaults(&a) }, "reason": func(why []string) string { return catalog.BuiltIn().Reason(why) },
		"diagnosed": diagnosed, "measured": measured, "streamed": streamed, "escaped": escaped.Replace,
		"look": func(v catalog.Verdict) string { return verdictStyles[v] }, "witness": doctor.Witness, "brief": doctor.Brief, "feature": doctor.Name,
	}
}
