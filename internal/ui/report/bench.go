package report

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/measure"
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
func Comparison(p *Printer, r *measure.Result, refs []Reference) {
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
			t.Add("  "+s.brief, s.median(x), s.interval(x),
				s.median(y), s.interval(y), ratio(e), ratios(e), p.verdict(e))
		}
	}
	t.Print(p)
	HostCPU(p, r)
}

// Trials prints every figure of a run with its interval.
func Trials(p *Printer, r *measure.Result) {
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
				t.Add(name, s.label, s.median(f), s.interval(f), s.unit, Count(f.N))
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

// Controls prints by how much equal states differed.
func Controls(p *Printer, r *measure.Result) { p.Lay("controls", r.Controls) }

func unknownCores(r *measure.Result) []string {
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
		s := shownAs(r.Figure)
		if r.Workload != workload || s == nil {
			continue
		}
		source = r.Source
		text := s.number(r.Before)
		if r.After != r.Before {
			text += " → " + s.number(r.After)
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", text, s.brief, percent(r.After/r.Before)))
	}
	if source == "" {
		return ""
	}
	return source + ": " + strings.Join(parts, ", ")
}

// MatrixDelta prints what every variant of a matrix does against the first one.
func MatrixDelta(p *Printer, r *measure.Result) {
	t := Table{Head: []string{"workload", "variant", "figure", " effect", " 95 % interval", "verdict"}, Wrap: true}
	for _, c := range r.Contrast {
		switch c.Figure {
		case measure.Throughput, measure.Transactions, measure.PerCore, measure.PerTrans:
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

// HostCPU prints the cores of every host of the path, where each is known, and
// what of the path's none of them accounts as its own. A single host's is the
// path's, so it prints nothing then.
func HostCPU(p *Printer, r *measure.Result) {
	hosts := pathOrder(r)
	other := false
	known := map[string]bool{}
	for _, f := range r.Figures {
		other = other || f.Figure == measure.CoresOther
		if f.Figure == measure.Cores && f.Host != "" {
			known[f.Host] = true
		}
	}
	if len(known) < 2 {
		return
	}
	head := []string{"cores of", ""}
	for _, h := range hosts {
		head = append(head, " "+h)
	}
	if other {
		head = append(head, " other")
	}
	cores, t := shownAs(measure.Cores), Table{Head: append(head, " total")}
	for _, w := range r.Options.Workloads {
		name := w.Name
		for _, v := range variants(r) {
			row := []string{name, v}
			for _, h := range hosts {
				row = append(row, cores.median(figure(r, w.Name, v, measure.Cores, h)))
			}
			if other {
				row = append(row, cores.median(figure(r, w.Name, v, measure.CoresOther, "")))
			}
			t.Add(append(row, cores.median(figure(r, w.Name, v, measure.Cores, "")))...)
			name = ""
		}
	}
	p.Line("")
	t.Print(p)
	if other {
		p.Prose("other", "CPU of switches, hypervisors and other programs on the same kernel, and what the kernel accounts to no host; "+
			"included in total. All are medians, so a row need not add up exactly.")
	}
}

// pathOrder are the hosts from one end to the other.
func pathOrder(r *measure.Result) []string {
	var names []string
	for _, role := range []string{"from", "end", "via", "to"} {
		for _, h := range r.Hosts {
			if h.Role == role {
				names = append(names, h.Name)
			}
		}
	}
	return names
}

// HostCores are the cores that each host used at the heaviest load, as the path
// was found.
func HostCores(r *measure.Result) map[string]float64 {
	out := map[string]float64{}
	for _, f := range r.Figures {
		if f.Figure == measure.Cores && f.Host != "" && f.Variant == variants(r)[0] {
			out[f.Host] = max(out[f.Host], f.Median)
		}
	}
	return out
}
