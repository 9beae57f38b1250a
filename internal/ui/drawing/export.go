package drawing

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"seaworthy/internal/ui/report/quote"
)

// Style is the sheet of all drawings: a page has it once, a file in itself.
//
//go:embed style.css
var Style string

//go:embed formats
var formats embed.FS

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"xml": quote.XML, "dot": quote.DOT, "mermaid": quote.Mermaid, "px": px, "bar": barOf,
		"dotted": func(s string) string { return strings.ReplaceAll(s, "\n", " · ") },
		"standby": func(is bool) string {
			if is {
				return " standby"
			}
			return ""
		},
		"lines": func(s string) string {
			lines := strings.Split(s, "\n")
			for i, l := range lines {
				lines[i] = quote.XML(l)
			}
			return strings.Join(lines, "&#10;")
		},
	}).ParseFS(formats, "formats/*.tmpl"))
})

// page is a drawing with what a format needs beside it.
type page struct {
	*Drawing
	Space, Style string
	ids          map[string]string
}

func (d *Drawing) write(format, space, style string) []byte {
	p := page{d, space, style, map[string]string{}}
	for i, b := range d.Boxes {
		p.ids[b.ID] = fmt.Sprintf("n%d", i)
	}
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, format+".tmpl", p); err != nil {
		panic(err) // the template is in the program
	}
	return b.Bytes()
}

// SVG is the drawing as a file of its own.
func (d *Drawing) SVG() []byte {
	return d.write("svg", ` xmlns="http://www.w3.org/2000/svg"`, "<style>"+Style+"</style>\n")
}

// Inline is the drawing for a page that has Style.
func (d *Drawing) Inline() []byte { return d.write("svg", "", "") }

// DOT is the drawing for Graphviz: a cluster per system and host.
func (d *Drawing) DOT() []byte { return d.write("dot", "", "") }

// Mermaid is the drawing for Markdown: a subgraph per system and host.
func (d *Drawing) Mermaid() []byte { return d.write("mermaid", "", "") }

// DrawIO is the drawing as a file of draw.io, at the places it has here.
func (d *Drawing) DrawIO() []byte { return d.write("drawio", "", "") }

// ID is a box's name that no language reads anything into.
func (p page) ID(box string) string { return p.ids[box] }

// In says whether a text stands in a host's box.
func (p page) In(t Text) bool {
	in := p.box(t.In)
	return in != nil && in.Class == Host
}

// item is where a box begins, or, without one, where the last that others stand in ends.
type item struct {
	*Box
	Indent string
}

// Outline has the boxes in one, each followed by those that stand in it.
func (p page) Outline(id, indent string) (all []item) {
	for _, b := range p.Boxes {
		if b.In != id {
			continue
		}
		all = append(all, item{b, indent})
		if b.Frames() {
			all = append(append(all, p.Outline(b.ID, indent+"  ")...), item{nil, indent})
		}
	}
	return all
}

// Anchor is the box that a line of Graphviz begins at: a cluster's first one.
func (p page) Anchor(id string) string {
	for _, b := range p.Boxes {
		if b.In == id {
			return p.Anchor(b.ID)
		}
	}
	return id
}

// Outside are the notes, one a line.
func (p page) Outside() string {
	var lines []string
	for i, n := range p.Notes {
		lines = append(lines, fmt.Sprintf("%d %s %s: %s", i+1, n.Kind, n.At, n.Text))
	}
	return strings.Join(lines, "\n")
}

// Under is where the notes stand below a drawing.
func (p page) Under() Rect {
	return Rect{margin, p.Height, p.Width - 2*margin, lineH * float64(len(p.Notes))}
}

// mark is the number of a note at a box.
type mark struct {
	X, Y, Below float64
	Text        string
	Note        Note
}

// Marks are the numbers of notes, from the upper right corner of each box; those for
// which there is no room end in an ellipsis.
func (p page) Marks() (all []mark) {
	for _, b := range p.Boxes {
		most := int((b.W - 2*pad) / 2 / markW)
		for i, n := range b.Marks[:min(len(b.Marks), max(most, 0))] {
			m := mark{b.right() - pad - markW/2 - float64(i)*markW + 4, b.Y + 13, b.Y + 16.5, strconv.Itoa(n), p.Notes[n-1]}
			if i == most-1 && len(b.Marks) > most {
				m.Text = "…"
			}
			all = append(all, m)
		}
	}
	return all
}

// Frames says whether others stand in a box.
func (b *Box) Frames() bool { return b.Class == System || b.Class == Host }

// Label is a box's text in other programs.
func (b *Box) Label() string {
	lines := []string{b.Name}
	if b.Class == Element {
		lines[0] = b.ID
	}
	for _, s := range append(append([]string{b.Kind}, b.Facts...), b.Change...) {
		if s != "" {
			lines = append(lines, s)
		}
	}
	if b.Cores != nil {
		lines = append(lines, b.Cores.String())
	}
	return strings.Join(lines, "\n")
}

// bar shows how much of its cores a host used.
type bar struct {
	Rect
	Used float64
}

func barOf(b *Box) *bar {
	if b.Cores == nil {
		return nil
	}
	w := b.W - 2*pad
	return &bar{Rect{b.X + pad, b.Y + headH + 10, w, 5}, w * b.Cores.share()} // below the number of cores
}

// px is a length, to a tenth.
func px(v float64) string { return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0") }
