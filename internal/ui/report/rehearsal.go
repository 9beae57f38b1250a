package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/ui/chart"
	"seaworthy/internal/ui/report/doc"
)

// Rehearsal says what a rehearsal found. Every host in it is a copy.
func Rehearsal(p *Document, r *rehearsed.Result) {
	p.Line("Rehearsal of plan %s in lab %s. Every host below is a copy: no real host was changed.", r.Plan, r.Lab)
	p.Line("Watched: %d of %d pairs of interfaces, a packet each way every %d ms and a TCP connection each. Gaps up to %s are this machine's.",
		len(r.Watched), r.Pairs, rehearsed.Interval.Milliseconds(), rehearsed.Round(r.Noise))
	p.Line("Times are the copy's: a real adapter that restarts, or a real VIOS that boots, takes longer. " +
		"Who is cut off, and at which step, is what carries over.")
	if len(r.Edited) > 0 {
		p.Prose("edited", r.Edited...)
		p.Line("The plan was edited after it was made, and tried as it stands. Apply refuses it: make a new plan.")
	}
	p.Gap()
	rehearsalCopy(p, r.Copy)
	rehearsalSteps(p, r)
	for _, line := range r.TimeLines {
		p.On(doc.Terminal, func(p *Document) { rehearsalTimeLine(p, r, line) })
		Chart(p, timeLineChart(r, line))
	}
	rehearsalTrials(p, r)
	rehearsalFigures(p, r)
	p.Prose("left out", r.LeftOut...)
	p.Prose("not tried", r.NotTried...)
	p.Prose("no step", r.Outside...)
	if r.AsPlanned {
		p.Line("All as planned: no step hurt more than its class, and every trial ended with the old or the new values, whole.")
		return
	}
	p.Prose("trouble", r.Troubles()...)
	if !r.Worse() {
		p.Line("%s", r.NotWhole())
	}
}

// The picture of a rehearsal is the time line of its last trial that has one.
var _ = register(Format{
	Name: "svg",
	Fits: func(data any) bool { _, ok := data.(*rehearsed.Result); return ok },
	Print: func(to Output, r Result) error {
		of := r.Data.(*rehearsed.Result)
		if len(of.TimeLines) == 0 {
			return errors.New("there is no time line to draw: the plan was not applied")
		}
		_, err := to.W.Write(chart.File(timeLineChart(of, of.TimeLines[len(of.TimeLines)-1])))
		return err
	},
})

// rehearsalCopy says what of the network the copy has otherwise than it was read.
func rehearsalCopy(p *Document, parts []rehearsed.Part) {
	if len(parts) == 0 {
		return
	}
	t := doc.NewTable("copy", doc.Left("in the copy"), doc.Left("part"), doc.Left("what, and why"))
	asRead := 0
	for _, x := range parts {
		if x.Fate == rehearsed.AsRead {
			asRead++
			continue
		}
		t.Add(x.Fate, x.What, x.Why)
	}
	p.Line("The copy has %s as read; what else it has, or lacks:", Plural(asRead, "part"))
	p.Table(t)
}

func rehearsalSteps(p *Document, r *rehearsed.Result) {
	t := doc.NewTable("steps", doc.Left("step"), doc.Left("on (copy)"), doc.Left("change"), doc.Left("class"),
		doc.Right("took, s").Keyed("took_s"), doc.Right("outage, ms").Keyed("outage_ms"), doc.Right("lost").Keyed("lost_packets"),
		doc.Left("felt by"), doc.Left("as planned"))
	for i, s := range r.Steps {
		t.Add(rehearsed.Mark(i), s.On(), s.What, s.Class, s.Took(), s.Milliseconds(r.Noise), Count(s.Lost), s.FeltBy(), s.Verdict())
	}
	p.Table(t)
}

// timeLineColumns of the time line.
const timeLineColumns = 72

