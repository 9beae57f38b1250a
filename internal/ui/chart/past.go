package chart

import (
	"fmt"
	"math"
	"time"

	"seaworthy/internal/ui/report/doc"
)

// Past shows what happened over days on one axis of time: rates as steps, spells as bars, events as marks.
type Past struct {
	Name     string
	From, To time.Time
	Parts    []Part
}

// Part is a group of rows under a heading.
type Part struct {
	Name string
	Rows []Lane
}

// Lane is a row: of steps, of spells or of events.
type Lane struct {
	Name   string
	Unit   string // of steps
	Steps  []Step
	Spells []Spell
	Class  int  // the colour of steps and spells, 0 to 7
	Told   bool // the texts of spells stand beside them, where there is room
}

// Step is a value between two times; Value is NaN where it is not known.
type Step struct {
	From, To time.Time
	Value    float64
	Why      string // it is not known
}

// Spell is a time over which something held, or within which it happened: an event if both
// times are the same.
type Spell struct {
	From, To time.Time
	Text     string
}

const laneH = 44

// Title is the figure's name.
func (p *Past) Title() string { return p.Name }

func (p *Past) draw() *canvas {
	c := &canvas{}
	if !p.To.After(p.From) {
		return c
	}
	a := p.axis()
	bottom := 0.0
	for _, part := range p.Parts {
		bottom += groupH
		for _, l := range part.Rows {
			bottom += l.height()
		}
	}
	c.grid(a, 0, bottom)
	for _, part := range p.Parts {
		c.text("head", "start", part.Name, 4, c.h+16, width-right)
		c.h += groupH
		for _, l := range part.Rows {
			p.lane(c, a, l)
			c.h += l.height()
		}
	}
	c.foot(a, "UTC")
	return c
}

func (l *Lane) height() float64 {
	if len(l.Steps) > 0 {
		return laneH
	}
	return rowH
}

// axis counts seconds since From.
func (p *Past) axis() *axis {
	span := p.To.Sub(p.From)
	a := &axis{high: span.Seconds(), show: func(v float64) string { return p.label(v) }}
	step := pace(span)
	for t := p.From.Truncate(step); !t.After(p.To); t = t.Add(step) {
		if !t.Before(p.From) {
			a.ticks = append(a.ticks, t.Sub(p.From).Seconds())
		}
	}
	return a
}

// pace is a round time between two ticks, of which some six fit.
func pace(span time.Duration) time.Duration {
	const day = 24 * time.Hour
	for _, d := range []time.Duration{time.Second, 10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour,
		6 * time.Hour, 12 * time.Hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 56 * day, 112 * day} {
		if span/d <= 6 {
			return d
		}
	}
	return max(364*day, (span / 6).Truncate(364*day))
}

func (p *Past) label(seconds float64) string {
	t := p.From.Add(time.Duration(seconds * float64(time.Second))).UTC().Round(time.Second)
	span := p.To.Sub(p.From)
	switch {
	case span > 300*24*time.Hour:
		return t.Format("2006-01-02")
	case span > 6*24*time.Hour:
		return t.Format("Jan 2")
	case span > 6*time.Hour:
		return t.Format("Jan 2 15:04")
	case span > 6*time.Minute:
		return t.Format("15:04")
	}
	return t.Format("15:04:05")
}

// x is the place of a time, within the axis.
func (p *Past) x(a *axis, t time.Time) float64 {
	return a.x(min(max(t.Sub(p.From).Seconds(), 0), a.high))
}

func (p *Past) lane(c *canvas, a *axis, l Lane) {
	h := l.height()
	middle := c.h + h/2
	c.name(l.Name, middle)
	c.line("axis", left, c.h+h-4, width-right, c.h+h-4)
	class := fmt.Sprintf("c%d", l.Class%8)
	if len(l.Steps) > 0 {
		p.steps(c, a, l, class)
		return
	}
	free := 0.0
	for _, s := range l.Spells {
		from, to := p.x(a, s.From), p.x(a, s.To)
		tip := fmt.Sprintf("%s: %s, %s", l.Name, s.Text, p.times(s))
		c.rect("bar "+class, from-1, c.h+5, max(3, to-from), h-12, tip)
		if l.Told && from >= free {
			free = c.tell(s.Text, from, max(from+3, to), c.h+15)
		}
	}
}

// tell writes beside an event, on the side with more room, and says where the next may be written.
func (c *canvas) tell(text string, from, to, y float64) (free float64) {
	if to > (left+width)/2 {
		c.sized(smallSize, "small", "end", text, from-5, y, from-left-10)
		return to + 160
	}
	c.sized(smallSize, "small", "start", text, to+5, y, width-to-10)
	return to + 160
}

// steps draws rates up to the highest, which stands at the right.
func (p *Past) steps(c *canvas, a *axis, l Lane, class string) {
	peak := 0.0
	for _, s := range l.Steps {
		if !math.IsNaN(s.Value) {
			peak = max(peak, s.Value)
		}
	}
	floor := c.h + laneH - 4
	for _, s := range l.Steps {
		from, to := p.x(a, s.From), p.x(a, s.To)
		tip := fmt.Sprintf("%s: %s, %s", l.Name, s.shown(l.Unit), p.times(Spell{From: s.From, To: s.To}))
		if math.IsNaN(s.Value) {
			c.rect("shade s0", from, c.h+6, max(1, to-from), laneH-10, tip)
			continue
		}
		high := 0.0
		if peak > 0 {
			high = (laneH - 12) * s.Value / peak
		}
		c.rect("bar "+class, from, floor-max(1, high), max(1, to-from), max(1, high), tip)
	}
	c.text("", "start", scaled(peak, l.Unit), width-right+6, c.h+laneH/2+4, right-6)
}

// shown is a value with its unit.
func (s *Step) shown(unit string) string {
	if math.IsNaN(s.Value) {
		return "not known: " + s.Why
	}
	return scaled(s.Value, unit)
}

// scaled is a value with its unit: k, M, G for what is large.
func scaled(v float64, unit string) string {
	for _, f := range []struct {
		of   float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= f.of {
			return Number(v/f.of) + " " + f.name + unit
		}
	}
	return Number(v) + " " + unit
}

const toTheSecond = "2006-01-02 15:04:05"

func (p *Past) times(s Spell) string {
	if s.From.Equal(s.To) {
		return s.From.UTC().Format(toTheSecond)
	}
	return s.From.UTC().Format(toTheSecond) + " to " + s.To.UTC().Format(toTheSecond)
}

// mostRows bounds the table of a figure.
const mostRows = 500

// Table has a row a step, spell or event, those of a lane together.
func (p *Past) Table() *doc.Table {
	out := doc.NewTable(p.Name, doc.Left("what"), doc.Left("from, UTC"), doc.Left("to, UTC"), doc.Left("value"))
	n := 0
	for _, part := range p.Parts {
		for _, l := range part.Rows {
			for _, s := range l.Steps[:min(len(l.Steps), max(0, mostRows-n))] {
				out.Add(l.Name, s.From.UTC().Format(toTheSecond), s.To.UTC().Format(toTheSecond), s.shown(l.Unit))
				n++
			}
			for _, s := range l.Spells[:min(len(l.Spells), max(0, mostRows-n))] {
				out.Add(l.Name, s.From.UTC().Format(toTheSecond), s.To.UTC().Format(toTheSecond), s.Text)
				n++
			}
		}
	}
	return out
}

// Lanes says how many rows there are.
func (p *Past) Lanes() (n int) {
	for _, part := range p.Parts {
		n += len(part.Rows)
	}
	return n
}
