package lsattr

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/table"
)

var (
	namesForm = parse.Lazy(`^#[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)*\s*$`)
	colonForm = parse.Lazy(`^[A-Za-z_][\w.-]*:.*:(?:True\+?|False)\s*$`)
	rangeForm = parse.Lazy(`^(0[xX][0-9A-Fa-f]+|-?\d+)\.\.\.(0[xX][0-9A-Fa-f]+|-?\d+)(?: \(\+(0[xX][0-9A-Fa-f]+|\d+)\))?$`)
)

// columns are the names of all columns of -F.
var columnNames = strings.Fields("attribute value description user_settable deflt type generic rep nls_index values width uniquetype op")

// Parse reads a listing and finds its form; parse.ErrNotRecognised for other
// texts.
func Parse(text []byte) (*Listing, error) {
	l := &Listing{}
	r := &reader{list: l, lines: parse.Lines(text, &l.Report)}
	r.cut = make([]cells, len(r.lines))
	for i, line := range r.lines {
		r.cut[i] = cutLine(line.Text)
	}
	detected := r.detect()
	if !detected && l.Messages == 0 {
		return nil, parse.ErrNotRecognised
	}
	switch l.Form.Kind {
	case Four:
		r.readTable()
	case Fields:
		r.readFields()
	case Names:
		r.readNames()
	case Allowed:
		r.readAllowed()
	case Single:
		r.readSingle()
	default:
		l.Unknown = append(l.Unknown, r.lines...)
	}
	return l, nil
}

// ParseAllowed reads lsattr -R, whose lines may look like anything.
func ParseAllowed(text []byte) (*Listing, error) {
	l := &Listing{Form: Form{Kind: Allowed}}
	(&reader{list: l, lines: parse.Lines(text, &l.Report)}).readAllowed()
	return l, nil
}

// reader holds a text while it is read.
type reader struct {
	list    *Listing
	lines   []parse.Line
	cut     []cells     // each line
	heading *parse.Line // not among the lines
}

// detect finds the heading and the form. It returns false if nothing looks
// like lsattr.
func (r *reader) detect() bool {
	for i := range r.lines {
		if r.isHeading(i) {
			heading := r.lines[i]
			r.heading = &heading
			r.lines, r.cut = append(r.lines[:i:i], r.lines[i+1:]...), append(r.cut[:i:i], r.cut[i+1:]...)
			return true
		}
	}
	whole := 0
	colon := 0
	one := 0
	two := 0
	names := false
	for i, line := range r.lines {
		words := strings.Fields(line.Text)
		c := &r.cut[i]
		switch {
		case namesForm.MatchString(line.Text):
			names = true
		case c.settable != "" && c.named && len(words) > 1:
			whole++
		case colonForm.MatchString(line.Text):
			colon++
		case len(words) == 1 || rangeForm.MatchString(strings.TrimSpace(line.Text)):
			one++
		case len(words) == 2 && c.named && valueLike(words[1]):
			two++
		}
	}
	form := &r.list.Form
	switch {
	case names:
		form.Kind = Names
	case whole > 0 || colon == 0 && r.aligned():
		form.Kind = Four
	case colon > 0:
		*form = F("attribute:value:description:user_settable")
	case one > 0 && one == len(r.lines):
		form.Kind = Allowed
	case two > 0 && two == len(r.lines):
		*form = F("attribute value")
	default:
		return false
	}
	return true
}

// isHeading reports whether line i is a line of column names, and takes its form.
// A blank line follows it; the one of four columns lost it in some copies.
func (r *reader) isHeading(i int) bool {
	if r.cut[i].settable != "" { // a row, as most
		return false
	}
	line := r.lines[i]
	f := table.ParseFields(strings.TrimRight(line.Text, " \t"))
	if !f.Heads(line.Text, columnNames) || strings.HasPrefix(strings.TrimSpace(line.Text), "#") {
		return false
	}
	blank := i+1 == len(r.lines) || r.lines[i+1].Number > line.Number+1
	names := strings.Join(f.Names, " ")
	switch {
	case f.Aligned() && (names == "attribute value description user_settable" || names == "attribute deflt description user_settable"):
		r.list.Form = EHl()
	case !blank:
		return false
	case names == "value":
		r.list.Form = DevAttr()
	default:
		r.list.Form = Form{Kind: Fields, Heading: true, Fields: f}
	}
	return true
}

