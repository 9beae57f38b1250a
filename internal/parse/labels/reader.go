package labels

import (
	"strings"

	"seaworthy/internal/parse"
)

// Line is a line that can hold data.
type Line struct {
	parse.Line
	Body   string // without the blanks at either end
	Indent int    // columns, a TAB reaching to the next multiple of 8
	Last   bool   // the text ends in this line, without a line end
}

// Reader turns lines into fields.
type Reader struct {
	Lines  []Line
	report *parse.Report

	fields  *[]*Field
	section sections
	open    *Field // the list that the next line may continue
	columns bool   // in the part of two columns
	owner   int    // how far the label is indented that deeper lines belong to
	at      int    // of the line that is read, in Lines
}

// NewReader takes a text apart. Fields are dropped until Begin.
func NewReader(text []byte, r *parse.Report) *Reader {
	in := parse.Lines(text, r)
	read := &Reader{report: r, Lines: make([]Line, len(in)), fields: new([]*Field)}
	for i, l := range in {
		body := strings.Trim(l.Text, " \t\r\v\f")
		read.Lines[i] = Line{Line: l, Body: body, Indent: parse.Indent(l.Text), Last: r.CutOff(l)}
	}
	return read
}

// Begin lets the fields that follow go to a list, outside any section.
func (r *Reader) Begin(fields *[]*Field) {
	r.fields = fields
	r.section = sections{}
	r.open, r.columns, r.owner = nil, false, nobody
}

// nobody owns the lines that follow.
const nobody = 1 << 30

// control recognises the characters of a damaged line.
func control(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }

// spoil marks a list that may have lost a line: what it does not show may be
// there.
func (r *Reader) spoil(f *Field) {
	if f != nil && f.Kind == List {
		f.Cut = true
	}
}

// add makes a field of the current section.
func (r *Reader) add(kind Kind, label string) *Field {
	f := &Field{Kind: kind, Label: label, Section: r.section.path, Line: r.Lines[r.at].Number}
	*r.fields = append(*r.fields, f)
	return f
}

// next is the line after the one that is read; nil if there is none.
func (r *Reader) next() *Line {
	if r.at+1 < len(r.Lines) {
		return &r.Lines[r.at+1]
	}
	return nil
}

// Ruled reports whether the i-th line has a rule right below it.
func (r *Reader) Ruled(i int) bool {
	return i+1 < len(r.Lines) && !r.Lines[i+1].After && IsRule(r.Lines[i+1].Body)
}

// deeper reports whether the next line is indented more than this one.
func (r *Reader) deeper(l *Line) bool {
	next := r.next()
	return next != nil && next.Indent > l.Indent && !IsRule(next.Body)
}

// flat reports whether the next line is indented as far as this one.
func (r *Reader) flat(l *Line) bool {
	next := r.next()
	return next != nil && next.Indent == l.Indent
}

// IsRule recognises a line drawn under or above something: ---- or ====, in one
// piece or, under several columns, in several.
func IsRule(text string) bool {
	return len(text) > 2 && (text[0] == '-' || text[0] == '=') && strings.Trim(text, "-= \t") == ""
}

// cells adds a line's numbers to a list; a word that is not one is nil.
func (r *Reader) cells(f *Field, text string, last bool) {
	words := strings.Fields(text)
	for i, w := range words {
		var cell *uint64
		if n, ok := parse.Count(w); ok && !(last && i == len(words)-1) {
			cell = &n
		}
		f.Cells = append(f.Cells, cell)
	}
}
