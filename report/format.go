package report

import (
	"bytes"
	"encoding/json"
	"slices"

	"seaworthy/report/quote"
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
