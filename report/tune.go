package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"seaworthy/bench/stats"
	"seaworthy/tune"
)

// TuneDesign prints what a study would try.
func TuneDesign(p *Printer, r *tune.Result) {
	p.Heading(fmt.Sprintf("%s → %s: %s", r.From, r.To, r.Goal))
	factors(p, r)
	if d := r.Design; d != nil {
		p.Line("")
		p.Prose("screen", designed(d))
		outages(p, d)
		p.Prose("tells", d.Words...)
		p.Line("")
		t := Table{Head: []string{" run", "settings"}, Wrap: true}
		for i, run := range d.Runs {
			t.Add(Count(i+1), run)
		}
		t.Print(p)
	}
	leftOut(p, r)
}

func designed(d *tune.Design) string {
	text := fmt.Sprintf("%s of %s", d.Kind, Plural(len(d.Runs), "run"))
	if d.Resolution > 0 {
		text += fmt.Sprintf(", resolution %s", []string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII"}[min(d.Resolution, 8)])
	}
	text += fmt.Sprintf(", %s: %s with those as found, about %s", times(d.Replicates), Plural(d.Trials, "trial"), minutes(d.Seconds))
	text += fmt.Sprintf(" (one factor at a time: %d for effects as exact)", d.OneByOne)
	if d.Repaired+d.Dropped > 0 {
		text += fmt.Sprintf("; prerequisites forbid %s: %d replaced by the nearest one, %d left out", Plural(d.Repaired+d.Dropped, "run"),
			d.Repaired, d.Dropped)
	}
	return text
}

// outages says how often a screen interrupts traffic.
func outages(p *Printer, d *tune.Design) {
	for _, class := range slices.Sorted(maps.Keys(d.Outages)) {
		text := fmt.Sprintf("%s of class %s: %s", Plural(d.Outages[class], "change"), class, class.Outage())
		if n := d.Saved[class]; n > 0 {
			text += fmt.Sprintf("; %d fewer, since trials that share such settings are made one after the other", n)
		}
		p.Prose("outages", text)
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func minutes(seconds float64) string {
	text := time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
	if whole, ok := strings.CutSuffix(text, "m0s"); ok {
		return whole + "m"
	}
	return text
}

func factors(p *Printer, r *tune.Result) {
	if len(r.Space.Factors) == 0 {
		p.Line("Nothing to try: every setting of the path is at the catalogue's best, or left out.")
		return
	}
	t := Table{Head: []string{"factor", "as found", "tried", "outage"}, Wrap: true}
	for _, f := range r.Space.Factors {
		var tried []string
		for _, l := range f.Levels[1:] {
			tried = append(tried, l.Label)
		}
		t.Add(f.Name, Dash(f.Levels[0].Label), strings.Join(tried, ", "), string(f.Class))
	}
	t.Print(p)
}

func leftOut(p *Printer, r *tune.Result) {
	if len(r.Space.Left) == 0 {
		return
	}
	p.Line("")
	t := Table{Head: []string{"left out", "because"}, Wrap: true}
	for _, l := range r.Space.Left {
		t.Add(l.What, l.Why)
	}
	t.Print(p)
}

// Calibrated says what the noise of a study lets it show, as labels and texts.
func Calibrated(r *tune.Result) [][2]string {
	n := r.Noise
	found := fmt.Sprintf("%s %s, a trial differs by %s from the next (%s)", number(n.Value, digitsOf(n.Value)), r.Unit, share(n.Share),
		Plural(n.Blocks, "A/A block"))
	if n.Drift != 0 {
		found += fmt.Sprintf("; it drifted by %s meanwhile", share(n.Drift))
	}
	out := [][2]string{{"as found", found}}
	if d := r.Design; d != nil {
		screen := designed(d)
		if n.Smallest != nil {
			screen += fmt.Sprintf("; it shows effects from %s on", share(*n.Smallest))
		}
		out = append(out, [2]string{"screen", screen})
	}
	return append(out, [2]string{"budget", minutes(r.Budget) + " in all, for the race, the refinement and the confirmation too"})
}

func share(x float64) string {
	if x >= 0.1 {
		return number(100*x, 0) + " %"
	}
	return number(100*x, 1) + " %"
}

// digitsOf are the decimals of a value that people want to see.
func digitsOf(v float64) int {
	switch {
	case v >= 100:
		return 0
	case v >= 1:
		return 2
	}
	return 4
}

// Tune prints what a study found.
func Tune(p *Printer, r *tune.Result) {
	p.Heading(fmt.Sprintf("%s → %s: %s", r.From, r.To, r.Goal))
	for _, x := range Calibrated(r) {
		p.Prose(x[0], x[1])
	}
	p.Line("")
	effects(p, "effect of", r.Effects)
	effects(p, "interaction of", r.Pairs)
	tried(p, r)
	if len(r.Raced) > 0 {
		p.Line("")
		t := Table{Head: []string{"race", " against as found", " blocks", "outcome"}, Wrap: true}
		for _, c := range r.Raced {
			outcome := "to the end"
			if c.Dropped {
				outcome = "dropped"
			}
			against := ""
			if c.Ratio != nil {
				against = percent(*c.Ratio)
			}
			t.Add(c.Settings, Dash(against), Count(c.Blocks), outcome)
		}
		t.Print(p)
	}
	for _, b := range r.Barred {
		p.Prose("barred", b.Settings+": "+b.Why)
	}
	if len(r.Unwatched) > 0 {
		p.Prose("unwatched", "no guard rail held "+strings.Join(r.Unwatched, ", ")+": not measured, or no limit is known")
	}
	leftOut(p, r)
	p.Line("")
	verdictOf(p, r)
}

// shownPairs bounds the interactions that are printed though none of them is shown.
const shownPairs = 3

func effects(p *Printer, head string, all []tune.Effect) {
	t := Table{Head: []string{head, "level", " effect", " 95 % interval", " p", ""}, Wrap: true}
	for i, e := range all {
		if len(e.Factors) > 1 && !e.Shown && i >= shownPairs {
			continue
		}
		interval, mark := "", "not shown"
		if e.Low != nil && e.High != nil {
			interval = percent(*e.Low) + " to " + percent(*e.High)
		}
		if e.Shown {
			mark = "shown"
		}
		if len(e.Aliases) > 0 {
			mark += ", or of " + strings.Join(e.Aliases, ", ")
		}
		t.Add(strings.Join(e.Factors, " × "), Dash(e.Level), percent(e.Ratio), interval, probability(e.P), mark)
	}
	if len(t.Rows) > 0 {
		t.Print(p)
		p.Line("")
	}
}

func probability(x float64) string {
	if x < 0.001 {
		return "<0.001"
	}
	return number(x, 3)
}

// leastSpan is how many trials have an interval worth printing: that of two is of any
// width.
const leastSpan = 3

// mostCells is how many combinations the table of them has.
const mostCells = 24

// tried prints every combination that was measured, the best first.
func tried(p *Printer, r *tune.Result) {
	t := Table{Wrap: true, Drop: []int{4}}
	t.Head = []string{"settings", " " + r.Unit, " 95 % interval", " against as found", " 95 % interval", " n"}
	for i, c := range r.Cells {
		if i == mostCells {
			t.Span(fmt.Sprintf("and %d more (-f json)", len(r.Cells)-i))
			break
		}
		d := digitsOf(c.Median)
		span, against, around := "", "", ""
		if c.Low != nil && c.High != nil && c.N >= leastSpan {
			span = number(*c.Low, d) + "–" + number(*c.High, d)
		}
		if x := c.Ratio; x != nil {
			if against = percent(x.Median); x.Low != nil && x.High != nil && x.N >= leastSpan {
				around = percent(*x.Low) + " to " + percent(*x.High)
			}
		}
		t.Add(c.Settings, number(c.Median, d), span, against, around, Count(c.N))
	}
	t.Print(p)
}

func verdictOf(p *Printer, r *tune.Result) {
	w := r.Winner
	if w != nil {
		t := Table{Head: []string{"leader", "level", " with it to without it", " 95 % interval", ""}, Wrap: true}
		for _, x := range w.Parts {
			ratio, interval, mark := "", "", "dropped: not shown to contribute"
			if x.Ratio != nil {
				ratio = percent(*x.Ratio)
			}
			if x.Low != nil && x.High != nil {
				interval = percent(*x.Low) + " to " + percent(*x.High)
			}
			if x.Kept {
				mark = "contributes"
			}
			t.Add(x.Factor, x.Level, Dash(ratio), Dash(interval), mark)
		}
		if len(t.Rows) > 0 {
			t.Print(p)
			p.Line("")
		}
	}
	if w != nil && w.Look != nil {
		d := digitsOf(w.After)
		p.Prose("confirmed", fmt.Sprintf("on %s (of %d at most): %s → %s %s, %s (95 %% interval %s): %s", Plural(w.Look.Blocks, "fresh block"),
			w.Most, number(w.Before, d), number(w.After, d), r.Unit, percent(w.Look.Ratio), ratios(&w.Look.Effect), w.Look.Verdict))
		also(p, w.Also)
	}
	if r.Found {
		for _, line := range r.Plan.Values() {
			p.Prose("found", line)
		}
		p.Prose("plan", fmt.Sprintf("%s, in %s", Total(r.Plan), r.PlanFile))
	} else {
		p.Prose("found", fmt.Sprintf("nothing better by more than %s: %s", share(beyond(r)), r.Reason))
	}
	p.Prose("spent", fmt.Sprintf("%s in %s", Plural(r.Trials, "trial"), minutes(r.Seconds)))
}

// also says what the winner does to the other figures.
func also(p *Printer, all []tune.Also) {
	var lines []string
	for _, x := range all {
		s := shownAs(x.Figure)
		lines = append(lines, fmt.Sprintf("%s %s → %s %s, %s (%s)", s.label, s.number(x.Before), s.number(x.After), s.unit,
			percent(x.Ratio), ratios(&stats.Effect{Low: x.Low, High: x.High})))
	}
	p.Prose("also", lines...)
}

// beyond is the gain, as a share, that a study would have found.
func beyond(r *tune.Result) float64 {
	if w := r.Winner; w != nil && w.Look != nil && w.Look.Verdict == stats.NoDifference && w.Look.High != nil {
		return max(r.Margin, *w.Look.High-1)
	}
	if r.Noise.Smallest != nil {
		return max(r.Margin, *r.Noise.Smallest)
	}
	return r.Margin
}
