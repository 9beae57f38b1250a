package chart

import (
	"fmt"
	"strings"

	"seaworthy/internal/ui/report/doc"
)

// Trials shows every trial of one figure: a row a variant, the points of one
// block joined, the median and its 95 % interval above them.
type Trials struct {
	Name, Unit string
	Groups     []Group
}

// Group is a workload.
type Group struct {
	Name string
	Rows []Row
}

// Row is a variant, or a measurement at one time.
type Row struct {
	Name      string
	Samples   []Sample
	Median    float64
	Low, High *float64 // 95 %; nil: one sample has none
}

// Sample is a trial's value. Samples of one block are joined; block 0 joins none.
type Sample struct {
	Block int
	Value float64
}

// Title is the figure's name.
func (t *Trials) Title() string { return t.Name }

func (t *Trials) draw() *canvas {
	top, high := 0.0, 0.0
	rows := 0
	for _, g := range t.Groups {
		for _, r := range g.Rows {
			top = max(top, r.Median)
			if r.High != nil {
				high = max(high, *r.High)
			}
			for _, s := range r.Samples {
				top = max(top, s.Value)
			}
			rows++
		}
	}
	c := &canvas{}
	// The interval of two trials may be a hundred times as wide as they are apart.
	top = max(top, min(high, 2*top))
	if top <= 0 {
		top = 1
	}
	a := linear(top)
	c.grid(a, 4, float64(len(t.Groups)*groupH+rows*rowH))
	for _, g := range t.Groups {
		if g.Name != "" {
			c.text("head", "start", g.Name, 0, c.h+17, width)
		}
		c.h += groupH
		var before map[int]Sample
		for i, r := range g.Rows {
			c.row(a, t, r, i, before)
			before = map[int]Sample{}
			for _, s := range r.Samples {
				if s.Block > 0 {
					before[s.Block] = s
				}
			}
			c.h += rowH
		}
	}
	c.foot(a, "points: trials, bar: median and 95 % interval, "+t.Unit)
	return c
}

func (c *canvas) row(a *axis, t *Trials, r Row, i int, before map[int]Sample) {
	y := c.h + rowH/2
	c.name(r.Name, y)
	for _, s := range r.Samples {
		if o, ok := before[s.Block]; ok {
			c.line("pair", a.x(o.Value), y-rowH+4, a.x(s.Value), y+4)
		}
	}
	if r.Low != nil && r.High != nil {
		c.line("interval "+colour(i), a.x(*r.Low), y-4, a.x(min(*r.High, a.high)), y-4)
		if *r.High > a.high {
			c.path("beyond "+colour(i), fmt.Sprintf("M%s %sl8 5l-8 5z", px(width-right-2), px(y-9)), "to "+Number(*r.High)+" "+t.Unit)
		}
	}
	c.line("median "+colour(i), a.x(r.Median), y-9, a.x(r.Median), y+1)
	for _, s := range r.Samples {
		c.circle("point "+colour(i), a.x(s.Value), y+4, 3.5, fmt.Sprintf("%s, block %d: %s %s", r.Name, s.Block, Number(s.Value), t.Unit))
	}
	c.text("", "start", Number(r.Median), width-right+10, y+4, right-10)
}

// Table has a row a variant.
func (t *Trials) Table() *doc.Table {
	out := doc.NewTable(t.Name, doc.Left("workload"), doc.Left("variant"), doc.Right("median, "+t.Unit), doc.Right("95 % interval"),
		doc.Left("trials"))
	for _, g := range t.Groups {
		for _, r := range g.Rows {
			var all []string
			for _, s := range r.Samples {
				all = append(all, Number(s.Value))
			}
			out.Add(g.Name, r.Name, Number(r.Median), span(r.Low, r.High, Number), strings.Join(all, ", "))
		}
	}
	return out
}
