package chart

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"seaworthy/internal/ui/report/doc"
)

// Effects shows ratios after/before on a logarithmic axis: twice as much is as
// far to the right as half is to the left.
type Effects struct {
	Name string
	Rows []Effect
}

// Effect is one ratio.
type Effect struct {
	Name      string
	Ratio     float64
	Low, High *float64 // 95 %; nil: one block has none
	Blocks    []float64
	Verdict   string
	Class     int // of its colour: 0 neither, 1 worse, 2 improved
}

// effectColours are grey, vermilion and green; the verdict stands beside it.
var effectColours = [...]string{"c7", "c1", "c2"}

// Title says what is compared.
func (e *Effects) Title() string { return e.Name }

func (e *Effects) draw() *canvas {
	var all []float64
	for _, r := range e.Rows {
		all = append(all, r.Ratio)
		all = append(all, r.Blocks...)
		if r.Low != nil && r.High != nil {
			all = append(all, *r.Low, *r.High)
		}
	}
	a, c := ratios(all), &canvas{}
	c.grid(a, 0, float64(len(e.Rows)*rowH))
	for _, r := range e.Rows {
		y, class := c.h+rowH/2, effectColours[r.Class]
		c.name(r.Name, y)
		clip := func(v float64) float64 { return a.x(min(max(v, a.low), a.high)) }
		for _, b := range r.Blocks {
			if b > 0 {
				c.circle("point "+class, clip(b), y+5, 2.5, Percent(b))
			}
		}
		if r.Low != nil && r.High != nil {
			c.line("interval "+class, clip(*r.Low), y-3, clip(*r.High), y-3)
		}
		c.circle(class, clip(r.Ratio), y-3, 4.5, r.Name+": "+Percent(r.Ratio)+", "+r.Verdict)
		c.text("", "start", Percent(r.Ratio), width-right+10, y+4, right-10)
		c.h += rowH
	}
	c.foot(a, "effect, logarithmic; bar: 95 % interval, small points: blocks")
	return c
}

// Table has a row a ratio.
func (e *Effects) Table() *doc.Table {
	out := doc.NewTable(e.Name, doc.Left("figure"), doc.Right("effect"), doc.Right("95 % interval"), doc.Left("verdict"))
	for _, r := range e.Rows {
		out.Add(r.Name, Percent(r.Ratio), span(r.Low, r.High, Percent), r.Verdict)
	}
	return out
}

// HalfNormal shows the effects of a screening against what chance alone would
// give: those of settings that do nothing lie on a line through zero, those that
// matter stand out to the upper right.
type HalfNormal struct {
	Name    string
	Effects []Factor
}

// Factor is the effect of a setting, or of several together, as a ratio.
type Factor struct {
	Name  string
	Ratio float64
}

type ranked struct {
	Factor
	size, quantile float64 // |log ratio|, and the half-normal quantile of its rank
}

// rank sorts the effects by size.
func (h *HalfNormal) rank() []ranked {
	all := make([]ranked, 0, len(h.Effects))
	for _, e := range h.Effects {
		all = append(all, ranked{Factor: e, size: math.Abs(math.Log(e.Ratio))})
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.size, b.size) })
	for i := range all {
		p := (float64(i) + 0.5) / float64(len(all))
		all[i].quantile = distuv.UnitNormal.Quantile(0.5 + p/2)
	}
	return all
}

// pse is Lenth's pseudo standard error: the spread of the effects that are none.
func pse(all []ranked) float64 {
	sizes := func(limit float64) (out []float64) {
		for _, r := range all {
			if limit == 0 || r.size < limit {
				out = append(out, r.size)
			}
		}
		return out
	}
	s0 := 1.5 * middle(sizes(0))
	if s0 == 0 {
		return 0
	}
	return 1.5 * middle(sizes(2.5*s0))
}

func middle(sorted []float64) float64 {
	n := len(sorted)
	switch {
	case n == 0:
		return 0
	case n%2 == 1:
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// Title says what was screened.
func (h *HalfNormal) Title() string { return h.Name }

func (h *HalfNormal) draw() *canvas {
	const foot, high = 34, 260
	all, c := h.rank(), &canvas{h: high + foot}
	if len(all) == 0 {
		return c
	}
	top, far := all[len(all)-1], math.Log(1.05)
	far = max(far, top.size*1.05)
	x := func(v float64) float64 { return left + (width-left-right)*v/far }
	y := func(q float64) float64 { return high - (high-44)*q/max(top.quantile, 0.1) }
	c.line("axis", left, high, width-right, high)
	c.line("axis", left, 8, left, high)
	for _, t := range []float64{1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10} {
		if v := math.Log(t); v <= far && v > far/8 {
			c.line("axis", x(v), high, x(v), high+4)
			c.text("dim", "middle", "×"+Number(t), x(v), high+17, 60)
		}
	}
	if s := pse(all); s > 0 {
		q := min(top.quantile, far/s)
		c.line("one", x(0), y(0), x(q*s), y(q))
	}
	c.text("dim", "end", "size of the effect, logarithmic", width-right, high+32, width)
	c.text("dim", "start", "half-normal quantile", 0, 14, left-10)
	for i, r := range all {
		c.circle("c0", x(r.size), y(r.quantile), 4.5, r.Name+": "+Percent(r.Ratio))
		if i >= len(all)-4 { // the greatest are named
			c.text("", "end", r.Name+" "+Percent(r.Ratio), x(r.size)-9, y(r.quantile)+4, x(r.size)-12)
		}
	}
	return c
}

// Table has a row an effect, the greatest first.
func (h *HalfNormal) Table() *doc.Table {
	out := doc.NewTable(h.Name, doc.Left("setting"), doc.Right("effect"), doc.Right("half-normal quantile"))
	for _, r := range slices.Backward(h.rank()) {
		out.Add(r.Name, Percent(r.Ratio), Number(r.quantile))
	}
	return out
}
