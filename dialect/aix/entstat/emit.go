package entstat

import (
	"slices"
	"strings"

	"seaworthy/dialect/layout"
)

// slab hands out fields and numbers from larger pieces: a text has thousands.
type slab struct {
	fields  []Field
	numbers []uint64
}

func (s *slab) field() *Field {
	if len(s.fields) == 0 {
		s.fields = make([]Field, 32)
	}
	f := &s.fields[0]
	s.fields = s.fields[1:]
	return f
}

func (s *slab) number(n uint64) *uint64 {
	if len(s.numbers) == 0 {
		s.numbers = make([]uint64, 64)
	}
	p := &s.numbers[0]
	*p = n
	s.numbers = s.numbers[1:]
	return p
}

// add makes a field of the current section and gives it its place.
func (p *parser) add(kind Kind, label string) *Field {
	f := p.slab.field()
	f.Kind, f.Label, f.Section = kind, label, p.section.name()
	s := p.current()
	s.Fields = append(s.Fields, f)
	s.placing.fields = append(s.placing.fields, f)
	return f
}

// mostLines are those of the longest statistics of one adapter, and some.
const mostLines = 512

// reserve makes room for the adapter whose heading is this line: for what the
// lines up to the next heading will hold. Each of them counts once, so that a
// text cannot ask for more than its own size warrants.
func (p *parser) reserve(l *line) {
	if l.number < p.reserved {
		return
	}
	n := 1
	for _, next := range p.lines[l.number:] {
		if n == mostLines || strings.HasPrefix(next, "ETHERNET STATISTICS") {
			break
		}
		n++
	}
	p.reserved = l.number + n
	s := p.current()
	s.Fields = slices.Grow(s.Fields, n)
	g := s.placing
	g.fields, g.lines, g.spots = slices.Grow(g.fields, n), slices.Grow(g.lines, n+2), slices.Grow(g.spots, n*9/4)
	if len(p.slab.fields) < n {
		p.slab.fields = make([]Field, n)
	}
}

// begin starts a line; the spots added until finish are its values.
func (p *parser) begin() {
	g := p.current().placing
	n := int32(len(g.spots))
	g.lines = append(g.lines, placed{from: n, to: n})
}

func (p *parser) spot(s spot) {
	g := p.current().placing
	g.spots = append(g.spots, s)
	g.lines[len(g.lines)-1].to++
}

// finish closes a line with what is left of it. A pad of the last value takes the
// blanks at the end, so that they stay a column.
func (p *parser) finish(l *line, rest string) *placed {
	g := p.current().placing
	last := &g.lines[len(g.lines)-1]
	tail := l.tail
	if rest == "" && last.to > last.from {
		if v := &g.spots[last.to-1]; v.pad == "" && !v.right && strings.Trim(tail, " ") == "" {
			v.pad, tail = tail, ""
		}
	}
	last.tail = rest + tail
	return last
}

// literal keeps a line as it is: blank, or a rule.
func (p *parser) literal(l *line) *placed {
	p.begin()
	g := p.current().placing
	last := &g.lines[len(g.lines)-1]
	last.tail = l.raw
	return last
}

// unread keeps a line that was not understood.
func (p *parser) unread(l *line) {
	p.literal(l).foreign = true
	p.report.Unread(l.number, l.raw)
}

// message keeps an error message amid the data. It says something about the
// command, not about the adapter.
func (p *parser) message(l *line) {
	p.literal(l).foreign = true
	p.report.Warn(l.number, "error message: "+l.text)
}

// keepEscapes keeps a line that has escapes inside its text: it is printed as
// it was as long as its values are.
func (p *parser) keepEscapes(l *line) {
	if !l.inner || p.foreign != nil {
		return
	}
	g := p.current().placing
	last := &g.lines[len(g.lines)-1]
	var b []byte
	for i := last.from; i < last.to; i++ {
		b = g.spots[i].append(b)
	}
	if b = append(b, last.tail...); string(b) != l.raw {
		if g.inner == nil {
			g.inner = map[int]inner{}
		}
		g.inner[len(g.lines)-1] = inner{l.raw, string(b)}
	}
}

// value fills a field from its printed text and gives it its place: pre is
// what stands before, blanks the gap between it and the text.
func (p *parser) value(f *Field, pre, blanks, text, pad string, l *line, cut bool) {
	s := spot{pre: pre, field: f, part: partValue, was: text, pad: pad}
	if len(blanks) > 1 && pad == "" && strings.Trim(blanks, " ") == "" { // right-aligned
		s.pre, s.pad, s.right = pre+blanks[:1], blanks[1:], true
	} else {
		s.pre += blanks
	}
	f.cut = cut
	n, ok := layout.Count(text)
	switch {
	case !ok:
		f.Text = text
		if len(text) > 19 && digits(text) {
			p.report.Warn(l.number, "number too large to read: "+f.Label+": "+text)
		}
	case !cut:
		f.Number = p.slab.number(n)
	}
	p.spot(s)
}
