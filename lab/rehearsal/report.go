package rehearsal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/predict"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab/replica"
	"seaworthy/lab/watch"
)

// Report says what a rehearsal found. Every host in it is a copy.
func Report(p *report.Document, r *Result) {
	p.Line("Rehearsal of plan %s in lab %s. Every host below is a copy: no real host was changed.", r.Plan, r.Lab)
	p.Line("Watched: %d of %d pairs of interfaces, a packet each way every %d ms and a TCP connection each. Gaps up to %s are this machine's.",
		len(r.Watched), r.Pairs, watch.Interval.Milliseconds(), round(r.Noise))
	p.Line("Times are the copy's: a real adapter that restarts, or a real VIOS that boots, takes longer. " +
		"Who is cut off, and at which step, is what carries over.")
	p.Gap()
	copied(p, r.Copy)
	steps(p, r)
	for _, line := range r.TimeLines {
		p.On(doc.Terminal, func(p *report.Document) { timeLine(p, r, line) })
		report.Chart(p, drawn(r, line))
	}
	phases(p, r)
	figures(p, r)
	p.Prose("left out", r.LeftOut...)
	p.Prose("not tried", r.NotTried...)
	p.Prose("outside all steps", r.Outside...)
	if r.AsPlanned {
		p.Line("All as planned: no step hurt more than its class, and every trial ended with the old or the new values, whole.")
		return
	}
	p.Prose("not as planned", r.troubles()...)
	if !r.Worse() {
		p.Line("The rehearsal did not come to its end: it does not show that the plan goes as planned.")
	}
}

// copied says what of the network the copy has otherwise than it was read.
func copied(p *report.Document, parts []replica.Part) {
	if len(parts) == 0 {
		return
	}
	t := doc.NewTable("copy", doc.Left("in the copy"), doc.Left("part"), doc.Left("what, and why"))
	asRead := 0
	for _, x := range parts {
		if x.Fate == replica.AsRead {
			asRead++
			continue
		}
		t.Add(string(x.Fate), x.What, x.Why)
	}
	p.Line("The copy has %s as read; what else it has, or lacks:", report.Plural(asRead, "part"))
	p.Table(t)
}

// PageTitle heads the page of a rehearsal.
func (r *Result) PageTitle() string { return fmt.Sprintf("Rehearsal of plan %s", r.Plan) }

// troubles are what is not as planned, a line each.
func (r *Result) troubles() (out []string) {
	for _, s := range r.Steps {
		for _, w := range s.Worse {
			out = append(out, fmt.Sprintf("%s: %s", s.ID, w))
		}
	}
	for _, p := range r.Phases {
		if p.Values != p.Want {
			out = append(out, fmt.Sprintf("%s: wanted %s; %s", p.Name, p.Want, p.Values))
		}
		if p.Error != "" {
			out = append(out, fmt.Sprintf("%s: %s", p.Name, p.Error))
		}
	}
	return out
}

func steps(p *report.Document, r *Result) {
	t := doc.NewTable("steps", doc.Left("step"), doc.Left("on (copy)"), doc.Left("change"), doc.Left("class"),
		doc.Right("took, s").Keyed("took_s"), doc.Right("outage, ms").Keyed("outage_ms"), doc.Right("lost").Keyed("lost_packets"),
		doc.Left("felt by"), doc.Left("as planned"))
	for i, s := range r.Steps {
		t.Add(mark(i), on(s), s.What, s.Class, took(s), milliseconds(s, r.Noise), report.Count(s.Lost), feltBy(s), verdict(s))
	}
	p.Table(t)
}

// on is the element that a step changes; of another team's, what it is about.
func on(s Step) string {
	switch {
	case s.Host == "":
		return s.Element
	case s.Element == "":
		return s.Host
	}
	return s.Host + ":" + s.Element
}

// mark is the letter of a step in the time line.
func mark(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return fmt.Sprint(i + 1)
}

func took(s Step) string {
	if s.Began.IsZero() || s.Ended.IsZero() {
		return ""
	}
	return fmt.Sprintf("%.1f", s.Ended.Sub(s.Began).Seconds())
}

// milliseconds of the longest gap; 0 if no gap was longer than what the machine makes.
func milliseconds(s Step, noise time.Duration) string {
	if s.Longest <= noise {
		return "0"
	}
	return fmt.Sprint(s.Longest.Milliseconds())
}

func feltBy(s Step) string {
	switch n := len(s.Felt); {
	case n == 0:
		return "nobody"
	case n <= 2:
		return strings.Join(s.Felt, ", ")
	default:
		return fmt.Sprintf("%s and %d more pairs", s.Felt[0], n-1)
	}
}

func verdict(s Step) string {
	switch {
	case s.State != "done":
		return s.State
	case len(s.Worse) > 0:
		return "NO"
	}
	return "yes"
}

