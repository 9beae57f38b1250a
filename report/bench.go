package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"seaworthy/bench"
	"seaworthy/bench/stats"
)

// Reference is a published figure of a workload before and after a change, to
// be read beside measured ones; never mixed into them.
type Reference struct {
	Workload string  `json:"workload"`
	Figure   string  `json:"figure"` // of package bench
	Before   float64 `json:"before"`
	After    float64 `json:"after"`
	Source   string  `json:"source"`
}

// shownFigure is how a figure is printed.
type shownFigure struct {
	name, label, unit, brief string
	scale                    float64 // shown = measured × scale
	digits                   int
}

// shown are the figures a table has, with their units.
var shown = []shownFigure{
	{bench.Throughput, "throughput", "Mbit/s", "Mbit/s", 1e-6, 0},
	{bench.Transactions, "transactions", "TPS", "TPS", 1, 0},
	{bench.Cores, "CPU of the path", "cores", "cores", 1, 2},
	{bench.PerCore, "per core", "Gbit/s", "Gbit/s per core", 1, 2},
	{bench.PerTrans, "per transaction", "core-µs", "core-µs per trans.", 1, 1},
	{bench.LatencyP50, "latency, median", "µs", "µs latency, median", 1, 0},
	{bench.LatencyP99, "latency, 99 %", "µs", "µs latency, 99 %", 1, 0},
	{bench.Retransmits, "retransmits", "1/s", "retransmits/s", 1, 1},
}

// label is a figure's name for people.
func label(figure string) string {
	for _, s := range shown {
		if s.name == figure {
			return s.label
		}
	}
	return figure
}

// brief are the figures of a comparison's table.
var brief = []string{bench.Throughput, bench.Transactions, bench.Cores, bench.PerCore, bench.PerTrans}

// Comparison prints both sides of every workload with their 95 % intervals,
// the paired effect and its verdict, and a published figure beside them.
func Comparison(p *Printer, r *bench.Result, refs []Reference) {
	if len(r.Options.Variants) != 2 {
		return
	}
	a, b := r.Options.Variants[0], r.Options.Variants[1]
	p.charts(r)
	const span = " 95 % interval"
	t := Table{Head: []string{"", " " + a, span, " " + b, span, " effect", span, "verdict"}, Drop: []int{2, 4}}
	for _, w := range r.Options.Workloads {
		t.Span(p.Style("head", w.Name))
		if ref := published(refs, w.Name); ref != "" {
			for _, line := range wrap(ref, p.Columns()-2) {
				t.Span("  " + p.Style("dim", line))
			}
		}
		for _, s := range shown {
			x, y := figure(r, w.Name, a, s.name, ""), figure(r, w.Name, b, s.name, "")
			if !slices.Contains(brief, s.name) || x == nil && y == nil {
				continue
			}
			e := effect(r, w.Name, s.name)
			t.Add("  "+s.brief, median(x, s.scale, s.digits), interval(x, s.scale, s.digits),
				median(y, s.scale, s.digits), interval(y, s.scale, s.digits), ratio(e), ratios(e), p.verdict(e))
		}
	}
	t.Print(p)
	HostCPU(p, r)
}

// Trials prints every figure of a run with its interval.
func Trials(p *Printer, r *bench.Result) {
	p.charts(r)
	t := Table{Head: []string{"workload", "figure", " median", " 95 % interval", "unit", " n"}}
	for _, w := range r.Options.Workloads {
		for _, v := range variants(r) {
			name := strings.TrimSpace(w.Name + " " + v)
			for _, s := range shown {
				f := figure(r, w.Name, v, s.name, "")
				if f == nil {
					continue
				}
				t.Add(name, s.label, median(f, s.scale, s.digits), interval(f, s.scale, s.digits), s.unit, Count(f.N))
				name = ""
			}
		}
	}
	t.Print(p)
	HostCPU(p, r)
	for _, why := range unknownCores(r) {
		p.Prose("cores", "unknown: "+why)
	}
}

