package lsattr

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/fields"
	"seaworthy/dialect/aix/printout"
	"seaworthy/dialect/layout"
)

// Parse reads a listing and finds its form. Without a heading -F cannot always
// be known from the text; ParseForm takes the form that was asked for.
func Parse(text []byte) (*Listing, error) { return parse(text, nil) }

// ParseForm reads the output of a command whose form is known. A heading that
// is there is read, one that is missing is not an error.
func ParseForm(text []byte, form Form) (*Listing, error) { return parse(text, &form) }

// reader holds a text while it is read.
type reader struct {
	list  *Listing
	src   *printout.Source
	lines []string // the source's, without escape sequences
	raw   []string
	paint []printout.Paint
	skip  []bool // lines of messages
	head  int    // index of the heading, -1

	rows  []cells // each line cut
	whole []bool  // ... and whether it has its settable column
	named []bool  // ... and a name
	print []byte  // scratch
	texts layout.Room[string]
}

func parse(text []byte, form *Form) (*Listing, error) {
	list := &Listing{}
	src, err := printout.Open("lsattr", text, &list.Report)
	if err != nil {
		return nil, err
	}
	list.layout = src.Layout()
	r := &reader{
		list: list, src: src, head: -1,
		lines: src.Lines, raw: src.Raw, paint: src.Paint, skip: src.Message,
	}
	n := len(r.lines)
	r.rows, r.whole, r.named = make([]cells, n), make([]bool, n), make([]bool, n)
	for i, l := range r.lines {
		r.rows[i], r.whole[i], r.named[i] = cut(l)
	}
	if !r.detect(form) && src.Messages == 0 {
		return nil, fmt.Errorf("lsattr: %w", dialect.ErrNotRecognised)
	}
	switch list.Form.Kind {
	case Effective, Defaults:
		r.readTable()
	case Fields:
		r.readFields()
	case Names:
		r.readNames()
	case Allowed, Single:
		r.readValues()
	default:
		for i := range r.lines {
			r.other(i)
		}
	}
	return list, nil
}

// other keeps a line that is no row.
func (r *reader) other(i int) {
	if i == r.head {
		r.src.KeepKnown(&r.list.layout, i)
		return
	}
	r.src.Keep(&r.list.layout, i)
}

var columnNames = map[string]bool{
	"attribute": true, "value": true, "description": true, "user_settable": true,
	"deflt": true, "type": true, "generic": true, "rep": true, "nls_index": true,
	"values": true, "width": true, "uniquetype": true, "op": true,
}

func known(name string) bool { return columnNames[name] }

var (
	namesLine  = dialect.Lazy(`^#[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)*\s*$`)
	colonRow   = dialect.Lazy(`^[A-Za-z_][\w.-]*:.*:(?:True\+?|False)\s*$`)
	colonCells = fields.Parse("attribute:value:description:user_settable")
)

// detect finds the heading and, where the caller did not say it, the form. It
// returns false if nothing looks like lsattr.
func (r *reader) detect(asked *Form) bool {
	list := r.list
	full, colon, single, pair, other := 0, 0, 0, 0, 0
	names := false
	for i, l := range r.lines {
		if r.skip[i] || strings.TrimSpace(l) == "" {
			continue
		}
		if r.head < 0 && r.heading(i) {
			continue
		}
		whole, ok := r.whole[i], r.named[i]
		words := wordsUpTo(l, 3)
		switch {
		case l[0] == '#' && namesLine.MatchString(l):
			names = true
		case whole && ok && words > 1:
			full++
		case strings.IndexByte(l, ':') > 0 && colonRow.MatchString(l):
			colon++
		case words == 1 || strings.Contains(l, "...") && rangeShape.MatchString(strings.TrimSpace(l)):
			single++
		case words == 2 && ok && valueLike(strings.Fields(l)[1]):
			pair++
		default:
			other++
		}
	}
	if asked != nil {
		heading := r.head >= 0
		if list.Form.Kind != "" && list.Form.Kind != asked.Kind {
			r.head, heading = -1, false // its heading says otherwise
		}
		list.Form = *asked
		list.Form.Heading = heading
		return asked.Kind == Fields || asked.Kind == Allowed || full+colon+single+pair > 0 || heading || r.aligned()
	}
	switch {
	case r.head >= 0:
	case names:
		list.Form = O()
	case full > 0:
		list.Form = El()
	case colon > 0:
		list.Form = Form{Kind: Fields, Fields: colonCells}
	case r.aligned():
		list.Form = El()
	case single > 0 && pair == 0 && other == 0:
		list.Form = R()
	case pair > 0 && single == 0 && other == 0:
		list.Form = F("attribute value")
	default:
		return false
	}
	return true
}

// wordsUpTo counts words, but no further than it must.
func wordsUpTo(l string, most int) int {
	n := 0
	for range strings.FieldsSeq(l) {
		if n++; n == most {
			break
		}
	}
	return n
}

// heading tells whether line i is a line of column names, and takes it.
func (r *reader) heading(i int) bool {
	if !known(firstName(r.lines[i])) {
		return false
	}
	spec := fields.Parse(r.lines[i])
	if !spec.Fits(known) || strings.HasPrefix(strings.TrimSpace(r.lines[i]), "#") {
		return false
	}
	next := i + 1
	for next < len(r.lines) && r.skip[next] {
		next++
	}
	blank := next >= len(r.lines) || strings.TrimSpace(r.lines[next]) == ""
	four := len(spec.Names) == 4 && spec.Aligned() && spec.Names[0] == "attribute" &&
		spec.Names[2] == "description" && spec.Names[3] == "user_settable"
	switch {
	case four && spec.Names[1] == "value":
		r.list.Form = EHl()
	case four && spec.Names[1] == "deflt":
		r.list.Form = Form{Kind: Defaults, Heading: true}
	case !blank:
		return false
	case len(spec.Names) == 1 && spec.Names[0] == "value":
		r.list.Form = DevAttr()
	default:
		for k, s := range spec.Seps {
			if spec.Aligned() && k < len(spec.Seps)-1 {
				s = " "
			}
			spec.Seps[k] = strings.TrimRight(s, "\r\t ")
			if spec.Seps[k] == "" && k < len(spec.Seps)-1 {
				spec.Seps[k] = " "
			}
		}
		r.list.Form = Form{Kind: Fields, Heading: true, Fields: spec}
	}
	r.head = i
	return true
}

// firstName is the first name of a list as fields.Parse cuts it.
func firstName(l string) string {
	part := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	from := 0
	for from < len(l) && !part(l[from]) {
		from++
	}
	to := from
	for to < len(l) && part(l[to]) {
		to++
	}
	return l[from:to]
}

// aligned tells whether the lines form a table that lost its last column.
func (r *reader) aligned() bool {
	var rows []*cells
	plain := true
	for i := range r.lines {
		if r.skip[i] || i == r.head || r.src.Blank(i) {
			continue
		}
		c, ok := &r.rows[i], r.named[i]
		if ok && c.at < len(c.text) && c.lead == 0 {
			rows = append(rows, c)
		}
		plain = plain && ok && c.plain()
	}
	_, ok := findColumns(rows)
	return ok || plain && len(rows) > 0
}