// columns of the time line.
const columns = 72

// timeLine draws what each pair saw during a trial, with the steps above.
func timeLine(p *report.Document, r *Result, of TimeLine) {
	began, long := of.Started, of.Ended.Sub(of.Started)
	if long <= 0 {
		return
	}
	at := func(t time.Time) int {
		return min(max(int(t.Sub(began)*columns/long), 0), columns-1)
	}
	bands := slices.Repeat([]string{"─"}, columns)
	for i, s := range r.Steps {
		if !of.has(s) {
			continue
		}
		for c := at(s.Began); c <= at(s.Ended); c++ {
			bands[c] = mark(i)[:1]
		}
	}
	lines := []string{fmt.Sprintf("%s  steps, %.1f s", strings.Join(bands, ""), long.Seconds())}
	whole := 0
	for i, one := range of.Pairs {
		line, any := pairLine(one, at, r.Noise)
		if !any {
			whole++
			continue
		}
		lines = append(lines, line+"  "+r.Watched[i])
	}
	lines = append(lines, fmt.Sprintf("%s  %d of %d pairs without a gap", strings.Repeat("·", columns), whole, len(of.Pairs)))
	p.Gap()
	p.Line("Trial %s (a letter: its step; █: packets lost):", of.Trial)
	p.Commands("time line", lines...)
	p.Gap()
}

// has says whether a step was carried out during the trial.
func (t TimeLine) has(s Step) bool {
	return !s.Began.IsZero() && !s.Began.Before(t.Started) && s.Began.Before(t.Ended)
}

// pairLine is a pair's part of the time line, and whether it has a gap.
func pairLine(one watch.Seen, at func(time.Time) int, noise time.Duration) (string, bool) {
	cells := slices.Repeat([]string{"·"}, columns)
	any := false
	for _, g := range one.Gaps {
		if g.Long <= noise {
			continue
		}
		any = true
		for c := at(g.Start); c <= at(g.End()); c++ {
			cells[c] = "█"
		}
	}
	return strings.Join(cells, ""), any
}

func phases(p *report.Document, r *Result) {
	t := doc.NewTable("trials", doc.Left("trial"), doc.Left("what"), doc.Right("took, s").Keyed("took_s"),
		doc.Right("longest gap, ms").Keyed("longest_gap_ms"),
		doc.Left("run"), doc.Left("ended with"), doc.Left("as planned"))
	for _, x := range r.Phases {
		t.Add(x.Name, x.What, fmt.Sprintf("%.1f", x.Ended.Sub(x.Started).Seconds()), fmt.Sprint(x.Longest.Milliseconds()), x.Outcome,
			ending(x), asPlanned(x))
	}
	p.Table(t)
}

// figures says what one path carries: in the copy, and as predicted.
func figures(p *report.Document, r *Result) {
	if len(r.Figures) > 0 {
		path := r.Figures[0]
		p.Line("%s → %s, before the plan and with it. In the copy: measured on this machine, whose cores and kernel are not POWER's. "+
			"Predicted: for the hosts that were read, from published figures; in brackets what 95 of 100 such paths would have.", path.From, path.To)
		t := doc.NewTable("figures", doc.Left("load"), doc.Left("figure"), doc.Right("copy before"), doc.Right("copy with plan"),
			doc.Right("predicted before"), doc.Right("predicted with plan"))
		for _, f := range r.Figures {
			t.Add(f.Load, f.label(), f.text(f.Before), f.text(f.After), f.around(f.PredictedBefore), f.around(f.PredictedAfter))
		}
		p.Table(t)
	}
	p.Prose("no figure", r.NotMeasured...)
}

// label is the figure's name with its unit.
func (f Figure) label() string {
	switch f.Name {
	case measure.Throughput:
		return "throughput, Mbit/s"
	case measure.Transactions:
		return "transactions/s"
	}
	return "cores of the path"
}

// text is a value in the figure's unit.
func (f Figure) text(value *float64) string {
	switch {
	case value == nil:
		return "–"
	case f.Name == measure.Throughput:
		return fmt.Sprintf("%.0f", *value/1e6)
	case f.Name == measure.Transactions:
		return fmt.Sprintf("%.0f", *value)
	}
	return fmt.Sprintf("%.2f", *value)
}

// around is an estimate with its bounds.
func (f Figure) around(e *predict.Estimate) string {
	if e == nil {
		return "–"
	}
	return fmt.Sprintf("%s (%s to %s)", f.text(&e.Median), f.text(&e.Low), f.text(&e.High))
}

// ending says in brief which values a trial ended with.
func ending(p Phase) string {
	if p.Values != oldValues && p.Values != newValues {
		return "neither the old nor the new values"
	}
	return p.Values
}

func asPlanned(p Phase) string {
	if p.OK() {
		return "yes"
	}
	return "NO"
}
