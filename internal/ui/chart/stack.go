package chart

import (
	"fmt"

	"seaworthy/internal/ui/report/doc"
)

// Stack shows parts of a whole: the cores of a path by host.
type Stack struct {
	Name, Unit string
	Parts      []string // hosts, in the order of the bars' segments
	Rows       []Bar
}

// Bar is one whole; a part that was not measured is nil.
type Bar struct {
	Name   string
	Values []*float64
}

// Title says what is stacked.
func (s *Stack) Title() string { return s.Name }

func (s *Stack) draw() *canvas {
	top := 0.0
	for _, b := range s.Rows {
		top = max(top, b.sum())
	}
	c := &canvas{}
	if top <= 0 {
		top = 1
	}
	x, y := 0.0, 0.0
	for i, p := range s.Parts {
		if x > width-160 {
			x, y = 0, y+20
		}
		c.rect(colour(i), x, y+4, 12, 12, p)
		c.text("", "start", fmt.Sprintf("%d %s", i+1, p), x+18, y+15, 128)
		x += 152
	}
	c.h = y + 26
	a := linear(top)
	c.grid(a, c.h, c.h+float64(len(s.Rows)*rowH))
	for _, b := range s.Rows {
		y := c.h + rowH/2
		c.name(b.Name, y)
		sum := 0.0
		for i, v := range b.Values {
			if v == nil {
				continue
			}
			from, w := a.x(sum), a.x(sum+*v)-a.x(sum)
			c.rect("segment "+colour(i), from, y-8, w, 16, fmt.Sprintf("%s: %s %s", s.Parts[i], Number(*v), s.Unit))
			if w > 14 {
				c.text("on", "middle", fmt.Sprint(i+1), from+w/2, y+4, w)
			}
			sum += *v
		}
		c.text("", "start", Number(sum), width-right+10, y+4, right-10)
		c.h += rowH
	}
	c.foot(a, s.Unit)
	return c
}

func (b *Bar) sum() float64 {
	sum := 0.0
	for _, v := range b.Values {
		if v != nil {
			sum += *v
		}
	}
	return sum
}

// Table has a row a bar and a column a part.
func (s *Stack) Table() *doc.Table {
	out := doc.NewTable(s.Name, doc.Left(""))
	for _, p := range s.Parts {
		out.Columns = append(out.Columns, doc.Right(p))
	}
	for _, b := range s.Rows {
		row := []string{b.Name}
		for _, v := range b.Values {
			if v == nil {
				row = append(row, "-")
				continue
			}
			row = append(row, Number(*v))
		}
		out.AddTexts(row...)
	}
	return out
}
