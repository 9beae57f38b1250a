package lsdev

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/fields"
	"seaworthy/dialect/aix/printout"
)

var errTooLong = errors.New("longer than any real output")

// Parse reads a list of devices and finds its form. The columns of -F without
// a heading are known by their values only; ParseForm takes the form asked for.
func Parse(text []byte) (*List, error) { return parse(text, nil) }

// ParseForm reads the output of a command whose form is known.
func ParseForm(text []byte, form Form) (*List, error) { return parse(text, &form) }

// reader holds a text while it is read.
type reader struct {
	list  *List
	lines []string // without escape sequences
	raw   []string
	paint []printout.Paint
	skip  []bool // lines of messages
	head  int    // index of the heading, -1
}

func parse(text []byte, form *Form) (*List, error) {
	if len(text) > dialect.MaxText {
		return nil, fmt.Errorf("lsdev: %d bytes: %w", len(text), errTooLong)
	}
	split := dialect.Split(text)
	r := &reader{list: &List{layout: printout.NewLayout(split)}, raw: split.Lines, head: -1}
	r.list.Lines = len(split.Lines)
	for _, l := range split.Lines {
		plain, p := printout.Plain(l)
		r.lines, r.paint = append(r.lines, plain), append(r.paint, p)
	}
	r.skip = make([]bool, len(r.lines))
	messages := 0
	for i := 0; i < len(r.lines); {
		n := printout.Message(r.lines, i)
		for k := i; k < i+n; k++ {
			r.skip[k] = true
		}
		if n > 0 {
			messages++
			r.list.Warn(i+1, printout.Joined(r.lines[i:i+n]))
		}
		i += max(n, 1)
	}
	if !r.detect(form) && messages == 0 {
		return nil, fmt.Errorf("lsdev: %w", dialect.ErrNotRecognised)
	}
	if n := len(r.lines); split.NoFinal && n > 0 && strings.TrimSpace(r.lines[n-1]) != "" {
		r.list.Warn(n, "no line end after the last line: it may be cut off")
	}
	switch r.list.Form.Kind {
	case Table, VIOS:
		r.readTable()
	case Fields:
		r.readFields()
	default:
		for i := range r.lines {
			r.other(i)
		}
	}
	return r.list, nil
}

func (r *reader) other(i int) {
	r.list.layout.Keep(r.raw[i])
	if !r.skip[i] && strings.TrimSpace(r.lines[i]) != "" {
		r.list.Unread(i+1, r.raw[i])
	}
}

// A row of a table. A status of another locale is taken where the columns of
// a heading show it, so it is any word here.
var rowShape = regexp.MustCompile(`^([ \t]*)([A-Za-z_]\S*)([ \t]+)(\S+)([ \t]*)(.*?)([ \t\r]*)$`)

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
