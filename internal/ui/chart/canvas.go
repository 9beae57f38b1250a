package chart

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"seaworthy/internal/ui/report/doc"
	"seaworthy/internal/ui/report/quote"
	"seaworthy/internal/ui/report/typeset"
)

// Style is the sheet of all charts: a page has it once.
//
//go:embed style.css
var Style string

// Chart is something measured that can be drawn.
type Chart interface {
	Title() string
	draw() *canvas
	Table() *doc.Table // the chart's numbers
}

// Inline draws a chart for a page that has Style.
func Inline(c Chart) []byte { return c.draw().svg(c.Title()) }

// File draws a chart as a file of its own.
func File(c Chart) []byte {
	text := c.draw().svg(c.Title())
	const tag = "<svg "
	var b bytes.Buffer
	b.WriteString(tag + `xmlns="http://www.w3.org/2000/svg" `)
	head, rest, _ := bytes.Cut(bytes.TrimPrefix(text, []byte(tag)), []byte("\n"))
	b.Write(head)
	fmt.Fprintf(&b, "\n<title>%s</title>\n<style>%s%s</style>\n", quote.XML(c.Title()), Style, background)
	b.Write(rest)
	return b.Bytes()
}

// background is that of a chart without a page around it.
const background = ".chart{background:#fff}\n@media screen and (prefers-color-scheme:dark){.chart{background:#12161c}}\n"

// Sizes in px.
const (
	width  = 800
	left   = 240 // labels of rows
	right  = 90
	rowH   = 24
	groupH = 24
	axisH  = 40
	size   = 12

	smallSize = 10
)

// canvas is an SVG that grows downward.
type canvas struct {
	b bytes.Buffer
	h float64
}

func (c *canvas) svg(title string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg class="chart" role="img" aria-label="%s" width="%d" height="%s" viewBox="0 0 %[2]d %[3]s">`+"\n",
		quote.XML(title), width, px(c.h))
	b.Write(c.b.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, px(x1), px(y1), px(x2), px(y2))
}

func (c *canvas) rect(class string, x, y, w, h float64, tip string) {
	fmt.Fprintf(&c.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"><title>%s</title></rect>`,
		class, px(x), px(y), px(w), px(h), quote.XML(tip))
}

func (c *canvas) circle(class string, x, y, r float64, tip string) {
	fmt.Fprintf(&c.b, `<circle class="%s" cx="%s" cy="%s" r="%s"><title>%s</title></circle>`+"\n", class, px(x), px(y), px(r), quote.XML(tip))
}

func (c *canvas) path(class, d, tip string) {
	fmt.Fprintf(&c.b, `<path class="%s" d="%s"><title>%s</title></path>`+"\n", class, d, quote.XML(tip))
}

// text is cut to a width; anchor is start, middle or end.
func (c *canvas) text(class, anchor, s string, x, y, room float64) {
	c.sized(size, class, anchor, s, x, y, room)
}

// name names a row at the height y; one that is too long has two lines in smaller letters.
func (c *canvas) name(s string, y float64) {
	const room = left - 20
	if typeset.Cut(s, room, size, false) == s {
		c.text("dim", "end", s, left-10, y+4, room)
		return
	}
	lines := typeset.Fold(s, room, smallSize)
	if len(lines) == 1 {
		c.sized(smallSize, "dim small", "end", s, left-10, y+4, room)
		return
	}
	c.sized(smallSize, "dim small", "end", lines[0], left-10, y-1, room)
	c.sized(smallSize, "dim small", "end", strings.Join(lines[1:], " "), left-10, y+10, room)
}

func (c *canvas) sized(size float64, class, anchor, s string, x, y, room float64) {
	s = quote.Plain(s)
	short, tip := typeset.Cut(s, room, size, class == "head"), ""
	if short != s {
		tip = "<title>" + quote.XML(s) + "</title>"
	}
	fmt.Fprintf(&c.b, `<text class="%s" text-anchor="%s" x="%s" y="%s">%s%s</text>`+"\n", class, anchor, px(x), px(y), quote.XML(short), tip)
}

// px is a length, to a tenth.
func px(v float64) string { return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0") }

// axis maps values to places between left and the right margin.
type axis struct {
	low, high float64
	log       bool
	ticks     []float64
	show      func(float64) string
}

func (a *axis) x(v float64) float64 {
	low, high := a.low, a.high
	if a.log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	return left + (width-left-right)*(v-low)/(high-low)
}

// from zero to a top, with some round ticks.
func linear(top float64) *axis {
	step := math.Pow(10, math.Floor(math.Log10(top/4)))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if top/(step*m) <= 6 {
			step *= m
			break
		}
	}
	a := &axis{high: step * math.Ceil(top/step*0.999), show: Number}
	for i := 0; float64(i)*step <= a.high*1.0001; i++ {
		a.ticks = append(a.ticks, float64(i)*step)
	}
	return a
}

// ratios is a logarithmic axis around 1 that holds all of some ratios.
func ratios(all []float64) *axis {
	far := math.Log(1.12)
	for _, r := range all {
		if r > 0 && !math.IsInf(r, 0) {
			far = max(far, math.Abs(math.Log(r))*1.05)
		}
	}
	far = min(far, math.Log(1e4))
	a := &axis{low: math.Exp(-far), high: math.Exp(far), log: true, show: Percent, ticks: []float64{1}}
	for _, t := range []float64{1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 30, 100, 1000, 10000} {
		last := a.ticks[len(a.ticks)-1]
		if t <= a.high && a.x(t)-a.x(max(last, 1)) >= 46 {
			a.ticks = append(a.ticks, 1/t, t)
		}
	}
	return a
}

// foot draws the axis below what was drawn.
func (c *canvas) foot(a *axis, unit string) {
	c.line("axis", left, c.h, width-right, c.h)
	for _, t := range a.ticks {
		c.line("axis", a.x(t), c.h, a.x(t), c.h+4)
		c.text("dim", "middle", a.show(t), a.x(t), c.h+17, 70)
	}
	c.text("dim", "end", unit, width-right, c.h+34, width-right)
	c.h += axisH
}

// grid draws lines behind the rows from top to bottom.
func (c *canvas) grid(a *axis, top, bottom float64) {
	for _, t := range a.ticks {
		class := "grid"
		if a.log && t == 1 {
			class = "one"
		}
		c.line(class, a.x(t), top, a.x(t), bottom)
	}
}

// Number prints three digits that matter, with a blank between thousands.
func Number(v float64) string {
	digits := 0
	if a := math.Abs(v); a > 0 && a < 100 {
		digits = max(0, 2-int(math.Floor(math.Log10(a))))
	}
	s := strconv.FormatFloat(v, 'f', min(digits, 6), 64)
	if strings.Contains(s, ".") {
		return strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Percent prints a ratio as the difference from 1.
func Percent(ratio float64) string {
	switch v := (ratio - 1) * 100; {
	case ratio >= 11:
		return "×" + Number(ratio)
	case math.Abs(v) < 0.05:
		return "±0 %"
	case math.Abs(v) < 10:
		return strings.Replace(fmt.Sprintf("%+.1f %%", v), "-", "−", 1)
	default:
		return strings.Replace(fmt.Sprintf("%+.0f %%", v), "-", "−", 1)
	}
}

func colour(i int) string { return "c" + strconv.Itoa(i%8) }

func span(low, high *float64, show func(float64) string) string {
	if low == nil || high == nil {
		return "-"
	}
	return show(*low) + " to " + show(*high)
}
