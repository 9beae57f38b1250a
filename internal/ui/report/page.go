package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/chart"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/internal/ui/report/quote"
)

// titled is a result that has a page of its own. One of another package may also
// have a summary, PageSummary, and a Drawing.
type titled interface{ PageTitle() string }

type summarised interface{ PageSummary() []string }

// Titled are the title of a result's page and its summary, a sentence each.
func Titled(data any) (title string, summary []string) {
	switch r := data.(type) {
	case titled:
		if s, ok := data.(summarised); ok {
			summary = s.PageSummary()
		}
		return r.PageTitle(), summary
	case *measure.Result:
		return fmt.Sprintf("%s → %s, %s", r.Options.From, r.Options.To, day(r.Started)), Summary(r)
	case *plan.Plan:
		return PlanTitle(r.ID), planned(r)
	case *execute.Run:
		return fmt.Sprintf("Run %s: %s", r.ID, r.Outcome), applied(r)
	}
	return "Runs", nil // of status
}

// PlanTitle is the title of a plan's page.
func PlanTitle(id plan.ID) string { return fmt.Sprintf("Plan %s", id) }

// hasPage reports whether data of this type has one.
func hasPage(data any) bool {
	switch data.(type) {
	case titled, *measure.Result, *plan.Plan, *execute.Run:
		return true
	}
	return false
}

// Summary says what an experiment changed and, in a sentence a workload, what it showed.
func Summary(r *measure.Result) []string {
	var out []string
	if c := r.Options.Changes; r.Mode == "compare" && len(c) == 1 {
		list, more := c[0].Values, ""
		if len(list) > 5 {
			list, more = list[:4], fmt.Sprintf("; and %d more", len(list)-4)
		}
		out = append(out, "Changed: "+strings.Join(list, "; ")+more+".")
	}
	for _, w := range r.Options.Workloads {
		switch r.Mode {
		case "compare":
			out = append(out, onWorkload(r, w.Name)...)
		case "matrix":
			out = append(out, bestOf(r, w.Name)...)
		default:
			for _, s := range shown[:2] {
				if f := figure(r, w.Name, variants(r)[0], s.name, ""); f != nil {
					out = append(out, fmt.Sprintf("%s: %s %s (95 %% interval %s, %s).", w.Name, s.median(f), s.unit,
						s.interval(f), Plural(f.N, "trial")))
				}
			}
		}
	}
	if r.Error != "" {
		out = append(out, "It ended early: "+r.Error)
	}
	return out
}

// onWorkload are the effects on one workload that were decided, or that none was.
func onWorkload(r *measure.Result, workload string) []string {
	var parts []string
	for _, name := range []string{measure.Throughput, measure.Transactions, measure.Cores} {
		e := effect(r, workload, name)
		if e == nil {
			continue
		}
		text := fmt.Sprintf("%s %s (95 %% interval %s): %s", label(name), ratio(e), cmp.Or(ratios(e), "-"), e.Verdict)
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{workload + ": " + strings.Join(parts, "; ") + "."}
}

// bestOf is the variant of a matrix with the greatest proved gain on a workload.
func bestOf(r *measure.Result, workload string) []string {
	var best *measure.Contrast
	for i := range r.Contrast {
		c := &r.Contrast[i]
		if c.Workload == workload && slices.Contains([]string{measure.Throughput, measure.Transactions}, c.Figure) &&
			c.Verdict == stats.Improved && (best == nil || c.Ratio > best.Ratio) {
			best = c
		}
	}
	if best == nil {
		return []string{workload + ": no variant was shown to be better than the first."}
	}
	return []string{fmt.Sprintf("%s: best with %s: %s %s (95 %% interval %s).", workload, best.Variant, label(best.Figure),
		ratio(&best.Effect), ratios(&best.Effect))}
}

func planned(p *plan.Plan) []string {
	if len(p.Steps) == 0 {
		return []string{"There is nothing to change."}
	}
	out := []string{Total(p) + "."}
	if n := len(p.Refused); n > 0 {
		out = append(out, Plural(n, "change")+" cannot be planned: see the end.")
	}
	return append(out, "Nothing is changed until the plan is applied; each step has its verification and its undo.")
}

func applied(r *execute.Run) []string {
	states := map[string]int{}
	var order []string
	for _, s := range r.Steps {
		if states[s.State] == 0 {
			order = append(order, s.State)
		}
		states[s.State]++
	}
	var parts []string
	for _, s := range order {
		parts = append(parts, fmt.Sprintf("%d %s", states[s], s))
	}
	out := []string{fmt.Sprintf("Plan %s: %s. Steps: %s.", r.Plan, r.Outcome, strings.Join(parts, ", "))}
	if r.Error != "" {
		out = append(out, r.Error)
	}
	return out
}

// Diagnosed says why a path is slow: the verdict, and a sentence a cause.
func Diagnosed(d *diagnose.Diagnosis) []string {
	out := []string{strings.ToUpper(diagnosed(d)[:1]) + diagnosed(d)[1:] + "."}
	for _, c := range d.Causes {
		out = append(out, fmt.Sprintf("%s %s: %s (%s).", c.Host, c.Element, c.Title, c.Certainty))
	}
	for _, x := range d.Elsewhere {
		if len(x.Seen) > 0 {
			out = append(out, fmt.Sprintf("Look at %s: %s.", x.Host, x.Title))
		}
	}
	return out
}

// sheet is the page's style, for screen and paper, light and dark.
//
//go:embed page.css
var sheet string

var _ = register(Format{
	Name: "html",
	Fits: hasPage,
	Print: func(to Output, r Result) error {
		title, summary := Titled(r.Data)
		return Page(to.W, title, func(d *Document) {
			d.Lead(summary)
			if picture, ok := r.Data.(drawable); ok {
				Drawing(d, picture.Drawing())
			}
			r.Text(d)
		})
	},
})

// Page writes a document as an HTML page that is self-contained; fill fills it.
func Page(w io.Writer, title string, fill func(d *Document)) error {
	var d Document
	fill(&d)
	var body bytes.Buffer
	if err := doc.WriteHTML(&body, &d); err != nil {
		return err
	}
	// No script and nothing from elsewhere: only this very style sheet.
	style := Style()
	sum := sha256.Sum256([]byte(style))
	title = quote.XML(title)
	_, err := fmt.Fprintf(w, pageFrame, base64.StdEncoding.EncodeToString(sum[:]), title, style, title, body.String())
	return err
}

// pageFrame takes the digest of the style sheet, the title, the sheet, the title and the body.
const pageFrame = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-%s'">
<title>%s</title>
<style>%s</style>
</head>
<body>
<main>
<h1>%s</h1>
%s</main>
</body>
</html>
`

// Style is the style sheet of pages: of documents, drawings and charts.
func Style() string { return sheet + drawing.Style + chart.Style }

// Chart adds a chart with its numbers to a document, unless it has none.
func Chart(d *Document, c chart.Chart) {
	if numbers := c.Table(); !numbers.Empty() {
		d.Add(doc.Figure{Title: c.Title(), Draw: func() []byte { return chart.Inline(c) }, Numbers: numbers})
	}
}

// Drawing adds a drawing to a document; nil adds nothing.
func Drawing(d *Document, of *drawing.Drawing) {
	if of != nil {
		d.Add(doc.Figure{Title: cmp.Or(of.Caption, "Path"), Draw: of.Inline})
	}
}
