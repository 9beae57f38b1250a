package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"seaworthy/internal/ui/chart"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report/quote"
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
	p.Scrolled(c.Title(), chart.Inline(c), func() {
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
		p.Scrolled(cmp.Or(d.Caption, "Path"), d.Inline(), nil)
	}
}

// Scrolled puts a picture on a page: a narrow screen scrolls it.
func (p *Printer) Scrolled(title string, svg []byte, below func()) {
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

// Result is the answer of a subcommand: Data is what programs read, Text
// prints the same for people.
type Result struct {
	Data any
	Text func(p *Printer)
}

// Format is one way to print results. Each has a file of its own, which is all
// that a new one takes: commands, their help and their completion follow.
type Format struct {
	Name string
	// Fits says whether data can be printed so; nil: all can.
	Fits  func(data any) bool
	Print func(p *Printer, r Result) error
}

// formats are those of this package, in the order of their files.
var formats []Format

// register adds a format; only for the initialisation of a package variable.
func register(f Format) Format {
	formats = append(formats, f)
	return f
}

// Formats names the formats that data can be printed in, the default first.
func Formats(data any) []string {
	var names []string
	for _, f := range formats {
		if f.Name != table.Name && (f.Fits == nil || f.Fits(data)) {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return append([]string{table.Name}, names...)
}

// Print writes a result in a format that Formats gave for its data.
func Print(p *Printer, format string, r Result) error {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == format })
	return formats[i].Print(p, r)
}

var table = register(Format{Name: "table", Print: func(p *Printer, r Result) error {
	r.Text(p)
	return p.Err
}})

var _ = register(Format{Name: "json", Print: func(p *Printer, r Result) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.Data); err != nil {
		return err
	}
	_, err := p.W.Write(quote.JSON(text.Bytes()))
	return err
}})
