package chart

import (
	"fmt"
	"slices"

	"seaworthy/internal/ui/report/doc"
)

// Timeline shows what each pair of a watch saw over time: the steps of a change as bands from top to bottom,
// and what a pair lost as red bars.
type Timeline struct {
	Name    string
	Seconds float64 // from the beginning of the watch to its end
	Bands   []Band  // in the order they began
	Tracks  []Track
}

// Band is a step. From and To are seconds since the watch began.
type Band struct {
	Mark     string // one letter, as in the table of the steps
	Name     string
	From, To float64
	Worse    bool // it hurt more than its class says
}

// Track is what a pair saw.
type Track struct {
	Name string
	Gaps []Gap
}

// Gap is a time without packets. From and To are seconds since the watch began.
type Gap struct {
	From, To float64
	Lost     int // packets
}

// narrowest is the width in px of a gap or a band that would be too narrow to see.
const narrowest = 2

// Title is the figure's name.
func (t *Timeline) Title() string { return t.Name }

func (t *Timeline) draw() *canvas {
	c := &canvas{}
	if t.Seconds <= 0 {
		return c
	}
	a := linear(t.Seconds)
	a.high = t.Seconds
	a.ticks = slices.DeleteFunc(a.ticks, func(s float64) bool { return s > t.Seconds })
	bottom := groupH + float64(max(1, len(t.Tracks)))*rowH
	t.bands(c, a, bottom)
	c.h = groupH
	c.grid(a, c.h, bottom)
	for _, track := range t.Tracks {
		middle := c.h + rowH/2
		c.name(track.Name, middle)
		c.line("axis", left, middle, width-right, middle)
		longest := 0.0
		for _, g := range track.Gaps {
			longest = max(longest, g.To-g.From)
			c.rect("gap", a.x(g.From), middle-7, max(narrowest, a.x(g.To)-a.x(g.From)), 14,
				fmt.Sprintf("%s: %s ms without packets, %d lost, at %s s", track.Name, milliseconds(g), g.Lost, Number(g.From)))
		}
		if longest > 0 {
			c.text("", "start", milliseconds(Gap{To: longest})+" ms", width-right+8, middle+4, right-8)
		}
		c.h += rowH
	}
	c.h = bottom
	c.foot(a, "s since the watch began; at the right the longest gap")
	return c
}

// bands draws the steps behind the tracks, each with its letter where there is room for one.
func (t *Timeline) bands(c *canvas, a *axis, bottom float64) {
	free := 0.0 // where the next letter may begin
	for i, b := range t.Bands {
		class := fmt.Sprintf("shade b%d", 1+i%2)
		if b.Worse {
			class = "shade w3"
		}
		from := a.x(b.From)
		c.rect(class, from, 4, max(narrowest, a.x(b.To)-from), bottom-4,
			fmt.Sprintf("%s: %s, %s to %s s", b.Mark, b.Name, Number(b.From), Number(b.To)))
		if from >= free {
			c.text("head", "start", b.Mark, from+2, 17, 24)
			free = from + 12
		}
	}
}

func milliseconds(g Gap) string { return Number((g.To - g.From) * 1000) }

// Table has a row a gap, with the step during which it began.
func (t *Timeline) Table() *doc.Table {
	out := doc.NewTable(t.Name, doc.Left("pair"), doc.Right("at, s"), doc.Right("without packets, ms"),
		doc.Right("packets lost"), doc.Left("step"))
	for _, track := range t.Tracks {
		for _, g := range track.Gaps {
			out.Add(track.Name, Number(g.From), milliseconds(g), g.Lost, t.during(g.From))
		}
		if len(track.Gaps) == 0 {
			out.AddTexts(track.Name, "-", "0", "0", "-")
		}
	}
	return out
}

// during is the step that was carried out at a time: the last one that had begun.
func (t *Timeline) during(at float64) string {
	for _, b := range slices.Backward(t.Bands) {
		if b.From <= at && at <= b.To {
			return b.Mark + " " + b.Name
		}
	}
	return "between steps"
}
