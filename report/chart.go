package report

import (
	"fmt"
	"strings"

	"seaworthy/bench/history"
	"seaworthy/report/quote"
)

// Sizes of a chart in pixels.
const (
	chartStep   = 130
	chartHeight = 150
	chartLeft   = 70
	chartFoot   = 34
)

// chart draws the answers to one question with their intervals, from zero, on a
// page. A terminal has none.
func (p *Printer) chart(s history.Series, scale float64) {
	if !p.HTML {
		return
	}
	top := 0.0
	for _, q := range s.Points {
		top = max(top, q.Median*scale)
		if q.High != nil {
			top = max(top, *q.High*scale)
		}
	}
	if !(top > 0) {
		return
	}
	y := func(v float64) float64 { return 10 + (chartHeight-10)*(1-v*scale/top) }
	width := chartLeft + chartStep*len(s.Points) + 10
	var b strings.Builder
	fmt.Fprintf(&b, `<svg width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" font-size="11" fill="currentColor" stroke="none">`,
		width, chartHeight+chartFoot)
	fmt.Fprintf(&b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="currentColor"/>`, chartLeft, chartHeight, width-10, chartHeight)
	for _, v := range []float64{0, top} {
		fmt.Fprintf(&b, `<text x="%d" y="%.0f" text-anchor="end">%.4g</text>`, chartLeft-6, y(v/scale)+4, v)
	}
	for i, q := range s.Points {
		x := chartLeft + chartStep*i + chartStep/2
		if q.Low != nil && q.High != nil {
			fmt.Fprintf(&b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="currentColor" stroke-width="2"/>`, x, y(*q.Low), x, y(*q.High))
		}
		fmt.Fprintf(&b, `<circle cx="%d" cy="%.1f" r="4"/>`, x, y(q.Median))
		date := quote.XML(strings.TrimPrefix(day(q.Started), "20"))
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`, x, chartHeight+16, date)
	}
	b.WriteString("</svg>\n")
	p.write(b.String())
}
