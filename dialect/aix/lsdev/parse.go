package lsdev

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/fields"
	"seaworthy/dialect/aix/printout"
	"seaworthy/dialect/layout"
)

// Parse reads a list of devices and finds its form. The columns of -F without
// a heading are known by their values only; ParseForm takes the form asked for.
func Parse(text []byte) (*List, error) { return parse(text, nil) }

// ParseForm reads the output of a command whose form is known.
func ParseForm(text []byte, form Form) (*List, error) { return parse(text, &form) }

// reader holds a text while it is read.
type reader struct {
	list  *List
	src   *printout.Source
	lines []string // the source's, without escape sequences
	raw   []string
	paint []printout.Paint
	skip  []bool // lines of messages
	head  int    // index of the heading, -1
	cut   []words

	words  layout.Room[string]
	places layout.Room[placing]
}

func parse(text []byte, form *Form) (*List, error) {
	if form != nil && form.Kind == Fields && len(form.Fields.Names) == 0 {
		return nil, fmt.Errorf("lsdev: -F without columns: %w", dialect.ErrNotRecognised)
	}
	list := &List{}
	src, err := printout.Open("lsdev", text, &list.Report)
	if err != nil {
		return nil, err
	}
	list.layout = src.Layout()
	r := &reader{
		list: list, src: src, head: -1,
		lines: src.Lines, raw: src.Raw, paint: src.Paint, skip: src.Message,
	}
	r.cut = make([]words, len(r.lines))
	for i, l := range r.lines {
		r.cut[i] = r.cutRow(l)
	}
	if !r.detect(form) && src.Messages == 0 {
		return nil, fmt.Errorf("lsdev: %w", dialect.ErrNotRecognised)
	}
	switch list.Form.Kind {
	case Table, VIOS:
		r.readTable()
	case Fields:
		r.readFields()
	default:
		for i := range r.lines {
			r.other(i)
		}
	}
	return list, nil
}

func (r *reader) other(i int) {
	r.src.Keep(&r.list.layout, i)
}

// words are a row of a table: the blanks before the name, the name, blanks,
// the status, blanks, the rest, and blanks at the end, from 1. A status of
// another locale is taken where the columns of a heading show it, so it is any
// word here. Nil: the line is no row.
type words []string

func (r *reader) cutRow(l string) words {
	const blank, space = " \t", " \t\n\f\r"
	body := strings.TrimLeft(l, blank)
	if body == "" || body[0] != '_' && !(body[0] >= 'a' && body[0] <= 'z') && !(body[0] >= 'A' && body[0] <= 'Z') {
		return nil
	}
	name := strings.IndexAny(body, space)
	if name < 0 {
		return nil
	}
	status := strings.TrimLeft(body[name:], blank)
	gap := len(body) - name - len(status)
	if status == "" || gap == 0 || strings.IndexByte(space, status[0]) >= 0 {
		return nil
	}
	end := strings.IndexAny(status, space)
	if end < 0 {
		end = len(status)
	}
	rest := strings.TrimLeft(status[end:], blank)
	text := strings.TrimRight(rest, " \t\r")
	if text != "" && len(rest) == len(status)-end {
		return nil // a form feed parts it from the status
	}
	m := r.words.Take(8)
	m[1], m[2], m[3] = l[:len(l)-len(body)], body[:name], body[name:name+gap]
	m[4], m[5], m[6], m[7] = status[:end], status[end:len(status)-len(rest)], text, rest[len(text):]
	return m
}

func isStatus(word string) bool {
	switch word {
	case "Available", "Defined", "Stopped", "Diagnose", "Unavailable", "Unknown":
		return true
	}
	return false
}

// detect finds the heading and the form; false if nothing looks like lsdev.
func (r *reader) detect(asked *Form) bool {
	list := r.list
	rows := 0
	var rest []string
	for i, l := range r.lines {
		if r.skip[i] || strings.TrimSpace(l) == "" || r.head < 0 && r.heading(i) {
			continue
		}
		if m := r.cut[i]; m != nil && isStatus(m[4]) {
			rows++
		} else {
			rest = append(rest, l)
		}
	}
	if asked != nil {
		heading := r.head >= 0 && list.Form.Kind == asked.Kind
		if !heading {
			r.head = -1
		}
		list.Form = *asked
		list.Form.Heading = heading
		return asked.Kind == Fields && len(rest) > 0 || rows > 0 || heading
	}
	if r.head >= 0 {
		return true
	}
	if rows > 0 && rows >= len(rest)/4 {
		list.Form = C()
		return true
	}
	spec, ok := guess(rest)
	if !ok {
		return false
	}
	list.Form = Form{Kind: Fields, Fields: spec}
	for _, n := range spec.Names {
		if !known(n) {
			list.Warn(0, fmt.Sprintf("what %s of %s holds is not known without a heading", n, strings.Join(spec.Names, ", ")))
		}
	}
	return true
}

// leadingName is what a list of columns would have for its first name.
func leadingName(text string) string {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
			return text[:i]
		}
	}
	return text
}

// heading tells whether line i is a line of column names, and takes it.
func (r *reader) heading(i int) bool {
	line := strings.TrimRight(r.lines[i], " \t\r")
	if first := leadingName(strings.TrimLeft(line, " \t")); first != "" && !known(first) {
		return false // as nearly all lines
	}
	spec := fields.Parse(line)
	if len(spec.Names) < 2 || !spec.Fits(known) {
		return false
	}
	names := strings.Join(spec.Names, " ")
	switch {
	case !spec.Aligned():
		r.list.Form = Form{Kind: Fields, Heading: true, Fields: spec}
	case names == "name status location description":
		r.list.Form = CH()
	case names == "name status description":
		r.list.Form = V()
	default:
		r.list.Form = Form{Kind: Fields, Heading: true, Fields: fields.Parse(names)}
	}
	r.head = i
	return true
}
