package report

import (
	"fmt"
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
	decisions(p, r)
	var hosts []string
	for _, h := range r.Hosts {
		hosts = append(hosts, fmt.Sprintf("%s (%s, CPU by %s)", h.Name, h.Role, h.Meter))
	}
	p.Prose("hosts", strings.Join(hosts, ", "))
	o := r.Options
	order := fmt.Sprintf("%s, driver %s, target %s, seed %d", Plural(len(r.Trials), "trial"), o.Driver, o.Target, o.Seed)
	if r.Mode == "mesh" {
		order = fmt.Sprintf("%s, each of all pairs at once, driver %s, seed %d", Plural(len(r.Trials), "trial"), o.Driver, o.Seed)
	}
	if r.Mode == "compare" && !o.UntilDecided {
		blocks := Plural(o.Repetitions, "block")
		if o.OutOfTime > 0 {
			blocks = fmt.Sprintf("%d of %s (no time was left)", o.OutOfTime, blocks)
		}
		order = fmt.Sprintf("%s in %s, random order, %d of them with an A/A control, driver %s, target %s, seed %d",
			Plural(len(r.Trials), "trial"), blocks, o.Control, o.Driver, o.Target, o.Seed)
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
	if r.Mode != "mesh" { // whose streams share their hosts
		windowLimited(p, r)
	}
	latencies(p, r)
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

// Measured prints a saved result as it was printed when it was measured.
func Measured(p *Printer, r *bench.Result) {
	switch r.Mode {
	case "compare":
		Comparison(p, r, nil)
		p.Line("")
		Controls(p, r)
	case "matrix":
		Trials(p, r)
		p.Line("")
		MatrixDelta(p, r)
	case "mesh":
		Mesh(p, r)
	default:
		Trials(p, r)
	}
	Conditions(p, r)
}

// MatrixDelta prints what every variant of a matrix does against the first one.
func MatrixDelta(p *Printer, r *bench.Result) {
	t := Table{Head: []string{"workload", "variant", "figure", " effect", " 95 % interval", "verdict"}, Wrap: true}
	for _, c := range r.Contrast {
		switch c.Figure {
		case bench.Throughput, bench.Transactions, bench.PerCore, bench.PerTrans:
		default:
			continue
		}
		t.Add(Safe(c.Workload), Safe(c.Variant), label(c.Figure), ratio(&c.Effect), ratios(&c.Effect), p.verdict(&c.Effect))
	}
	if len(t.Rows) == 0 {
		return
	}
	p.Line("")
	p.Line("%s", p.Style("head", "against "+Safe(r.Options.Variants[0])))
	t.Print(p)
}

// windowLimited prints which streams a window limited, and how large it would
// have to be.
func windowLimited(p *Printer, r *bench.Result) {
	all := bench.WindowLimited(r)
	for _, h := range all {
		var by []string
		if h.Peer > 0.005 {
			by = append(by, fmt.Sprintf("the receiver's window for %.0f %%", 100*h.Peer))
		}
		if h.Buffer > 0.005 {
			by = append(by, fmt.Sprintf("the send buffer for %.0f %%", 100*h.Buffer))
		}
		each := ""
		if h.Streams > 1 {
			each = fmt.Sprintf(" for each of %d streams", h.Streams)
		}
		p.Prose("window", fmt.Sprintf("%s: the sender was limited by %s of the time. A round trip takes %.2f ms: "+
			"1 Gbit/s needs %s bytes of window%s (bandwidth-delay product)",
			strings.TrimSpace(h.Workload+" "+h.Variant), strings.Join(by, ", by "), h.RoundMS, number(h.Needs(1e9), 0), each))
	}
	if len(all) > 0 {
		p.Prose("", strings.TrimSpace("seaworthy diagnose "+r.Options.From+" "+r.Options.To+" "+r.Options.Lookup)+" says what to set")
	}
}
