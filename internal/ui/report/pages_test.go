package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
	"seaworthy/lab/demo"
)

// experiment is a result with all its trials: of each workload and variant one a
// block, scattered around what the variant does to it.
func experiment(t testing.TB, mode string, effects map[string]float64, order []string) *measure.Result {
	t.Helper()
	const blocks = 8
	r := &measure.Result{Mode: mode, Started: day, Ended: day.Add(time.Minute), Options: measure.Options{From: "lpar1", To: "lpar2", Driver: "builtin",
		Target: "10.10.10.12", Repetitions: blocks, Seed: 7, Variants: order, Workloads: []measure.Workload{{Name: "1 TCP stream"}, {Name: "8 TCP streams"}}}}
	hosts := []string{"lpar1", "vios1", "vios2", "lpar2"}
	roles := []string{"from", "via", "via", "to"}
	for i, h := range hosts {
		r.Hosts = append(r.Hosts, measure.HostInfo{Name: h, Role: roles[i], Meter: "probe"})
	}
	random := draw.Fixed(t, 1, 2)
	around := func(v float64) float64 { return v * (1 + 0.06*random.NormFloat64()) }
	samples := map[[4]string][]float64{}
	for b := 1; b <= blocks; b++ {
		for _, v := range order {
			for i, w := range r.Options.Workloads {
				bps, all := around(3e9*float64(i+1)*effects[v]), 0.0
				x := measure.Trial{Number: len(r.Trials) + 1, Block: b, Variant: v, Workload: w.Name, CPU: map[string]measure.HostCPU{}}
				for k, h := range hosts {
					u := around(0.3*float64(k+1)) / effects[v]
					x.CPU[h] = measure.HostCPU{Usage: meter.Usage{Cores: u}}
					samples[[4]string{w.Name, v, measure.Cores, h}] = append(samples[[4]string{w.Name, v, measure.Cores, h}], u)
					all += u
				}
				x.BPS, x.Cores = &bps, &all
				x.Course = &measure.Course{}
				for n := range 20 {
					x.Course.Until = append(x.Course.Until, float64(n+1)/10)
					x.Course.Rates = append(x.Course.Rates, around(bps))
				}
				r.Trials = append(r.Trials, x)
				for name, value := range x.Figures() {
					samples[[4]string{w.Name, v, name, ""}] = append(samples[[4]string{w.Name, v, name, ""}], value)
				}
			}
		}
	}
	for key, values := range samples {
		r.Figures = append(r.Figures, measure.Figure{Workload: key[0], Variant: key[1], Figure: key[2], Host: key[3], Summary: *stats.Summarise(values), Samples: values})
		if key[1] == order[0] || key[3] != "" {
			continue
		}
		var ratios []float64
		for i, v := range values {
			ratios = append(ratios, v/samples[[4]string{key[0], order[0], key[2], ""}][i])
		}
		e, err := stats.Paired(ratios)
		if err != nil {
			t.Fatal(err)
		}
		e.Judge(measure.Better(key[2]), nil)
		c := measure.Contrast{Workload: key[0], Figure: key[2], Effect: *e, Ratios: ratios}
		if mode == "matrix" {
			c.Variant = key[1]
		}
		r.Contrast = append(r.Contrast, c)
	}
	slices.SortFunc(r.Contrast, func(a, b measure.Contrast) int {
		return strings.Compare(a.Workload+a.Variant+a.Figure, b.Workload+b.Variant+b.Figure)
	})
	return r
}

func comparison(t testing.TB) *measure.Result {
	return experiment(t, "compare", map[string]float64{"before": 1, "after": 1.7}, []string{"before", "after"})
}

// screened is a matrix of three settings, of which two matter.
func screened(t testing.TB) *measure.Result {
	effects, order := map[string]float64{}, []string(nil)
	state := []string{"off", "on"}
	for i := range 8 {
		name := fmt.Sprintf("lpar1:en0:mtu_bypass=%s, vios1:ent5:largesend=%d, lpar2:en0:thread=%s", state[i&1], i>>1&1, state[i>>2&1])
		effects[name] = 1 + 0.6*float64(i&1) - 0.25*float64(i>>1&1)
		order = append(order, name)
	}
	return experiment(t, "matrix", effects, order)
}

