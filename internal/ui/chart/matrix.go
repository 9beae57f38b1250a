package chart

import (
	"fmt"
	"math"
	"strings"

	"seaworthy/internal/ui/report/doc"
	"seaworthy/internal/ui/report/typeset"
)

// Matrix shows the effect of every variant on every workload: blue is better,
// vermilion is worse, the deeper the farther from no effect.
type Matrix struct {
	Name    string
	Columns []string // workloads
	Rows    []Cells
}

// Cells are the effects of one variant, nil where there is none.
type Cells struct {
	Name  string
	Cells []*Cell
}

// Cell is one effect. Better is the ratio turned so that above 1 is better.
type Cell struct {
	Effect
	Better float64
}

const (
	cellH = 40.0 // least height of a row
	lineH = 15.0 // of a row's name
)

// Title says what is compared.
func (m *Matrix) Title() string { return m.Name }

func (m *Matrix) draw() *canvas {
	c := &canvas{}
	w := float64(width-left) / float64(max(len(m.Columns), 1))
	for i, name := range m.Columns {
		c.text("head", "middle", name, left+w*(float64(i)+.5), 16, w-6)
	}
	c.h = groupH
	for _, r := range m.Rows {
		h := c.label(r.Name)
		for i, x := range r.Cells {
			if x == nil {
				continue
			}
			at := left + w*float64(i)
			c.rect(shade(x), at+1, c.h+1, w-2, h-2, m.Columns[i]+", "+r.Name+": "+Percent(x.Ratio)+", "+x.Verdict)
			c.text("", "middle", Percent(x.Ratio), at+w/2, c.h+h/2-3, w-8)
			c.text("", "middle", span(x.Low, x.High, Percent), at+w/2, c.h+h/2+12, w-8)
		}
		c.h += h
	}
	c.h += 6
	return c
}

// label writes the name of a row, and gives the row's height. A combination of
// values that is too long for a line has a line for each.
func (c *canvas) label(name string) (height float64) {
	lines := []string{name}
	if typeset.Cut(name, left-20, size, false) != name {
		lines = strings.Split(name, ", ")
	}
	height = max(cellH, float64(len(lines))*lineH+8)
	for i, line := range lines {
		c.text("dim", "end", line, left-10, c.h+height/2+4+lineH*(float64(i)-float64(len(lines)-1)/2), left-20)
	}
	return height
}

// shade is how far an effect is from none; one whose interval holds 1 has none.
func shade(x *Cell) string {
	if x.Low != nil && x.High != nil && *x.Low <= 1 && *x.High >= 1 || x.Better <= 0 {
		return "shade s0"
	}
	step := 1
	switch far := math.Abs(math.Log(x.Better)); {
	case far > math.Log(2):
		step = 3
	case far > math.Log(1.2):
		step = 2
	}
	if x.Better < 1 {
		return fmt.Sprintf("shade w%d", step)
	}
	return fmt.Sprintf("shade b%d", step)
}

// Table has a row a cell.
func (m *Matrix) Table() *doc.Table {
	out := doc.NewTable(m.Name, doc.Left("variant"), doc.Left("workload"), doc.Right("effect"), doc.Right("95 % interval"),
		doc.Left("verdict"))
	for _, r := range m.Rows {
		for i, x := range r.Cells {
			if x != nil {
				out.Add(r.Name, m.Columns[i], Percent(x.Ratio), span(x.Low, x.High, Percent), x.Verdict)
			}
		}
	}
	return out
}
