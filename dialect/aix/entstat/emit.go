package entstat

import (
	"strings"

	"seaworthy/dialect/layout"
)

// slab hands out fields and numbers from larger pieces: a text has thousands.
type slab struct {
	fields  layout.Room[Field]
	numbers layout.Room[uint64]
}

func (s *slab) number(n uint64) *uint64 {
	p := &s.numbers.Take(1)[0]
	*p = n
	return p
}

// add makes a field of the current section and gives it its place.
func (p *parser) add(kind Kind, label string) *Field {
	f := &p.slab.fields.Take(1)[0]
	f.Kind, f.Label, f.Section = kind, label, p.section.name()
	s := p.current()
	f.place = int32(len(s.placing.fields))
	s.placing.fields = append(s.placing.fields, f)
	s.Fields = append(s.Fields, f)
	return f
}

// begin starts the place of a line; the spots added until finish are its values.
func (p *parser) begin(l *line) *placed {
	n := int32(len(p.sheet.spots))
	p.sheet.lines = append(p.sheet.lines, placed{plain: l.plain, from: n, to: n, list: noField})
	p.current().placing.to = len(p.sheet.lines)
	return p.line()
}

// line is the place of the current line.
func (p *parser) line() *placed { return &p.sheet.lines[len(p.sheet.lines)-1] }

// spot is the place of a value on the current line: where it starts, and its
// length. Only the names of adapters belong to no field.
func (p *parser) spot(f *Field, what part, at, length int) *spot {
	field := int32(noField)
	if f != nil {
		field = f.place
	}
	p.sheet.spots = append(p.sheet.spots, spot{field: field, part: what, from: int32(at), to: int32(at + length)})
	p.line().to++
	return &p.sheet.spots[len(p.sheet.spots)-1]
}

// finish closes a line. A pad of the last value takes the blanks at the end, so
// that they stay a column.
func (p *parser) finish(l *line) {
	last := p.line()
	if last.to == last.from {
		return
	}
	v := &p.sheet.spots[last.to-1]
	if tail := l.tail(); v.pad == 0 && int(v.to) == l.end() && strings.Trim(tail, " ") == "" {
		v.pad = int32(len(tail))
	}
}

// literal keeps a line as it is: blank, or a rule.
func (p *parser) literal(l *line) *placed {
	last := p.begin(l)
	last.plain = l.raw
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
	if p.foreign != nil || p.line().plain == l.raw {
		return
	}
	if p.sheet.raw == nil {
		p.sheet.raw = map[int]string{}
	}
	p.sheet.raw[len(p.sheet.lines)-1] = l.raw
}

// value fills a field from its printed text and gives it its place; after is
// the place behind the colon.
func (p *parser) value(f *Field, q *pair, after int, l *line, cut bool) {
	s := p.spot(f, partValue, after+len(q.blanks), len(q.value))
	if s.pad = int32(len(q.pad)); s.pad == 0 {
		s.alignRight(q.blanks)
	}
	f.cut = cut
	n, ok := layout.Count(q.value)
	switch {
	case !ok:
		f.Text = q.value
		if len(q.value) > 19 && digits(q.value) {
			p.report.Warn(l.number, "number too large to read: "+f.Label+": "+q.value)
		}
	case !cut:
		f.Number = p.slab.number(n)
	}
}
