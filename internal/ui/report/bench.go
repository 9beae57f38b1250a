package report

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/report/doc"
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

// Comparison has both sides of every workload with their 95 % intervals,
// the paired effect and its verdict, and a published figure beside them.
func Comparison(d *Document, r *measure.Result, refs []Reference) {
	if len(r.Options.Variants) != 2 {
		return
	}
	addCharts(d, r)
	a, b := r.Options.Variants[0], r.Options.Variants[1]
	t := doc.NewTable("comparison", doc.Left("").Keyed("figure"), doc.Right(a), doc.Interval(a), doc.Right(b), doc.Interval(b),
		doc.Right("effect"), doc.Interval("effect"), doc.Left("verdict"))
	t.GroupedBy, t.Drop = "workload", []int{2, 4}
	differ := false
	for _, w := range r.Options.Workloads {
		t.Group(doc.StyledCell(doc.Head, w.Name))
		if ref := published(refs, w.Name); ref != "" {
			t.Note(doc.Cell{Lead: "  ", Text: ref, Style: doc.Dim})
		}
		for _, s := range shown {
			x, y := figure(r, w.Name, a, s.name, ""), figure(r, w.Name, b, s.name, "")
			if !slices.Contains(brief, s.name) || x == nil && y == nil {
				continue
			}
			e := effect(r, w.Name, s.name)
			t.Add(doc.Indent("  ", s.brief), s.median(x), s.bounds(x), s.median(y), s.bounds(y), ratio(e), effectBounds(e),
				verdict(e))
			if e != nil && e.Reason != "" {
				t.Note(doc.Cell{Lead: "    ", Text: e.Reason, Style: doc.Dim})
			}
			differ = differ || disagree(e, x, y)
		}
	}
	d.Table(t)
	if differ {
		d.Prose("effect", "the mean of the ratios within each block; where the machine was unsteady it differs from that of the two medians")
	}
	HostCPU(d, r)
}

// medianGap is by which factor the ratio of two medians may differ from the effect without a word.
const medianGap = 1.03

// disagree says whether an effect is not the ratio of the two medians beside it.
func disagree(e *stats.Effect, x, y *measure.Figure) bool {
	if e == nil || x == nil || y == nil || x.Median <= 0 || y.Median <= 0 || e.Ratio <= 0 {
		return false
	}
	gap := y.Median / x.Median / e.Ratio
	return gap > medianGap || gap < 1/medianGap
}

// Trials has every figure of a run with its interval.
func Trials(d *Document, r *measure.Result) {
	addCharts(d, r)
	t := doc.NewTable("trials", doc.Left("workload"), doc.Left("figure"), doc.Right("median"), doc.Interval("median"),
		doc.Left("unit"), doc.Right("n"))
	for _, w := range r.Options.Workloads {
		for _, v := range variants(r) {
			name := doc.Cell{Text: strings.TrimSpace(w.Name + " " + v)}
			for _, s := range shown {
				f := figure(r, w.Name, v, s.name, "")
				if f == nil {
					continue
				}
				t.Add(name, s.label, s.median(f), s.bounds(f), s.unit, f.N)
				name.Repeated = true
			}
		}
	}
	d.Table(t)
	HostCPU(d, r)
	for _, why := range unknownCores(r) {
		d.Prose("cores", "unknown: "+why)
	}
}

// Controls says by how much equal states differed.
func Controls(d *Document, r *measure.Result) {
	t := doc.NewTable("controls", doc.Left("control (A/A)"), doc.Left("figure"), doc.Right("effect"), doc.Interval("effect"),
		doc.Left("verdict"))
	for _, c := range r.Controls {
		switch c.Figure {
		case measure.Throughput, measure.Transactions, measure.Cores:
			t.Add(c.Workload, label(c.Figure), ratio(&c.Effect), effectBounds(&c.Effect), c.Verdict)
			if c.Verdict == stats.Unsteady {
				t.Note(doc.Cell{Lead: "  ", Text: "equal states differ: other work on the hosts or the path while it was measured", Style: doc.Dim})
			}
		}
	}
	if !t.Empty() {
		d.Table(t)
	}
}

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

// MatrixDelta says what every variant of a matrix does against the first one.
func MatrixDelta(d *Document, r *measure.Result) {
	t := doc.NewWrapped("against", doc.Left("workload"), doc.Left("variant"), doc.Left("figure"), doc.Right("effect"),
		doc.Interval("effect"), doc.Left("verdict"))
	for _, c := range r.Contrast {
		switch c.Figure {
		case measure.Throughput, measure.Transactions, measure.PerCore, measure.PerTrans:
			t.Add(c.Workload, c.Variant, label(c.Figure), ratio(&c.Effect), effectBounds(&c.Effect), verdict(&c.Effect))
		}
	}
	if !t.Empty() {
		addBelow(d, "against "+r.Options.Variants[0], t)
	}
}

// HostCPU has the cores of every host of the path, where each is known, and
// what of the path's none of them accounts as its own. A single host's is the
// path's, so it adds nothing then.
func HostCPU(d *Document, r *measure.Result) {
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
	d.Gap()
	d.Table(coresTable(r, other))
	if other {
		d.Prose("other", "CPU of switches, hypervisors and other programs on the same kernel, and what the kernel accounts to no host; "+
			"included in total. All are medians, so a row need not add up exactly.")
	}
}

func coresTable(r *measure.Result, other bool) *doc.Table {
	t := doc.NewTable("cores", doc.Left("cores of").Keyed("workload"), doc.Left("").Keyed("variant"))
	hosts := pathOrder(r)
	for _, h := range hosts {
		t.Columns = append(t.Columns, doc.Right(h).In("cores"))
	}
	if other {
		t.Columns = append(t.Columns, doc.Right("other").In("cores"))
	}
	t.Columns = append(t.Columns, doc.Right("total").In("cores"))
	cores := shownAs(measure.Cores)
	for _, w := range r.Options.Workloads {
		name := doc.Cell{Text: w.Name}
		for _, v := range variants(r) {
			row := []any{name, v}
			for _, h := range hosts {
				row = append(row, cores.median(figure(r, w.Name, v, measure.Cores, h)))
			}
			if other {
				row = append(row, cores.median(figure(r, w.Name, v, measure.CoresOther, "")))
			}
			t.Add(append(row, cores.median(figure(r, w.Name, v, measure.Cores, "")))...)
			name.Repeated = true
		}
	}
	return t
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
