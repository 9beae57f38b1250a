package split

import (
	"bytes"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// outdented is a text without the blanks that all its lines begin with; nil if
// there are none.
func outdented(text []byte) []byte {
	var indent []byte
	for l := range bytes.Lines(text) {
		rest := bytes.TrimLeft(l, " \t")
		if len(bytes.TrimSpace(rest)) == 0 {
			continue
		}
		blanks := l[:len(l)-len(rest)]
		if indent == nil {
			indent = blanks
		}
		for !bytes.HasPrefix(blanks, indent) {
			indent = indent[:len(indent)-1]
		}
		if len(indent) == 0 {
			return nil
		}
	}
	var flat []byte
	for l := range bytes.Lines(text) {
		if len(indent) > 0 {
			flat = append(flat, bytes.TrimPrefix(l, indent)...)
		}
	}
	return flat
}

// value is how well a text is understood.
type value struct {
	lines int    // half lines: one of an output that is known only for what it is counts half of one that is read
	what  string // it is
	// taken counts the lines that are understood or of an output that is known for what it is.
	taken int
}

// over reports whether a text without the blanks before its lines is better
// understood than as it stands. With as many lines understood it is if it is
// something else: what begins an output stands at the margin.
func (flat value) over(v value) bool {
	return flat.lines > v.lines || flat.lines == v.lines && flat.what != v.what
}

// value is that of a text that is taken apart.
func (c *Cut) value(name string) value {
	if c.worth == nil || c.worthOf != name {
		v := c.weigh(name)
		c.worth, c.worthOf = &v, name
	}
	return *c.worth
}

// weigh looks at each piece.
func (c *Cut) weigh(name string) (v value) {
	if c.Form != Whole {
		v.what = string(c.Form)
	}
	for _, p := range c.Pieces {
		f, title := c.Found, p.Title
		if len(c.Pieces) == 1 {
			title = name
		}
		if c.Form != Whole { // looked at on the way
			f, _ = detect.Text(p.Text, detect.Hint{Command: p.Command, File: title})
		}
		switch {
		case f == nil:
		case f.Known:
			v.lines, v.what = v.lines+2*f.Understood(), v.what+" "+f.ID+" "+f.Element
			v.taken += f.Understood()
		default:
			v.lines, v.what = v.lines+f.Report.Lines, v.what+" "+f.ID
			v.taken += f.Report.Lines
		}
	}
	return v
}

// beforeLines are what programs put before each line of what another one printed: a time (ts, a terminal's log), a number
// (cat -n, an editor).
var beforeLines = []*parse.Pattern{
	parse.Lazy(`^[\[(]?(?:\d{4}-\d\d-\d\d[ T]|[A-Z][a-z]{2} [ \d]\d )?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?` +
		`(?:Z|[+-]\d\d:?\d\d)?[\])]?(?:: ?| |\t|$)`),
	parse.Lazy(`^[\[(]?[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?: [A-Z]{3,5})? 20\d\d[\])]?(?:: ?| |\t|$)`),
	parse.Lazy(`^ *\d{1,7}(?:\t|[:|)] ?| |$)`),
}

// withoutPrefix gives a text without what stands before each of its lines, for each kind of that.
func withoutPrefix(text []byte) (list [][]byte) {
	for _, prefix := range beforeLines {
		all, with := 0, 0
		var plain []byte
		for l := range bytes.Lines(text) {
			m := prefix.Regexp().FindIndex(bytes.TrimRight(l, "\r\n"))
			if len(bytes.TrimSpace(l)) > 0 {
				all++
			}
			if m != nil && len(bytes.TrimSpace(l)) > 0 {
				with++
				l = l[m[1]:]
			}
			plain = append(plain, l...)
		}
		if all > 1 && with*100 >= all*95 {
			list = append(list, plain)
			if flat := outdented(plain); flat != nil { // two blanks behind a number
				list = append(list, flat)
			}
		}
	}
	return list
}
