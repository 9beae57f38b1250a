package split

import (
	"bytes"

	"seaworthy/collect/importer/detect"
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
	if len(indent) == 0 {
		return nil
	}
	flat := make([]byte, 0, len(text))
	for l := range bytes.Lines(text) {
		flat = append(flat, bytes.TrimPrefix(l, indent)...)
	}
	return flat
}

// value is how well a text is understood.
type value struct {
	lines int    // half lines: one of an output that is known only for what it is counts half of one that is read
	what  string // it is
}

// over reports whether a text without the blanks before its lines is better
// understood than as it stands. With as many lines understood it is if it is
// something else: what begins an output stands at the margin.
func (flat value) over(v value) bool {
	return flat.lines > v.lines || flat.lines == v.lines && flat.what != v.what
}

// value is that of a text that is taken apart.
func (c *Cut) value(name string) (v value) {
	v.what = string(c.Form)
	if c.Form == Whole { // looked at on the way
		return found(c.Found)
	}
	for _, p := range c.Pieces {
		title := p.Title
		if len(c.Pieces) == 1 {
			title = name
		}
		one := p.value(p.Text, title)
		v.lines += one.lines
		v.what += one.what
	}
	return v
}

// value is that of a text in a piece's place.
func (p *Piece) value(text []byte, name string) value {
	f, _ := detect.Text(text, detect.Hint{Command: p.Command, File: name})
	return found(f)
}

// found is the value of an output; nil: it is none.
func found(f *detect.Found) value {
	switch {
	case f == nil:
		return value{}
	case f.Known:
		return value{2 * f.Understood(), " " + f.ID + " " + f.Element}
	}
	return value{f.Report.Lines, " " + f.ID}
}
