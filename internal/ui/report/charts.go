package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/chart"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report/doc"
)

// addCharts adds the path of a result and its charts: effects, every trial, cores.
func addCharts(d *Document, r *measure.Result) {
	Drawing(d, measuredPath(r))
	if r.Mode == "matrix" {
		for _, name := range brief {
			Chart(d, matrixOf(r, name))
			for _, w := range r.Options.Workloads {
				Chart(d, screening(r, w.Name, name))
			}
		}
	} else {
		Chart(d, effectsOf(r))
	}
	for _, s := range shown {
		if slices.Contains(brief, s.name) {
			Chart(d, trialsOf(r, s))
			Chart(d, courseOf(r, s))
			if text := withoutCourse(r, s); text != "" {
				d.On(doc.Page, func(d *Document) { d.Line("%s", doc.Styled(doc.Dim, text)) })
			}
		}
	}
	Chart(d, coresOf(r))
}

func effectsOf(r *measure.Result) *chart.Effects {
	c := &chart.Effects{Name: "Effect by workload and figure"}
	if v := r.Options.Variants; len(v) == 2 {
		c.Name += fmt.Sprintf(": %s against %s", v[1], v[0])
	}
	for _, x := range r.Contrast {
		if slices.Contains(brief, x.Figure) {
			e := effectOf(x)
			e.Name = x.Workload + ": " + label(x.Figure) + beforeAndAfter(r, x)
			c.Rows = append(c.Rows, e)
		}
	}
	return c
}

// beforeAndAfter are the medians of an effect with their unit; empty where one is missing.
func beforeAndAfter(r *measure.Result, x measure.Contrast) string {
	s, v := shownAs(x.Figure), r.Options.Variants
	if s == nil || len(v) != 2 {
		return ""
	}
	before, after := figure(r, x.Workload, v[0], x.Figure, ""), figure(r, x.Workload, v[1], x.Figure, "")
	if before == nil || after == nil {
		return ""
	}
	return fmt.Sprintf(", %s → %s %s", s.number(before.Median), s.number(after.Median), s.unit)
}

func effectOf(x measure.Contrast) chart.Effect {
	class := 0
	switch x.Verdict {
	case stats.Worse:
		class = 1
	case stats.Improved:
		class = 2
	}
	return chart.Effect{Ratio: x.Ratio, Low: x.Low, High: x.High, Blocks: x.Ratios, Verdict: string(x.Verdict), Class: class}
}

func trialsOf(r *measure.Result, s shownFigure) *chart.Trials {
	c := &chart.Trials{Name: capital(s.label) + ", every trial", Unit: s.unit}
	names := briefly(variants(r))
	for _, w := range r.Options.Workloads {
		g := chart.Group{Name: w.Name}
		for _, v := range variants(r) {
			f := figure(r, w.Name, v, s.name, "")
			if f == nil {
				continue
			}
			row := chart.Row{Name: names[v], Median: f.Median * s.scale, Low: scaled(f.Low, s.scale), High: scaled(f.High, s.scale)}
			for i := range r.Trials {
				t := &r.Trials[i]
				if value, ok := t.Figures()[s.name]; ok && t.Workload == w.Name && t.Variant == v {
					row.Samples = append(row.Samples, chart.Sample{Block: t.Block, Value: value * s.scale})
				}
			}
			g.Rows = append(g.Rows, row)
		}
		if len(g.Rows) > 0 {
			c.Groups = append(c.Groups, g)
		}
	}
	return c
}

// withoutCourse names the trials that courseOf has nothing for: results of earlier
// versions have none, nor do those of tools that report totals only.
func withoutCourse(r *measure.Result, s shownFigure) string {
	all, without := 0, 0
	for i := range r.Trials {
		t := &r.Trials[i]
		if _, ok := t.Figures()[s.name]; !ok || s.name != measure.Throughput && s.name != measure.Transactions {
			continue
		}
		all++
		if t.CourseOf() == "" {
			without++
		}
	}
	if without == 0 || r.Mode == "mesh" { // pairs have courses of their own, which are not kept
		return ""
	}
	return fmt.Sprintf("%s over time is unknown for %d of %d trials: %s reported the total only.",
		capital(s.label), without, all, r.Options.Driver)
}

