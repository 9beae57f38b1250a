package lsdev

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/fields"
	"seaworthy/dialect/aix/printout"
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
}

func parse(text []byte, form *Form) (*List, error) {
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

// A row of a table. A status of another locale is taken where the columns of
// a heading show it, so it is any word here.
var rowShape = dialect.Lazy(`^([ \t]*)([A-Za-z_]\S*)([ \t]+)(\S+)([ \t]*)(.*?)([ \t\r]*)$`)

// detect finds the heading and the form; false if nothing looks like lsdev.
func (r *reader) detect(asked *Form) bool {
	list := r.list
	rows := 0
	var rest []string
	for i, l := range r.lines {
		if r.skip[i] || strings.TrimSpace(l) == "" || r.head < 0 && r.heading(i) {
			continue
		}
		if m := rowShape.FindStringSubmatch(l); m != nil && statusShape.MatchString(m[4]) {
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

// heading tells whether line i is a line of column names, and takes it.
func (r *reader) heading(i int) bool {
	line := strings.TrimRight(r.lines[i], " \t\r")
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
