package report

import (
	"fmt"
	"html"
	"strings"

	"seaworthy/inventory"
)

// Sizes of the picture in pixels.
const (
	svgLane   = 270
	svgBox    = 240
	svgMargin = 24
	svgHead   = 76
	svgLine   = 15 // of text
	svgGap    = 34 // between rows
	svgChars  = 36 // of a box's width
)

// PathSVG draws a path as SVG: a lane per host, boxes from top to bottom in
// the order that frames pass them, with the attributes that matter.
func PathSVG(f *inventory.Fleet, path *inventory.Path) []byte {
	g := graphOf(f, path)
	top, heights := rowPlaces(g)
	width := svgMargin*2 + len(g.lanes)*svgLane
	bottom := top[g.rows] + svgMargin
	var notes []string
	for _, n := range g.notes {
		notes = append(notes, wrap(Safe("gap: "+n), max(width/8, 40))...)
	}
	height := bottom + len(notes)*svgLine
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" `+
		`font-family="Helvetica, Arial, sans-serif" font-size="12">`, width, height)
	p(`<title>%s</title>`, xmlText(g.title))
	p(`<rect width="100%%" height="100%%" fill="#ffffff"/>`)
	p(`<text x="%d" y="24" font-size="16" font-weight="bold">%s</text>`, svgMargin, xmlText(g.title))
	for i, l := range g.lanes {
		x := svgMargin + i*svgLane
		p(`<rect x="%d" y="36" width="%d" height="%d" rx="8" fill="#f4f6f8" stroke="#c8d0d8"/>`, x, svgLane-8, bottom-36-svgMargin/2)
		p(`<text x="%d" y="54" font-weight="bold">%s</text>`, x+10, xmlText(clipTo(l.host, svgChars)))
		p(`<text x="%d" y="69" font-size="10" fill="#5a6572">%s</text>`, x+10, xmlText(l.system))
	}
	for _, e := range g.lines {
		x1, y1 := svgCentre(g.boxes[e.from]), top[g.boxes[e.from].row]+heights[g.boxes[e.from].row]
		x2, y2 := svgCentre(g.boxes[e.to]), top[g.boxes[e.to].row]
		p(`<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#3a5a80" stroke-width="2"/>`, x1, y1, x2, y2)
		if e.note != "" && g.boxes[e.to].part == 0 {
			p(`<text x="%d" y="%d" font-size="10" fill="#3a5a80">%s</text>`, (x1+x2)/2+6, (y1+y2)/2+4, xmlText(clipTo(e.note, svgChars)))
		}
	}
	for _, x := range g.boxes {
		svgBoxOf(p, x, top[x.row], heights[x.row])
	}
	for i, n := range notes {
		p(`<text x="%d" y="%d" fill="#b00020">%s</text>`, svgMargin, bottom+i*svgLine, xmlText(n))
	}
	p(`</svg>`)
	return []byte(b.String())
}

// rowPlaces gives each row's top, and one more for the end, and its height.
func rowPlaces(g *graph) (top, heights []int) {
	heights = make([]int, g.rows)
	for _, x := range g.boxes {
		lines := 1 + len(boxText(x.attrs, svgChars/max(x.parts, 1)))
		if x.name != x.kind {
			lines++
		}
		heights[x.row] = max(heights[x.row], lines*svgLine+12)
	}
	at := svgHead
	for _, h := range heights {
		top = append(top, at)
		at += h + svgGap
	}
	return append(top, at), heights
}

func svgWidth(x box) int { return (svgBox - (x.parts-1)*6) / max(x.parts, 1) }

func svgLeft(x box) int {
	return svgMargin + x.lane*svgLane + (svgLane-8-svgBox)/2 + x.part*(svgWidth(x)+6)
}

func svgCentre(x box) int { return svgLeft(x) + svgWidth(x)/2 }

func svgBoxOf(p func(string, ...any), x box, y, height int) {
	fill, stroke, dash := "#ffffff", "#3a5a80", ""
	switch {
	case x.outside:
		fill, dash = "#eef1f4", ` stroke-dasharray="4 3"`
	case x.down:
		stroke = "#b00020"
	}
	left, chars := svgLeft(x), svgChars/max(x.parts, 1)
	p(`<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="%s" stroke="%s"%s/>`, left, y, svgWidth(x), height, fill, stroke, dash)
	at := y + svgLine
	p(`<text x="%d" y="%d" font-weight="bold">%s</text>`, left+8, at, xmlText(clipTo(x.name, chars)))
	if x.name != x.kind {
		at += svgLine
		kind := x.kind
		if x.down {
			kind += ", link down"
		}
		p(`<text x="%d" y="%d" font-size="11" fill="#5a6572">%s</text>`, left+8, at, xmlText(clipTo(kind, chars)))
	}
	for _, w := range boxText(x.attrs, chars) {
		at += svgLine
		p(`<text x="%d" y="%d" font-size="11">%s</text>`, left+8, at, xmlText(clipTo(w, chars+4)))
	}
}

func clipTo(s string, n int) string {
	if r := []rune(s); len(r) > n && n > 1 {
		return string(r[:n-1]) + "…"
	}
	return s
}

// xmlText makes a text harmless inside an element.
func xmlText(s string) string { return html.EscapeString(Safe(s)) }