// readFields reads the columns of -F.
func (r *reader) readFields() {
	l, f := r.list, r.list.Form.Fields
	give := slices.Index(f.Names, "value")
	heading := strings.Join(f.Names, " ")
	if r.heading != nil {
		heading = r.heading.Text
	}
	columns := table.Heading(table.Words(heading))
	for i := range columns {
		columns[i].Optional, columns[i].Wide = i > 0 && r.heading != nil, columns[i].Text == "description" || len(columns) == 1
	}
	for _, line := range r.lines {
		var values []string
		extra := 0
		if f.Aligned() {
			values = columns.Cells(table.Words(line.Text))
		} else {
			values, extra = f.Split(strings.TrimRight(line.Text, " \t"), give)
		}
		if values == nil {
			l.NotUnderstood(line)
			continue
		}
		a := Attribute{Line: line.Number}
		for k, n := range f.Names {
			table.Set(&a, &a.Other, n, values[k])
		}
		// A separator inside the value leaves more than one way to cut the line.
		if extra > 0 && a.Value != nil && slices.Contains(f.Names, "description") && !valueLike(*a.Value) {
			a.Value, a.Unsplit = nil, line.Text
			l.Warn(line.Number, fmt.Sprintf("%s: the value cannot be separated from its neighbours: %q", a.Name, line.Text))
		}
		l.Attributes = append(l.Attributes, a)
	}
}

// readNames reads -O: a line of names, a line of values.
func (r *reader) readNames() {
	l := r.list
	for i := 0; i < len(r.lines); i++ {
		line := r.lines[i]
		if !namesForm.MatchString(line.Text) || i+1 == len(r.lines) {
			l.NotUnderstood(line)
			continue
		}
		i++
		names, values := strings.Split(strings.TrimSpace(line.Text)[1:], ":"), strings.Split(r.lines[i].Text, ":")
		for k, n := range names {
			a := Attribute{Name: n, Line: r.lines[i].Number}
			if len(values) == len(names) {
				a.Value = &values[k]
			}
			l.Attributes = append(l.Attributes, a)
		}
		if len(values) != len(names) {
			l.Warn(r.lines[i].Number, fmt.Sprintf("%d names, %d values: a value holds the separator", len(names), len(values)))
		}
	}
}

// readSingle reads the one value of lsdev -attr NAME, which may be empty.
func (r *reader) readSingle() {
	l := r.list
	value, number := "", r.heading.Number+2
	for i, line := range r.lines {
		if i > 0 {
			l.NotUnderstood(line)
			continue
		}
		value, number = line.Text, line.Number
	}
	if l.Lines >= number {
		l.Attributes = []Attribute{{Value: &value, Line: number}}
	}
}

// readAllowed reads -R. A line without a letter or a digit is what people write for lines that they left out.
func (r *reader) readAllowed() {
	for _, line := range r.lines {
		if !strings.ContainsFunc(line.Text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
			r.list.NotUnderstood(line)
			continue
		}
		r.list.Allowed = append(r.list.Allowed, choice(strings.TrimSpace(line.Text)))
	}
}

// choice reads one line of -R. A range whose figures do not fit is a value.
func choice(line string) Choice {
	m := rangeForm.FindStringSubmatch(line)
	if m == nil {
		return Choice{Value: line}
	}
	var n [3]int64
	for i, text := range m[1:] {
		base := 10
		if strings.HasPrefix(strings.ToLower(text), "0x") {
			base, text = 16, text[2:]
		}
		var err error
		if n[i], err = strconv.ParseInt(cmp.Or(text, "0"), base, 64); err != nil {
			return Choice{Value: line}
		}
	}
	return Choice{Range: &Range{Low: n[0], High: n[1], Step: n[2]}}
}
