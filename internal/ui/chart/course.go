package chart

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/ui/report/doc"
)

// Course shows a figure over the time within each trial: a strip a variant with a
// line a trial, so that a stall shows which an average hides.
type Course struct {
	Name, Unit string
	Groups     []Strips
}

// Strips are those of a workload.
type Strips struct {
	Name string
	Rows []Strip
}

// Strip is a variant.
type Strip struct {
	Name   string
	Trials []Curve
}

// Curve is one trial. Values[i] holds until Seconds[i], the first from 0 on.
type Curve struct {
	Block           int
	Seconds, Values []float64
}

// mean is weighted by time.
func (c *Curve) mean() float64 {
	sum, at := 0.0, 0.0
	for i, s := range c.Seconds {
		sum += c.Values[i] * (s - at)
		at = s
	}
	return sum / at
}

// extremes are the least, the mean and the greatest of a strip's trials.
func (s *Strip) extremes() (least, mean, most float64) {
	least = s.Trials[0].Values[0]
	for i := range s.Trials {
		c := &s.Trials[i]
		least, most = min(least, slices.Min(c.Values)), max(most, slices.Max(c.Values))
		mean += c.mean() / float64(len(s.Trials))
	}
	return least, mean, most
}

const stripH = 58

// Title is the figure's name.
func (c *Course) Title() string { return c.Name }

func (c *Course) draw() *canvas {
	longest := 0.0
	for _, g := range c.Groups {
		for _, r := range g.Rows {
			for _, t := range r.Trials {
				longest = max(longest, t.Seconds[len(t.Seconds)-1])
			}
		}
	}
	v := &canvas{}
	if longest <= 0 {
		return v
	}
	a := linear(longest)
	a.high = longest // a tick beyond it would leave room that nothing fills
	a.ticks = slices.DeleteFunc(a.ticks, func(t float64) bool { return t > longest })
	for _, g := range c.Groups {
		if g.Name != "" {
			v.text("head", "start", g.Name, 0, v.h+17, width)
		}
		v.h += groupH
		top := 0.0
		for i := range g.Rows {
			_, _, most := g.Rows[i].extremes()
			top = max(top, most)
		}
		for i := range g.Rows {
			v.strip(a, c.Unit, &g.Rows[i], i, top)
		}
	}
	v.foot(a, "s")
	return v
}

func (v *canvas) strip(a *axis, unit string, s *Strip, i int, top float64) {
	const gap = 8
	foot := v.h + stripH - gap
	y := func(value float64) float64 {
		if top <= 0 {
			return foot
		}
		return foot - (stripH-gap-4)*value/top
	}
	least, mean, most := s.extremes()
	v.grid(a, v.h, foot)
	v.line("axis", left, foot, width-right, foot)
	v.line("one", left, y(mean), width-right, y(mean))
	v.name(s.Name, foot-18)
	for _, t := range s.Trials {
		var d strings.Builder
		fmt.Fprintf(&d, "M%s %s", px(a.x(0)), px(y(t.Values[0])))
		for n, sec := range t.Seconds {
			fmt.Fprintf(&d, "V%sH%s", px(y(t.Values[n])), px(a.x(sec)))
		}
		v.path("curve "+colour(i), d.String(), fmt.Sprintf("%s, block %d: %s to %s, mean %s %s", s.Name, t.Block,
			Number(slices.Min(t.Values)), Number(slices.Max(t.Values)), Number(t.mean()), unit))
	}
	for n, text := range []string{"max " + Number(most), "mean " + Number(mean), "min " + Number(least)} {
		v.text("dim", "start", text, width-right+6, v.h+13+16*float64(n), right+4)
	}
	v.h += stripH
}

// Table has a row a trial.
func (c *Course) Table() *doc.Table {
	out := doc.NewTable(c.Name, doc.Left("workload"), doc.Left("variant"), doc.Right("block"), doc.Right("min, "+c.Unit),
		doc.Right("mean"), doc.Right("max"), doc.Right("points"))
	for _, g := range c.Groups {
		for _, r := range g.Rows {
			for _, t := range r.Trials {
				out.Add(g.Name, r.Name, t.Block, Number(slices.Min(t.Values)), Number(t.mean()), Number(slices.Max(t.Values)), len(t.Values))
			}
		}
	}
	return out
}