// walked returns what the demo finds, changes and measures.
func walked(t testing.TB) (*demo.Result, *model.Fleet) {
	t.Helper()
	text, err := os.ReadFile("../drawing/testdata/dual-vios.json")
	if err != nil {
		t.Fatal(err)
	}
	f := &model.Fleet{}
	if err := json.Unmarshal(text, f); err != nil {
		t.Fatal(err)
	}
	p, err := graph.Of(f).Path("lpar1", "lpar2")
	if err != nil {
		t.Fatal(err)
	}
	r := &demo.Result{Started: day, Ended: day.Add(83400000000), Path: p, Findings: findings()[:2], Plan: samplePlan(), Bench: comparison(t), Fleet: f,
		After: &demo.State{Path: p, Findings: findings()[1:2], Fleet: f}}
	return r, f
}

// pages are those that a user gets to see, by name.
func pages(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	page := func(name string, data any, text func(*report.Document)) {
		var b bytes.Buffer
		if err := report.Print(report.Output{W: &b}, "html", report.Result{Data: data, Text: text}); err != nil {
			t.Fatal(err)
		}
		out[name] = b.String()
	}
	r, _ := walked(t)
	page("demo", demoPage{r}, func(d *report.Document) { demo.Report(d, r, published()) })
	c, m := comparison(t), screened(t)
	c.Path, m.Path = drawing.Excerpt(r.Fleet, r.Path), drawing.Excerpt(r.Fleet, r.Path)
	c.Options.Changes = []measure.Change{{Variant: "after", Plan: "040e353c1e41", Values: []string{"lpar1:en0 mtu_bypass: off → on"}}}
	page("compare", c, func(d *report.Document) { report.Measured(d, c) })
	page("matrix", m, func(d *report.Document) { report.Measured(d, m) })
	page("plan", samplePlan(), func(d *report.Document) { report.Plan(d, samplePlan()); report.Windows(d, samplePlan()) })
	page("run", undone(), func(d *report.Document) { report.Run(d, undone()) })
	a := report.Audited{Findings: findings(), Groups: finding.Groups(findings()), Details: true}
	page("audit", auditPage{a}, func(d *report.Document) { report.Audit(d, a) })
	page("nothing", &plan.Plan{}, func(d *report.Document) { report.Plan(d, &plan.Plan{}) })
	return out
}

type demoPage struct{ *demo.Result }

func (d demoPage) PageTitle() string         { return "lpar1 → lpar2: found, changed, measured" }
func (d demoPage) PageSummary() []string     { return report.Summary(d.Bench) }
func (d demoPage) Drawing() *drawing.Drawing { return demo.PathDrawing(d.Result) }

type auditPage struct{ report.Audited }

func (auditPage) PageTitle() string       { return "Audit of 3 hosts" }
func (a auditPage) PageSummary() []string { return a.Summary() }

// A page is whole: nothing comes from elsewhere, no script, and what a host
// printed is text.
func TestPagesAreWhole(t *testing.T) {
	for name, text := range pages(t) {
		for _, bad := range []string{"<script", "<link", "src=", "http://", "https://", "style=\"", "@import", "url("} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q", name, bad)
			}
		}
		if strings.ContainsAny(text, "\x1b\x01\x02\x03\u202e") {
			t.Errorf("%s: a control character got through", name)
		}
	}
	if text := pages(t)["matrix"]; !strings.Contains(text, "Which settings matter: 8 TCP streams, throughput") {
		t.Error("a matrix of all combinations has no half-normal plot")
	} else if !strings.Contains(text, ">mtu_bypass +") {
		t.Error("the plot does not name mtu_bypass briefly, though only one element has it")
	}
}
