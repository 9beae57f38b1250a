package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/chart"
	"seaworthy/internal/ui/report/doc"
)

// shownFigure is how a figure is printed.
type shownFigure struct {
	name, label, unit, brief string
	scale                    float64 // shown = measured × scale
	digits                   int
}

// shown are the figures a table has, with their units.
var shown = []shownFigure{
	{measure.Throughput, "throughput", "Mbit/s", "Mbit/s", 1e-6, 0},
	{measure.Transactions, "transactions", "TPS", "TPS", 1, 0},
	{measure.Fairness, "fairness", "", "fairness", 1, 2},
	{measure.Cores, "CPU of the path", "cores", "cores", 1, 2},
	{measure.PerCore, "per core", "Gbit/s", "Gbit/s per core", 1, 2},
	{measure.PerTrans, "per transaction", "core-µs", "core-µs per trans.", 1, 1},
	{measure.LatencyP50, "latency, median", "µs", "µs latency, median", 1, 0},
	{measure.LatencyP99, "latency, 99 %", "µs", "µs latency, 99 %", 1, 0},
	{measure.Retransmits, "retransmits", "1/s", "retransmits/s", 1, 1},
}

// shownAs is how a figure is printed; nil: it is in no table.
func shownAs(figure string) *shownFigure {
	i := slices.IndexFunc(shown, func(s shownFigure) bool { return s.name == figure })
	if i < 0 {
		return nil
	}
	return &shown[i]
}

// label is a figure's name for people.
func label(figure string) string {
	if s := shownAs(figure); s != nil {
		return s.label
	}
	return figure
}

// brief are the figures of a comparison's table.
var brief = []string{measure.Throughput, measure.Transactions, measure.Cores, measure.PerCore, measure.PerTrans}

// variants names a result's variants; a run has one, without a name.
func variants(r *measure.Result) []string {
	if len(r.Options.Variants) == 0 {
		return []string{""}
	}
	return r.Options.Variants
}

func figure(r *measure.Result, workload, variant, name, host string) *measure.Figure {
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Workload == workload && f.Variant == variant && f.Figure == name && f.Host == host {
			return f
		}
	}
	return nil
}

func effect(r *measure.Result, workload, name string) *stats.Effect {
	for i := range r.Contrast {
		c := &r.Contrast[i]
		if c.Workload == workload && c.Figure == name {
			return &c.Effect
		}
	}
	return nil
}

func (s *shownFigure) number(measured float64) string { return number(measured*s.scale, s.digits) }

func (s *shownFigure) median(f *measure.Figure) string {
	if f == nil {
		return "-"
	}
	return s.number(f.Median)
}

func (s *shownFigure) interval(f *measure.Figure) string {
	if f == nil || f.Low == nil || f.High == nil {
		return "-"
	}
	return s.number(*f.Low) + "–" + s.number(*f.High)
}

// ratio prints an effect as a difference in percent.
func ratio(e *stats.Effect) string {
	if e == nil {
		return "-"
	}
	return percent(e.Ratio)
}

func ratios(e *stats.Effect) string {
	if e == nil || e.Low == nil || e.High == nil {
		return "-"
	}
	return strings.TrimSuffix(percent(*e.Low), " %") + " to " + percent(*e.High)
}

// effectStyles colour what an effect was shown to be; others are dim.
var effectStyles = map[stats.Verdict]doc.Style{stats.Improved: doc.Good, stats.Worse: doc.Bad}

func verdict(e *stats.Effect) doc.Cell {
	if e == nil {
		return doc.Cell{Text: "-"}
	}
	return doc.StyledCell(cmp.Or(effectStyles[e.Verdict], doc.Dim), string(e.Verdict))
}

// widest is how many times its median an interval may reach: of few trials that differ much, no
// interval says anything.
const widest = 20

// bounds is the interval of a median as a cell.
func (s *shownFigure) bounds(f *measure.Figure) doc.Cell {
	if f == nil || f.Low == nil || f.High == nil || f.Median > 0 && *f.High > widest*f.Median {
		return doc.Cell{Text: "-"}
	}
	return doc.Bounds(s.interval(f), s.number(*f.Low), s.number(*f.High))
}

// effectBounds is the interval of an effect as a cell.
func effectBounds(e *stats.Effect) doc.Cell {
	if e == nil || e.Low == nil || e.High == nil || *e.High > widest*e.Ratio {
		return doc.Cell{Text: "-"}
	}
	return doc.Bounds(ratios(e), percent(*e.Low), percent(*e.High))
}

func percent(ratio float64) string {
	if ratio >= 11 {
		return "×" + number(ratio, 0)
	}
	return chart.Percent(ratio)
}

// number prints with a blank between thousands, as units have it.
func number(v float64, digits int) string {
	s := fmt.Sprintf("%.*f", digits, v)
	whole, rest, dot := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	if dot {
		whole += "." + rest
	}
	return sign + whole
}
