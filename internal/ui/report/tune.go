package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune"
	"seaworthy/internal/ui/report/doc"
)

// TuneDesign says what a study would try.
func TuneDesign(d *Document, r *tune.Result) {
	d.Heading(fmt.Sprintf("%s → %s: %s", r.From, r.To, r.Goal))
	if len(r.Space.Factors) == 0 {
		d.Line("Nothing to try: every setting of the path is at the catalogue's best, or left out.")
	} else {
		t := doc.NewWrapped("factors", doc.Left("factor"), doc.Left("as found"), doc.Left("tried"), doc.Left("outage"))
		for _, f := range r.Space.Factors {
			var tried []string
			for _, l := range f.Levels[1:] {
				tried = append(tried, l.Label)
			}
			t.Add(f.Name, Dash(f.Levels[0].Label), strings.Join(tried, ", "), f.Class)
		}
		d.Table(t)
	}
	if design := r.Design; design != nil {
		d.Gap()
		d.Prose("screen", designed(design))
		d.Prose("outages", outages(design)...)
		d.Prose("tells", design.Words...)
		d.Gap()
		t := doc.NewWrapped("design", doc.Right("run"), doc.Left("settings"))
		for i, run := range design.Runs {
			t.Add(i+1, run)
		}
		d.Table(t)
	}
	addLeftOut(d, r)
}

// addLeftOut names the settings that are not tried, and why.
func addLeftOut(d *Document, r *tune.Result) {
	if len(r.Space.Left) == 0 {
		return
	}
	d.Gap()
	t := doc.NewWrapped("left out", doc.Left("left out"), doc.Left("because"))
	for _, x := range r.Space.Left {
		t.Add(x.What, x.Why)
	}
	d.Table(t)
}

// resolutions are the numbers of designs as statistics writes them.
var resolutions = []string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII"}

