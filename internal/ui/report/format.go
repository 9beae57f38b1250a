package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/internal/ui/report/quote"
)

// Output is where a result is printed.
type Output struct {
	W io.Writer
	doc.Screen
}

// Result is the answer of a subcommand: Data is what programs read, Text adds the
// same for people to a document.
type Result struct {
	Data any
	Text func(d *Document)
}

// document is the result as people read it.
func (r Result) document() *Document {
	d := &Document{}
	r.Text(d)
	return d
}

// Format is one way to print results. Each is a package variable that registers
// itself; commands, their help and their completion follow.
type Format struct {
	Name string
	// Fits says whether data can be printed so; nil: all can.
	Fits  func(data any) bool
	Print func(to Output, r Result) error
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

// Print writes a result in a format that Formats gave for its data, or for other data of its command: a list of runs is
// printed as a run is. Of two formats with one name, the one for its data counts.
func Print(to Output, format string, r Result) error {
	named := slices.DeleteFunc(slices.Clone(formats), func(f Format) bool { return f.Name != format })
	i := slices.IndexFunc(named, func(f Format) bool { return f.Fits == nil || f.Fits(r.Data) })
	return named[max(i, 0)].Print(to, r)
}

var table = register(Format{Name: "table", Print: func(to Output, r Result) error {
	return doc.WriteText(to.W, r.document(), to.Screen)
}})

var _ = register(Format{Name: "json", Print: func(to Output, r Result) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.Data); err != nil {
		return err
	}
	_, err := to.W.Write(quote.JSON(text.Bytes()))
	return err
}})

// drawable is a result that is also a picture.
type drawable interface{ Drawing() *drawing.Drawing }

// drawn adds the formats of pictures.
func drawn(name string, draw func(*drawing.Drawing) []byte) Format {
	return register(Format{
		Name: name,
		Fits: func(data any) bool { _, ok := data.(drawable); return ok },
		Print: func(to Output, r Result) error {
			d := r.Data.(drawable).Drawing()
			if d == nil {
				return errors.New("there is no path to draw")
			}
			_, err := to.W.Write(draw(d))
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