// Conditions prints what a reader must know to believe the figures.
func Conditions(p *Printer, r *bench.Result) {
	var hosts []string
	for _, h := range r.Hosts {
		hosts = append(hosts, fmt.Sprintf("%s (%s, CPU by %s)", h.Name, h.Role, h.Meter))
	}
	p.Prose("hosts", strings.Join(hosts, ", "))
	o := r.Options
	order := fmt.Sprintf("%s, driver %s, target %s, seed %d", Plural(len(r.Trials), "trial"), o.Driver, o.Target, o.Seed)
	if r.Mode == "compare" {
		order = fmt.Sprintf("%s in %s, random order, %d of them with an A/A control, driver %s, target %s, seed %d",
			Plural(len(r.Trials), "trial"), Plural(o.Repetitions, "block"), o.Control, o.Driver, o.Target, o.Seed)
	}
	p.Prose("order", order)
	for _, c := range o.Changes {
		p.Prose("compared", fmt.Sprintf("%s is plan %.12s: %s", c.Variant, c.Plan, strings.Join(c.Values, "; ")))
	}
	if !r.Started.IsZero() && o.Program != "" {
		p.Prose("measured", fmt.Sprintf("%s, by %s", r.Started.UTC().Format("2006-01-02 15:04 UTC"), o.Program))
	}
	if o.DriverReason != "" {
		p.Prose("driver", o.DriverReason)
	}
	windowLimited(p, r)
	for _, c := range r.Controls {
		if c.Verdict == stats.Unsteady {
			p.Prose("control", fmt.Sprintf("%s, %s: unsteady: equal states differ by %s (%s)",
				c.Workload, label(c.Figure), ratio(&c.Effect), ratios(&c.Effect)))
		}
	}
	if r.Error != "" {
		p.Prose("error", r.Error)
	}
}

// Controls prints by how much equal states differed.
func Controls(p *Printer, r *bench.Result) {
	t := Table{Head: []string{"control (A/A)", "figure", " effect", " 95 % interval", "verdict"}}
	for _, c := range r.Controls {
		if c.Figure == bench.Throughput || c.Figure == bench.Transactions || c.Figure == bench.Cores {
			t.Add(c.Workload, label(c.Figure), ratio(&c.Effect), ratios(&c.Effect), string(c.Verdict))
		}
	}
	if len(t.Rows) > 0 {
		t.Print(p)
	}
}

func unknownCores(r *bench.Result) []string {
	var out []string
	for _, t := range r.Trials {
		for _, why := range t.NoCores {
			if !slices.Contains(out, why) {
				out = append(out, why)
			}
		}
	}
	return out
}

// variants names a result's variants; a run has one, without a name.
func variants(r *bench.Result) []string {
	if len(r.Options.Variants) == 0 {
		return []string{""}
	}
	return r.Options.Variants
}

func figure(r *bench.Result, workload, variant, name, host string) *bench.Figure {
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Workload == workload && f.Variant == variant && f.Figure == name && f.Host == host {
			return f
		}
	}
	return nil
}

func effect(r *bench.Result, workload, name string) *stats.Effect {
	for i := range r.Contrast {
		c := &r.Contrast[i]
		if c.Workload == workload && c.Figure == name {
			return &c.Effect
		}
	}
	return nil
}

func median(f *bench.Figure, scale float64, digits int) string {
	if f == nil {
		return "-"
	}
	return number(f.Median*scale, digits)
}

func interval(f *bench.Figure, scale float64, digits int) string {
	if f == nil || f.Low == nil || f.High == nil {
		return "-"
	}
	return number(*f.Low*scale, digits) + "–" + number(*f.High*scale, digits)
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

func (p *Printer) verdict(e *stats.Effect) string {
	if e == nil {
		return "-"
	}
	meaning := map[stats.Verdict]string{stats.Improved: "good", stats.Worse: "bad"}[e.Verdict]
	return p.Style(cmp.Or(meaning, "dim"), string(e.Verdict))
}

// published puts a workload's published figures on one line.
func published(refs []Reference, workload string) string {
	var parts []string
	source := ""
	for _, r := range refs {
		for _, s := range shown {
			if r.Workload != workload || r.Figure != s.name {
				continue
			}
			source = r.Source
			text := number(r.Before*s.scale, s.digits)
			if r.After != r.Before {
				text += " → " + number(r.After*s.scale, s.digits)
			}
			parts = append(parts, fmt.Sprintf("%s %s (%s)", text, s.brief, percent(r.After/r.Before)))
		}
	}
	if source == "" {
		return ""
	}
	return source + ": " + strings.Join(parts, ", ")
}

func percent(ratio float64) string {
	if ratio >= 11 {
		return "×" + number(ratio, 0)
	}
	v := (ratio - 1) * 100
	digits := 0
	if math.Abs(v) < 10 {
		digits = 1
	}
	if math.Abs(v) < 0.05 {
		return "±0 %"
	}
	s := fmt.Sprintf("%+.*f %%", digits, v)
	return strings.Replace(s, "-", "−", 1)
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
