package cli

import (
	"fmt"
	"math"
	"strings"

	"seaworthy/internal/measure"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab/replay"
)

// printExperiments lists what can be replayed.
func printExperiments(p *report.Document, all []replay.Experiment) {
	t := doc.NewWrapped("experiments", doc.Left("experiment"), doc.Left("source"), doc.Left("what it is"))
	for _, e := range all {
		t.Add(e.ID, e.Source, e.Title)
	}
	p.Table(t)
	p.Line("")
	p.Line("seaworthy lab replay E000 --quick replays those of one source, all every one.")
}

// printReplay prints every experiment: the source's figures and ours, and which
// claims hold.
func printReplay(p *report.Document, r *replay.Result) {
	for i := range r.Experiments {
		e := &r.Experiments[i]
		p.On(doc.Page, func(p *report.Document) { p.Heading(e.ID + "  " + e.Title) })
		p.On(doc.Terminal, func(p *report.Document) { p.Entry(doc.Styled(doc.Head, e.ID), e.Title) })
		p.Prose("source", fmt.Sprintf("%s; %s (%s)", e.System, e.Tool, e.Source))
		p.Prose("ours", where(r, e))
		if e.Reason != "" {
			p.Prose("state", e.State+": "+e.Reason)
		}
		if e.Load != nil && *e.Load > busyBefore*float64(r.Machine.CPUs) {
			p.Prose("caution", fmt.Sprintf("the load average was %.1f on %s before the trials: what is measured is "+
				"less than this machine can do, and its CPU is not all the path's", *e.Load, report.Plural(r.Machine.CPUs, "processor")))
		}
		p.Line("")
		charts(p, e)
		cases(p, e)
		claims(p, e)
		p.Prose("note", e.Notes...)
		p.Line("")
	}
}

func where(r *replay.Result, e *replay.Outcome) string {
	privilege := "root"
	if r.Machine.Rootless {
		privilege = "no privilege"
	}
	on := "labs"
	if e.Topology != "" {
		on = "lab " + e.Topology
	}
	return fmt.Sprintf("%s, %s, %s, %s, %s; %s, random order, seed %d", on, r.Machine.Kernel,
		report.Plural(r.Machine.CPUs, "processor"), r.Machine.Arch, privilege, report.Plural(e.Trials, "trial"), r.Seed)
}

// busyBefore is the load for each processor above which other work is reported.
const busyBefore = 0.25

// units of the figures; others are shown as they are.
var units = map[string]struct {
	label string
	scale float64
	digit int
	quiet bool // in the table only if the source has it; always in the JSON
}{
	measure.Throughput:   {"Gbit/s", 1e-9, 2, false},
	measure.Transactions: {"TPS", 1, 0, false},
	measure.Cores:        {"cores of the path", 1, 2, false},
	measure.PerCore:      {"Gbit/s per core", 1, 2, true},
	measure.PerGbps:      {"cores per Gbit/s", 1, 3, false},
	measure.PerTrans:     {"core-µs per transaction", 1, 1, false},
	replay.LineShare:     {"% of the line", 100, 0, false},
	measure.LatencyP50:   {"µs latency, median", 1, 0, false},
	measure.LatencyP99:   {"µs latency, 99 %", 1, 0, true},
	measure.Retransmits:  {"retransmits/s", 1, 1, true},
	"rtt":                {"round trip, ms", 1, 3, false},
	"rtt_own":            {"without the cable's delay, ms", 1, 3, false},
	"rtt_ibm":            {"IBM's round trip, ms", 1, 3, false},
	"bdp":                {"bandwidth-delay product, bytes", 1, 0, false},
}

// quantity prints a figure's value without its unit.
func quantity(figure string, v *float64) string {
	k, ok := units[figure]
	switch {
	case v == nil:
		return "-"
	case ok:
		return fmt.Sprintf("%.*f", k.digit, *v*k.scale)
	case math.Abs(*v) >= 1000 || *v == math.Trunc(*v):
		return fmt.Sprintf("%.0f", *v)
	}
	return fmt.Sprintf("%.3g", *v)
}

// times prints a ratio.
func times(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("×%.2f", *v)
}

// between prints an interval, empty without one.
func between(low, high *float64, shown func(*float64) string) doc.Cell {
	if low == nil || high == nil {
		return doc.Cell{}
	}
	from, to := strings.TrimPrefix(shown(low), "×"), strings.TrimPrefix(shown(high), "×")
	return doc.Bounds(from+" to "+to, from, to)
}

// many is how many cases are too many to show more than what the source has.
const many = 20

// cases is the table of figures: the source's and ours, with our interval.
func cases(p *report.Document, e *replay.Outcome) {
	t := doc.NewWrapped(e.ID+" cases", doc.Left("case"), doc.Left("figure"), doc.Right("source"), doc.Right("ours"),
		doc.Interval("ours"), doc.Right("n"))
	for _, c := range e.Cases {
		name := doc.Cell{Text: c.Name}
		for _, f := range c.Figures {
			if f.Published == nil && (units[f.Figure].quiet || len(e.Cases) > many) {
				continue
			}
			label := units[f.Figure].label
			if label == "" {
				label = strings.ReplaceAll(f.Figure, "_", " ")
			}
			shown := func(v *float64) string { return quantity(f.Figure, v) }
			row := []any{name, label, shown(f.Published), "-", "", ""}
			if o := f.Ours; o != nil {
				row = append(row[:3], shown(&o.Median), between(o.Low, o.High, shown), o.N)
			}
			t.Add(row...)
			name.Repeated = true
		}
	}
	if !t.Empty() {
		p.Table(t)
		p.Line("")
	}
}

// marks are how answers are shown.
var marks = map[string]doc.Style{replay.Holds: doc.Good, replay.Fails: doc.Bad, replay.NotShown: doc.Warn, replay.NotInLab: doc.Dim}

// claims prints every claim with both ratios, and why those are so that do not
// hold, or less: their own reasons, and what held their cases back.
func claims(p *report.Document, e *replay.Outcome) {
	if len(e.Claims) == 0 {
		return
	}
	open := map[string]bool{}
	t := doc.NewWrapped(e.ID+" claims", doc.Left("claim"), doc.Right("source"), doc.Right("ours"), doc.Interval("ours"),
		doc.Left("here"))
	for _, v := range e.Claims {
		answer := v.Answer
		if v.Less {
			answer += ", less"
		}
		if v.Answer != replay.Holds || v.Less {
			open[v.Of], open[v.To] = true, true
		}
		shown := times
		if v.To == "" {
			shown = func(x *float64) string { return quantity(v.Figure, x) }
		}
		row := []any{v.Text, shown(v.Published), "-", "", doc.StyledCell(marks[v.Answer], answer)}
		if o := v.Ours; o != nil {
			row[2], row[3] = shown(&o.Value), between(o.Low, o.High, shown)
		}
		t.Add(row...)
	}
	p.Table(t)
	p.Line("")
	for _, c := range e.Cases {
		if len(c.Limits) > 0 && open[c.Name] {
			p.Prose("limits", c.Name+": "+strings.Join(c.Limits, "; "))
		}
	}
	said := map[string]bool{}
	for _, v := range e.Claims {
		if text := strings.Join(v.Why, "; "); text != "" && !said[text] {
			said[text] = true
			p.Prose("why", v.Text+": "+text)
		}
	}
}
