package chart

import (
	"fmt"
	"math"
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

const cellH = 40

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
		c.text("dim", "end", r.Name, left-10, c.h+cellH/2+4, left-20)
		for i, x := range r.Cells {
			if x == nil {
				continue
			}
			at := left + w*float64(i)
			c.rect(shade(x), at+1, c.h+1, w-2, cellH-2, m.Columns[i]+", "+r.Name+": "+Percent(x.Ratio)+", "+x.Verdict)
			c.text("", "middle", Percent(x.Ratio), at+w/2, c.h+17, w-8)
			c.text("", "middle", span(x.Low, x.High, Percent), at+w/2, c.h+32, w-8)
		}
		c.h += cellH
	}
	c.h += 6
	return c
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
func (m *Matrix) Table() (head []string, rows [][]string) {
	for _, r := range m.Rows {
		for i, x := range r.Cells {
			if x != nil {
				rows = append(rows, []string{r.Name, m.Columns[i], Percent(x.Ratio), span(x.Low, x.High, Percent), x.Verdict})
			}
		}
	}
	return []string{"variant", "workload", " effect", " 95 % interval", "verdict"}, rows
}
