package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune"
)

// TuneDesign prints what a study would try.
func TuneDesign(p *Printer, r *tune.Result) { p.Lay("tune-design", r) }

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

// Tune prints what a study found.
func Tune(p *Printer, r *tune.Result) { p.Lay("tune", r) }

func probability(x float64) string {
	if x < 0.001 {
		return "<0.001"
	}
	return number(x, 3)
}

// leastSpan is how many trials have an interval worth printing: that of two is of any
// width.
const leastSpan = 3

// cell is a combination that was measured, as a row.
func cell(c tune.Cell) []string {
	d := digitsOf(c.Median)
	span, against, around := "", "", ""
	if c.Low != nil && c.High != nil && c.N >= leastSpan {
		span = number(*c.Low, d) + "–" + number(*c.High, d)
	}
	if x := c.Ratio; x != nil {
		if against = percent(x.Median); x.N >= leastSpan {
			around = between(x.Low, x.High)
		}
	}
	return []string{c.Settings, number(c.Median, d), span, against, around, Count(c.N)}
}

// between is an interval of ratios; nothing where there is none.
func between(low, high *float64) string {
	if low == nil || high == nil {
		return ""
	}
	return percent(*low) + " to " + percent(*high)
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
