package chart

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
func (e *Effects) Table() (head []string, rows [][]string) {
	for _, r := range e.Rows {
		rows = append(rows, []string{r.Name, Percent(r.Ratio), span(r.Low, r.High, Percent), r.Verdict})
	}
	return []string{"figure", " effect", " 95 % interval", "verdict"}, rows
}