// rehearsalTimeLine draws what each pair saw during a trial, with the steps above.
func rehearsalTimeLine(p *Document, r *rehearsed.Result, of rehearsed.TimeLine) {
	began, long := of.Started, of.Ended.Sub(of.Started)
	if long <= 0 {
		return
	}
	at := func(t time.Time) int {
		return min(max(int(t.Sub(began)*timeLineColumns/long), 0), timeLineColumns-1)
	}
	bands := slices.Repeat([]string{"─"}, timeLineColumns)
	for i, s := range r.Steps {
		if !of.Has(s) {
			continue
		}
		for c := at(s.Began); c <= at(s.Ended); c++ {
			bands[c] = rehearsed.Mark(i)[:1]
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
	lines = append(lines, fmt.Sprintf("%s  %d of %d pairs without a gap", strings.Repeat("·", timeLineColumns), whole, len(of.Pairs)))
	p.Gap()
	p.Line("Trial %s (a letter: its step; █: packets lost):", of.Trial)
	p.Commands("time line", lines...)
	p.Gap()
}

// pairLine is a pair's part of the time line, and whether it has a gap.
func pairLine(one rehearsed.Seen, at func(time.Time) int, noise time.Duration) (string, bool) {
	cells := slices.Repeat([]string{"·"}, timeLineColumns)
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

func rehearsalTrials(p *Document, r *rehearsed.Result) {
	t := doc.NewTable("trials", doc.Left("trial"), doc.Left("what"), doc.Right("took, s").Keyed("took_s"),
		doc.Right("longest gap, ms").Keyed("longest_gap_ms"),
		doc.Left("run"), doc.Left("ended with"), doc.Left("as planned"))
	for _, x := range r.Phases {
		t.Add(x.Name, x.What, fmt.Sprintf("%.1f", x.Ended.Sub(x.Started).Seconds()), fmt.Sprint(x.Longest.Milliseconds()), x.Outcome,
			x.Ending(), x.AsPlanned())
	}
	p.Table(t)
}

// rehearsalFigures says what one path carries: in the copy, and as predicted.
func rehearsalFigures(p *Document, r *rehearsed.Result) {
	if len(r.Figures) > 0 {
		path := r.Figures[0]
		p.Line("%s → %s, before the plan and with it. In the copy: measured on this machine, whose cores and kernel are not POWER's. "+
			"Predicted: for the hosts that were read, from published figures; in brackets what 95 of 100 such paths would have.", path.From, path.To)
		t := doc.NewTable("figures", doc.Left("load"), doc.Left("figure"), doc.Right("copy before"), doc.Right("copy with plan"),
			doc.Right("predicted before"), doc.Right("predicted with plan"))
		for _, f := range r.Figures {
			t.Add(f.Load, f.Label(), f.Text(f.Before), f.Text(f.After), f.Around(f.PredictedBefore), f.Around(f.PredictedAfter))
		}
		p.Table(t)
	}
	p.Prose("no figure", r.NotMeasured...)
}

// timeLineChart is the time line of a trial, for a page: every pair that lost packets, and one that did not
// as the measure of the others.
func timeLineChart(r *rehearsed.Result, of rehearsed.TimeLine) *chart.Timeline {
	began := of.Started
	second := func(t time.Time) float64 { return t.Sub(began).Seconds() }
	c := &chart.Timeline{Name: "What each pair saw, trial " + of.Trial, Seconds: second(of.Ended)}
	for i, s := range r.Steps {
		if !of.Has(s) {
			continue
		}
		c.Bands = append(c.Bands, chart.Band{Mark: rehearsed.Mark(i), Name: s.On() + " " + s.What, From: second(s.Began), To: second(s.Ended),
			Worse: len(s.Worse) > 0})
	}
	var whole []chart.Track
	for i, one := range of.Pairs {
		track := chart.Track{Name: r.Watched[i], Gaps: longGaps(one, r.Noise, second)}
		if len(track.Gaps) == 0 {
			whole = append(whole, track)
			continue
		}
		c.Tracks = append(c.Tracks, track)
	}
	if len(whole) > 0 {
		c.Tracks = append(c.Tracks, whole[0])
	}
	return c
}

// longGaps are those that are longer than what the machine makes.
func longGaps(one rehearsed.Seen, noise time.Duration, second func(time.Time) float64) []chart.Gap {
	var out []chart.Gap
	for _, g := range one.Gaps {
		if g.Long > noise {
			out = append(out, chart.Gap{From: second(g.Start), To: second(g.End()), Lost: g.Lost})
		}
	}
	return out
}