// courseOf has what happened within the trials.
func courseOf(r *measure.Result, s shownFigure) *chart.Course {
	c := &chart.Course{Name: capital(s.label) + " over time within each trial, " + s.unit, Unit: s.unit}
	names := briefly(variants(r))
	for _, w := range r.Options.Workloads {
		g := chart.Strips{Name: w.Name}
		for _, v := range variants(r) {
			strip := chart.Strip{Name: names[v]}
			for i := range r.Trials {
				t := &r.Trials[i]
				if t.Workload == w.Name && t.Variant == v && t.CourseOf() == s.name {
					curve := chart.Curve{Block: t.Block, Seconds: t.Course.Until}
					for _, x := range t.Course.Rates {
						curve.Values = append(curve.Values, x*s.scale)
					}
					strip.Trials = append(strip.Trials, curve)
				}
			}
			if len(strip.Trials) > 0 {
				g.Rows = append(g.Rows, strip)
			}
		}
		if len(g.Rows) > 0 {
			c.Groups = append(c.Groups, g)
		}
	}
	return c
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// briefly are the names of variants for a chart: those that combine settings,
// lpar1:en0:mtu_bypass=on, without the element where no other has such an attribute.
func briefly(variants []string) map[string]string {
	split := func(part string) (element, attribute string) {
		key, _, _ := strings.Cut(part, "=")
		at := strings.LastIndexByte(key, ':') + 1
		return key[:at], key[at:]
	}
	elements, out := map[string][]string{}, map[string]string{} // elements by attribute
	for _, v := range variants {
		for part := range strings.SplitSeq(v, ", ") {
			if e, a := split(part); !slices.Contains(elements[a], e) {
				elements[a] = append(elements[a], e)
			}
		}
	}
	for _, v := range variants {
		parts := strings.Split(v, ", ")
		for i, part := range parts {
			if e, a := split(part); len(elements[a]) == 1 {
				parts[i] = part[len(e):]
			}
		}
		out[v] = strings.Join(parts, ", ")
	}
	return out
}

func scaled(v *float64, by float64) *float64 {
	if v == nil {
		return nil
	}
	return new(*v * by)
}

// coresOf stacks the medians of the hosts' cores, and of what no host accounts as its own.
func coresOf(r *measure.Result) *chart.Stack {
	c := &chart.Stack{Name: "CPU of the path by host, medians", Unit: "cores"}
	var figures, hosts []string // of each part
	part := func(name, of, host string) {
		if slices.ContainsFunc(r.Figures, func(f measure.Figure) bool { return f.Figure == of && f.Host == host }) {
			c.Parts, figures, hosts = append(c.Parts, name), append(figures, of), append(hosts, host)
		}
	}
	for _, h := range r.Hosts {
		part(h.Name, measure.Cores, h.Name)
	}
	if len(c.Parts) == 0 {
		return c
	}
	part("other", measure.CoresOther, "")
	names := briefly(variants(r))
	for _, w := range r.Options.Workloads {
		for _, v := range variants(r) {
			b := chart.Bar{Name: strings.TrimSpace(w.Name + " " + names[v])}
			for i := range c.Parts {
				var value *float64
				if f := figure(r, w.Name, v, figures[i], hosts[i]); f != nil {
					value = &f.Median
				}
				b.Values = append(b.Values, value)
			}
			c.Rows = append(c.Rows, b)
		}
	}
	return c
}

// matrixOf has the effects of a matrix on one figure.
func matrixOf(r *measure.Result, name string) *chart.Matrix {
	names := briefly(variants(r))
	c := &chart.Matrix{Name: fmt.Sprintf("%s against %s", capital(label(name)), names[variants(r)[0]])}
	effects := map[[2]string]*chart.Cell{}
	for _, x := range r.Contrast {
		if x.Figure != name {
			continue
		}
		cell := &chart.Cell{Effect: effectOf(x), Better: x.Ratio}
		if measure.Better(name) == stats.LowerIsBetter && x.Ratio > 0 {
			cell.Better = 1 / x.Ratio
		}
		effects[[2]string{x.Workload, x.Variant}] = cell
		if !slices.Contains(c.Columns, x.Workload) {
			c.Columns = append(c.Columns, x.Workload)
		}
	}
	if len(effects) == 0 {
		return c
	}
	for _, v := range r.Options.Variants[1:] {
		row := chart.Cells{Name: names[v]}
		for _, w := range c.Columns {
			row.Cells = append(row.Cells, effects[[2]string{w, v}])
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// screening has the effect of every setting, and of every group of settings
// together, on a workload's figure: of a matrix of at least three settings with
// two values each, all of whose combinations were measured.
func screening(r *measure.Result, workload, name string) *chart.HalfNormal {
	c := &chart.HalfNormal{Name: fmt.Sprintf("Which settings matter: %s, %s", workload, label(name))}
	names := briefly(variants(r))
	values := map[string][]string{} // of a setting, in the order of the variants
	var settings []string
	logs := map[string]float64{}
	for _, v := range r.Options.Variants {
		f := figure(r, workload, v, name, "")
		if f == nil || f.Median <= 0 {
			return c
		}
		logs[names[v]] = math.Log(f.Median)
		for part := range strings.SplitSeq(names[v], ", ") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return c
			}
			if values[key] == nil {
				settings = append(settings, key)
			}
			if !slices.Contains(values[key], value) {
				values[key] = append(values[key], value)
			}
		}
	}
	k := len(settings)
	several := func(v []string) bool { return len(v) != 2 }
	if k < 3 || k > 8 || len(logs) != 1<<k || slices.ContainsFunc(slices.Collect(maps.Values(values)), several) {
		return c
	}
	for mask := 1; mask < 1<<k; mask++ {
		var together []string
		for i, s := range settings {
			if mask>>i&1 == 1 {
				together = append(together, s)
			}
		}
		sum := 0.0
		for v, log := range logs {
			sign := 1.0
			for part := range strings.SplitSeq(v, ", ") {
				key, value, _ := strings.Cut(part, "=")
				if slices.Contains(together, key) && value == values[key][0] {
					sign = -sign
				}
			}
			sum += sign * log
		}
		c.Effects = append(c.Effects, chart.Factor{Name: strings.Join(together, " × "), Ratio: math.Exp(2 * sum / float64(len(logs)))})
	}
	slices.SortFunc(c.Effects, func(a, b chart.Factor) int { return cmp.Compare(a.Name, b.Name) })
	return c
}

// measuredPath draws the path that a result was measured on, with what its
// variants change and the cores that its hosts used; nil if the result has none.
func measuredPath(r *measure.Result) *drawing.Drawing {
	if !r.Path.Whole() {
		return nil
	}
	return drawing.Path(r.Path.Fleet, &r.Path.Path, drawing.Options{Changes: differences(r), Cores: HostCores(r)})
}

// differences returns what the variants set, by element.
func differences(r *measure.Result) map[string][]string {
	out := map[string][]string{}
	for _, c := range r.Options.Changes {
		for _, v := range c.Values { // lpar1:en0 mtu_bypass: off → on
			at, what, ok := strings.Cut(v, " ")
			if ok && !slices.Contains(out[at], what) {
				out[at] = append(out[at], what)
			}
		}
	}
	return out
}