func designed(d *tune.Design) string {
	text := fmt.Sprintf("%s of %s", d.Kind, Plural(len(d.Runs), "run"))
	if d.Resolution > 0 {
		text += fmt.Sprintf(", resolution %s", resolutions[min(d.Resolution, len(resolutions)-1)])
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
func outages(d *tune.Design) (out []string) {
	for _, class := range slices.Sorted(maps.Keys(d.Outages)) {
		text := fmt.Sprintf("%s of class %s: %s", Plural(d.Outages[class], "change"), class, class.Outage())
		if n := d.Saved[class]; n > 0 {
			text += fmt.Sprintf("; %d fewer, since trials that share such settings are made one after the other", n)
		}
		out = append(out, text)
	}
	return out
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

// Tune says what a study found.
func Tune(d *Document, r *tune.Result) {
	d.Heading(fmt.Sprintf("%s → %s: %s", r.From, r.To, r.Goal))
	for _, x := range Calibrated(r) {
		d.Prose(x[0], x[1])
	}
	d.Gap()
	addEffects(d, "effects", "effect of", r.Effects)
	addEffects(d, "interactions", "interaction of", r.Pairs)
	d.Table(cellsTable(r))
	if len(r.Raced) > 0 {
		d.Gap()
		d.Table(raceTable(r))
	}
	for _, x := range r.Barred {
		d.Prose("barred", fmt.Sprintf("%s: %s", x.Settings, x.Why))
	}
	if len(r.Unwatched) > 0 {
		d.Prose("unwatched", fmt.Sprintf("no guard rail held %s: not measured, or no limit is known", strings.Join(r.Unwatched, ", ")))
	}
	addLeftOut(d, r)
	d.Gap()
	if r.Winner != nil {
		addWinner(d, r)
	}
	if r.Found {
		for _, v := range r.Plan.Values() {
			d.Prose("found", v)
		}
		d.Prose("plan", fmt.Sprintf("%s, in %s", Total(r.Plan), r.PlanFile))
	} else {
		d.Prose("found", fmt.Sprintf("nothing better by more than %s: %s", share(beyond(r)), r.Reason))
	}
	d.Prose("spent", fmt.Sprintf("%s in %s", Plural(r.Trials, "trial"), minutes(r.Seconds)))
}

// mostPairs is how many interactions that were not shown people see.
const mostPairs = 3

// addEffects lists the effects of factors, or of several together.
func addEffects(d *Document, name, head string, all []tune.Effect) {
	t := doc.NewWrapped(name, doc.Left(head), doc.Left("level"), doc.Right("effect"), doc.Interval("effect"), doc.Right("p"),
		doc.Left("").Keyed("shown"))
	for i, e := range all {
		var media doc.Medium
		if len(e.Factors) > 1 && !e.Shown && i >= mostPairs {
			media = doc.Data
		}
		mark := choose(e.Shown, "shown", "not shown")
		if len(e.Aliases) > 0 {
			mark += ", or of " + strings.Join(e.Aliases, ", ")
		}
		t.AddOn(media, strings.Join(e.Factors, " × "), Dash(e.Level), percent(e.Ratio), percentBounds(e.Low, e.High), probability(e.P), mark)
	}
	if !t.Empty() {
		d.Table(t)
		d.Gap()
	}
}

// mostCells is how many combinations people see; CSV and JSON have all.
const mostCells = 24

// cellsTable has what was measured, a combination a row.
func cellsTable(r *tune.Result) *doc.Table {
	t := doc.NewWrapped("settings", doc.Left("settings"), doc.Right(r.Unit), doc.Interval(r.Unit), doc.Right("against as found"),
		doc.Interval("against as found"), doc.Right("n"))
	t.Drop = []int{4}
	for i, c := range r.Cells {
		if i < mostCells {
			t.Add(cells(c)...)
			continue
		}
		t.AddOn(doc.Data, cells(c)...)
	}
	if more := len(r.Cells) - mostCells; more > 0 {
		t.Note(doc.Cell{Text: fmt.Sprintf("and %d more (-f json)", more)})
	}
	return t
}

func raceTable(r *tune.Result) *doc.Table {
	t := doc.NewWrapped("race", doc.Left("race"), doc.Right("against as found"), doc.Right("blocks"), doc.Left("outcome"))
	for _, x := range r.Raced {
		t.Add(x.Settings, against(x.Ratio), x.Blocks, choose(x.Dropped, "dropped", "to the end"))
	}
	return t
}

// addWinner says what of the leading combination contributes, and what confirmed it.
func addWinner(d *Document, r *tune.Result) {
	w := r.Winner
	t := doc.NewWrapped("leader", doc.Left("leader"), doc.Left("level"), doc.Right("with it to without it"),
		doc.Interval("with it to without it"), doc.Left("").Keyed("outcome"))
	for _, x := range w.Parts {
		mark := choose(x.Kept, "contributes", "dropped: not shown to contribute")
		interval := percentBounds(x.Low, x.High)
		interval.Text = Dash(interval.Text)
		t.Add(x.Factor, x.Level, against(x.Ratio), interval, mark)
	}
	if !t.Empty() {
		d.Table(t)
		d.Gap()
	}
	if w.Look != nil {
		d.Prose("confirmed", confirmed(*w, r.Unit))
		d.Prose("also", also(w.Also)...)
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

// cells is a combination that was measured, as a row.
func cells(c tune.Cell) []any {
	d := digitsOf(c.Median)
	against := ""
	var interval, around doc.Cell
	if c.Low != nil && c.High != nil && c.N >= leastSpan {
		low, high := number(*c.Low, d), number(*c.High, d)
		interval = doc.Bounds(low+"–"+high, low, high)
	}
	if x := c.Ratio; x != nil {
		against = percent(x.Median)
		if x.N >= leastSpan {
			around = percentBounds(x.Low, x.High)
		}
	}
	return []any{c.Settings, number(c.Median, d), interval, against, around, c.N}
}

// percentBounds is an interval of ratios as a cell; empty where there is none.
func percentBounds(low, high *float64) doc.Cell {
	if low == nil || high == nil {
		return doc.Cell{}
	}
	return doc.Bounds(percent(*low)+" to "+percent(*high), percent(*low), percent(*high))
}

// against is a ratio, or a dash where it is not known.
func against(ratio *float64) string {
	if ratio == nil {
		return "-"
	}
	return percent(*ratio)
}

func confirmed(w tune.Winner, unit string) string {
	d := digitsOf(w.After)
	return fmt.Sprintf("on %s (of %d at most): %s → %s %s, %s (95 %% interval %s): %s", Plural(w.Look.Blocks, "fresh block"),
		w.Most, number(w.Before, d), number(w.After, d), unit, percent(w.Look.Ratio), ratios(&w.Look.Effect), w.Look.Verdict)
}

// also says what the winner does to the other figures.
func also(all []tune.Also) (lines []string) {
	for _, x := range all {
		s := shownAs(x.Figure)
		lines = append(lines, fmt.Sprintf("%s %s → %s %s, %s (%s)", s.label, s.number(x.Before), s.number(x.After), s.unit,
			percent(x.Ratio), ratios(&stats.Effect{Low: x.Low, High: x.High})))
	}
	return lines
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
