package report

import (
	"bytes"
	"embed"
	"html"
	"strings"
	"text/template"

	"seaworthy/inventory"
)

// Sizes of the picture in pixels, as its template has them.
const (
	svgLane   = 270
	svgBox    = 240
	svgMargin = 24
	svgHead   = 76
	svgLine   = 15 // of text
	svgGap    = 34 // between rows
	svgChars  = 36 // of a box's width
)

// graph is a path as boxes and lines, for the two pictures of it.
type graph struct {
	Title string
	Lanes []lane
	Boxes []box
	Lines []edge
	Gaps  []string

	Width, Height, Bottom, LaneHeight int
	Notes                             []string // the gaps, wrapped
}

// lane is a host; boxes that no host owns are in the lane of the host before.
type lane struct {
	Host, System, Label string
	X                   int
}

// box is an element, or a switch.
type box struct {
	At, Lane, Part int    // the part of several beside each other in a row: members of an EtherChannel
	Kind           string // "" if that is the name
	Label          string // for DOT
	Texts          []string
	Down           bool
	Outside        bool // no host owns it

	Left, Y, Width, Height, Centre int
}

// edge joins two boxes.
type edge struct {
	From, To int
	Note     string
}

// graphOf lays a path out: a row per hop, a lane per host in the order of the
// path. Members of an EtherChannel share a row: frames take one of them.
func graphOf(f *inventory.Fleet, path *inventory.Path) *graph {
	g := &graph{Title: path.From.String() + " → " + path.To.String()}
	lanes := map[string]int{}
	last, at := 0, svgHead
	var before []int
	for i := 0; i < len(path.Hops); {
		n := 1
		for ; path.Hops[i].Note == "member" && i+n < len(path.Hops) && path.Hops[i+n].Note == "member"; n++ {
		}
		var row []int
		height := 0
		for k, h := range path.Hops[i : i+n] {
			if h.Ref != nil {
				if _, ok := lanes[h.Ref.Host]; !ok {
					lanes[h.Ref.Host] = len(g.Lanes)
					g.Lanes = append(g.Lanes, laneOf(f, h.Ref.Host, len(g.Lanes)))
				}
				last = lanes[h.Ref.Host]
			}
			b := boxOf(f, h, last, k, n)
			b.At, b.Y = len(g.Boxes), at
			height = max(height, len(b.Texts)*svgLine+12)
			for _, p := range before {
				e := edge{From: p, To: b.At}
				if h.Ref != nil {
					e.Note = h.Note
				}
				g.Lines = append(g.Lines, e)
			}
			row = append(row, b.At)
			g.Boxes = append(g.Boxes, b)
		}
		for _, k := range row {
			g.Boxes[k].Height = height
		}
		before = row
		at += height + svgGap
		i += n
	}
	for _, gap := range path.Gaps {
		g.Gaps = append(g.Gaps, "gap: "+gap.What+": "+gap.Why)
	}
	g.Width, g.Bottom = svgMargin*2+max(len(g.Lanes), 1)*svgLane, at+svgMargin
	for _, n := range g.Gaps {
		g.Notes = append(g.Notes, wrap(Safe(n), max(g.Width/8, 40))...)
	}
	g.Height, g.LaneHeight = g.Bottom+len(g.Notes)*svgLine, g.Bottom-36-svgMargin/2
	return g
}

func laneOf(f *inventory.Fleet, host string, n int) lane {
	l := lane{Host: host, X: svgMargin + n*svgLane}
	if h := f.Host(host); h != nil {
		l.System = h.MachineID
	}
	l.Label = strings.TrimSpace(host + " " + l.System)
	return l
}

// boxOf is one of several boxes of a row, in a lane.
func boxOf(f *inventory.Fleet, h inventory.Hop, lane, part, parts int) box {
	b := box{Lane: lane, Part: part, Outside: h.Ref == nil}
	name, attrs := h.Kind, h.Note
	if h.Ref != nil {
		name, b.Kind, attrs = h.Ref.String(), h.Kind, strings.Join(Attributes(f, *h.Ref), " ")
		el := f.Element(*h.Ref)
		b.Down = el != nil && el.LinkUp != nil && !*el.LinkUp
	}
	b.Width = (svgBox - (parts-1)*6) / parts
	b.Left = svgMargin + lane*svgLane + (svgLane-8-svgBox)/2 + part*(b.Width+6)
	b.Centre = b.Left + b.Width/2
	chars := svgChars / parts
	b.Label, b.Texts = name, []string{clipTo(name, chars)}
	if b.Kind != "" {
		kind := b.Kind
		if b.Label += "\n" + kind; b.Down {
			kind += ", link down"
		}
		b.Texts = append(b.Texts, clipTo(kind, chars))
	}
	if attrs != "" {
		b.Label += "\n" + strings.Join(wrap(Safe(attrs), svgChars), "\n")
		for _, w := range wrap(Safe(attrs), chars) {
			b.Texts = append(b.Texts, clipTo(w, chars+4))
		}
	}
	return b
}

//go:embed path.svg.tmpl path.dot.tmpl
var pictures embed.FS

// PathSVG draws a path as SVG: a lane per host, boxes from top to bottom in
// the order that frames pass them, with the attributes that matter.
func PathSVG(f *inventory.Fleet, path *inventory.Path) []byte {
	return graphOf(f, path).draw("path.svg.tmpl")
}

// PathDOT writes a path as a graph in the DOT language of Graphviz: a cluster
// per host, a node per element.
func PathDOT(f *inventory.Fleet, path *inventory.Path) []byte {
	return graphOf(f, path).draw("path.dot.tmpl")
}

func (g *graph) draw(name string) []byte {
	words := template.FuncMap{
		"add": func(a, b int) int { return a + b }, "middle": func(a, b int) int { return (a + b) / 2 },
		"line": func(n int) int { return n * svgLine },
		"clip": clipTo, "xml": xmlText, "quote": dotText,
		"wrapped": func(s string) string { return strings.Join(wrap(Safe(s), 50), "\n") },
	}
	var b bytes.Buffer
	if err := template.Must(template.New(name).Funcs(words).ParseFS(pictures, name)).Execute(&b, g); err != nil {
		panic(err) // a template that does not fit the graph
	}
	return b.Bytes()
}

// dotText quotes a text: what a host printed must not become part of the graph.
func dotText(s string) string {
	var lines []string
	for l := range strings.SplitSeq(s, "\n") {
		lines = append(lines, strings.ReplaceAll(strings.ReplaceAll(Safe(l), `\`, `\\`), `"`, `\"`))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

func clipTo(s string, n int) string {
	if r := []rune(s); len(r) > n && n > 1 {
		return string(r[:n-1]) + "…"
	}
	return s
}

// xmlText makes a text harmless inside an element.
func xmlText(s string) string { return html.EscapeString(Safe(s)) }
