package report

import (
	"cmp"
	"errors"

	"seaworthy/report/chart"
	"seaworthy/report/drawing"
	"seaworthy/report/quote"
)

// Chart puts a chart on a page, with its numbers as a table beneath it. A
// terminal has none.
func (p *Printer) Chart(c chart.Chart) {
	if !p.HTML {
		return
	}
	head, rows := c.Table()
	if len(rows) == 0 {
		return
	}
	p.scrolled(c.Title(), chart.Inline(c), func() {
		t := Table{Head: head}
		for _, r := range rows {
			for i := range r {
				r[i] = Safe(r[i])
			}
			t.Add(r...)
		}
		p.write("<details><summary>Numbers</summary>\n")
		t.html(p)
		p.write("</details>\n")
	})
}

// Drawing puts a drawing on a page. A terminal has none.
func (p *Printer) Drawing(d *drawing.Drawing) {
	if p.HTML && d != nil {
		p.scrolled(cmp.Or(d.Caption, "Path"), d.Inline(), nil)
	}
}

// scrolled puts a picture on a page: a narrow screen scrolls it.
func (p *Printer) scrolled(title string, svg []byte, below func()) {
	p.write("<figure>\n<figcaption>" + element(Safe(title)) + "</figcaption>\n")
	p.write(`<div class="scroll" tabindex="0" role="region" aria-label="` + quote.XML(title) + "\">\n" + string(svg) + "</div>\n")
	if below != nil {
		below()
	}
	p.write("</figure>\n")
}

// drawable is a result that is also a picture.
type drawable interface{ Drawing() *drawing.Drawing }

// drawn adds the formats of pictures.
func drawn(name string, draw func(*drawing.Drawing) []byte) Format {
	return register(Format{
		Name: name,
		Fits: func(data any) bool { _, ok := data.(drawable); return ok },
		Print: func(p *Printer, r Result) error {
			d := r.Data.(drawable).Drawing()
			if d == nil {
				return errors.New("there is no path to draw")
			}
			_, err := p.W.Write(draw(d))
			return err
		},
	})
}

var (
	_ = drawn("svg", (*drawing.Drawing).SVG)
	_ = drawn("dot", (*drawing.Drawing).DOT)
	_ = drawn("mermaid", (*drawing.Drawing).Mermaid)
	_ = drawn("drawio", (*drawing.Drawing).DrawIO)
)
