package report

import (
	"errors"

	"seaworthy/report/drawing"
)

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
