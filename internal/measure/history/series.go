package history

import (
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
)

// Series is one question that was asked at least twice.
type Series struct {
	From     string  `json:"from"`
	To       string  `json:"to"`
	Driver   string  `json:"driver"`
	Workload string  `json:"workload"`
	Variant  string  `json:"variant,omitempty"`
	Figure   string  `json:"figure"` // as in package bench
	Points   []Point `json:"points"` // in the order of time
}

// Point is one answer.
type Point struct {
	File    string    `json:"file"`
	Started time.Time `json:"started"`
	stats.Summary
	Effect *stats.Effect `json:"effect,omitempty"` // against the first; not paired. Nil at the first, and where there is none
}

// question holds what two measurements have to have in common.
type question struct {
	from, to, driver, variant, figure string
	load                              measure.Workload
}

// Series finds the questions that were asked more than once, in the order that
// they were first asked.
func (f *Files) Series() []Series {
	type answers struct {
		Series
		samples [][]float64
	}
	var order []question
	all := map[question]*answers{}
	for _, s := range f.Saved {
		if s.Result == nil {
			continue
		}
		o := s.Result.Options
		loads := map[string]measure.Workload{}
		for _, w := range o.Workloads {
			w.Seconds, w.Warmup = 0, 0 // a longer trial of the same load
			loads[w.Name] = w
		}
		for _, x := range s.Result.Figures {
			load, known := loads[x.Workload]
			if x.Host != "" || !known {
				continue
			}
			q := question{o.From, o.To, o.Driver, x.Variant, x.Figure, load}
			a := all[q]
			if a == nil {
				a = &answers{Series: Series{From: o.From, To: o.To, Driver: o.Driver, Workload: x.Workload, Variant: x.Variant, Figure: x.Figure}}
				all[q] = a
				order = append(order, q)
			}
			p := Point{File: s.File, Started: s.Started, Summary: x.Summary}
			if len(a.samples) > 0 {
				if e, err := stats.Unpaired(a.samples[0], x.Samples); err == nil {
					e.Judge(measure.Better(x.Figure), nil)
					p.Effect = e
				}
			}
			a.samples = append(a.samples, x.Samples)
			a.Points = append(a.Points, p)
		}
	}
	out := []Series{}
	for _, q := range order {
		if len(all[q].Points) > 1 {
			out = append(out, all[q].Series)
		}
	}
	return out
}
