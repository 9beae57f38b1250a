package report

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/predict"
)

//go:embed layouts
var layouts embed.FS

// layout is what reports say, as templates whose actions print a line or a text each;
// what stands between the actions is nothing.
var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(words).Funcs((&pen{}).words()).ParseFS(layouts, "layouts/*.tmpl"))
})

// Lay prints data as a template of the folder layouts says.
func (p *Printer) Lay(name string, data any) {
	t := template.Must(layout().Clone()).Funcs((&pen{Printer: p}).words())
	if t.Lookup(name) == nil {
		name += ".tmpl" // one with a file of its own
	}
	if err := t.ExecuteTemplate(io.Discard, name, data); err != nil && p.Err == nil {
		p.Err = err
	}
}

// pen is what templates print with. All but styles and numbers is made safe.
type pen struct {
	*Printer
	table Table    // being filled
	said  []string // by once
}

// once prints what was not yet printed.
func (w *pen) once(label, text string) string {
	if said := label + text; !slices.Contains(w.said, said) {
		w.said = append(w.said, said)
		w.Prose(label, text)
	}
	return ""
}

// styled is a text whose style is not to be made safe.
type styled string

func shownIn(all []any) (out []any) {
	for _, a := range all {
		switch v := a.(type) {
		case int, int64, uint64, float64:
			out = append(out, v)
		case styled:
			out = append(out, string(v))
		case []string:
			for _, s := range v {
				out = append(out, Safe(s))
			}
		default:
			out = append(out, Safe(fmt.Sprint(v)))
		}
	}
	return out
}

// listed are the texts of arguments, of which some may be lists.
func listed(all []any) (out []string) {
	for _, x := range all {
		if list, ok := x.([]string); ok {
			out = append(out, list...)
			continue
		}
		out = append(out, fmt.Sprint(x))
	}
	return out
}

func (w *pen) words() template.FuncMap {
	begin := func(wrap bool) func(heads ...any) string {
		return func(heads ...any) string { w.table = Table{Head: listed(heads), Wrap: wrap}; return "" }
	}
	return template.FuncMap{
		"line":    func(format string, args ...any) string { w.Line(format, shownIn(args)...); return "" },
		"prose":   func(label any, texts ...any) string { w.Prose(fmt.Sprint(label), listed(texts)...); return "" },
		"code":    func(label, text string) string { w.Code(label, text); return "" },
		"entry":   func(head any, text string) string { w.Entry(fmt.Sprint(head), text); return "" },
		"lines":   func(label string, commands ...any) string { lines(w.Printer, label, listed(commands)); return "" },
		"heading": func(text string) string { w.Heading(text); return "" },
		"part":    func(text string) string { heading2(w.Printer, text); return "" },
		"found":   func(lead any, f finding.Finding) string { title(w.Printer, "", fmt.Sprint(lead), f); return "" },
		"head":    func(text any) styled { return styled(w.Style("head", Safe(fmt.Sprint(text)))) },
		"style":   func(meaning, text any) styled { return styled(w.Style(fmt.Sprint(meaning), fmt.Sprint(text))) },
		"headed":  func(g finding.Group) string { heading(w.Printer, g); return "" },
		"whole":   func(g finding.Group, all bool) string { group(w.Printer, g, all); return "" },
		"page":    func() bool { return w.HTML },
		"once":    w.once,
		"figures": func(of *predict.Prediction) string { predicted(w.Printer, of); return "" },
		// A table begins with its heads, and is printed by show; one of any rows by some.
		"table": begin(false), "wrapped": begin(true),
		"drop": func(columns ...int) string { w.table.Drop = columns; return "" },
		"row":  func(cells ...any) string { w.table.Add(listed(shownIn(cells))...); return "" },
		"span": func(text any) string { w.table.Span(fmt.Sprint(shownIn([]any{text})[0])); return "" },
		"show": func() string { w.table.Print(w.Printer); return "" },
		"some": func() bool {
			if len(w.table.Rows) > 0 {
				w.table.Print(w.Printer)
			}
			return len(w.table.Rows) > 0
		},
		"under": func(head string) string {
			if len(w.table.Rows) > 0 {
				heading2(w.Printer, head)
				w.table.Print(w.Printer)
			}
			return ""
		},
		"wrap": func(text string, less int) []string { return wrap(Safe(text), w.Columns()-less) },
	}
}

// words are functions of the templates that make texts.
var words = template.FuncMap{
	"join": strings.Join, "trim": strings.TrimSpace, "prefix": strings.TrimPrefix, "suffix": strings.TrimSuffix,
	"dash": func(v any) string { return Dash(fmt.Sprint(v)) }, "plural": Plural,
	"first": func(texts ...any) string { return cmp.Or(listed(texts)...) }, "replace": strings.Replace,
	"add": func(all ...int) (sum int) {
		for _, n := range all {
			sum += n
		}
		return sum
	},
	"sub":   func(a, b int) int { return a - b },
	"times": func(a, b float64) float64 { return a * b },
	"hosts": hosts, "proofs": proofs, "numbered": numbered, "outage": outage, "classed": classed, "source": sourced,
	"at":       func(s plan.Step, i int) step { return step{s, i + 1, i + 1, 1} },
	"defaults": func(a knowledge.Attribute) string { return Defaults(&a) },
	"reason":   func(why []string) string { return knowledge.BuiltIn().Reason(why) },
	"limiting": limiting, "further": further, "sure": sure, "untested": untested, "tested": tested,
	"diagnosed": diagnosed, "measured": measured, "streamed": streamed, "escaped": escaped.Replace,
	"look":    func(v knowledge.Verdict) string { return verdictStyles[v] },
	"witness": doctor.Witness, "brief": doctor.Brief, "feature": doctor.Name,
	"mood": func(o execute.Outcome) string { return cmp.Or(moods[o], "bad") }, "changed": changed,
	"seconds":  func(n int) string { return (time.Duration(n) * time.Second).String() },
	"designed": designed, "outages": outages, "calibrated": Calibrated, "cell": cell, "against": against, "between": between,
	"percent":     percent,
	"probability": probability, "confirmed": confirmed, "also": also, "total": Total, "share": share, "beyond": beyond, "minutes": minutes,
	"compared": compared, "kinds": func() []diff.Kind { return diff.Kinds }, "kind_head": func(k diff.Kind) string { return kindHeads[k] },
	"failover": failover, "value": or, "values": values, "mark": mark, "outages_of": outagesOf,
	"shortened": model.Brief, "ended": func(s string) string { return strings.TrimRight(s, " ") }, "matter": Attributes, "label": label,
	"refs":  func(all []model.Ref) string { return refs(all, len(all)) },
	"ratio": func(e stats.Effect) string { return ratio(&e) }, "ratios": func(e stats.Effect) string { return ratios(&e) },
	"safe": Safe, "missing": finding.SummarizeMissing, "waived": waived, "answer": answer, "certain": certain,
	"loaded": loaded, "state": func(label string, s predict.State) stateOf { return stateOf{label, s} }, "likely": likely, "carried": carried,
	"among": among,
}
