package entstat

import "strconv"

// placing is where a parsed text had its values: literal text and, between it,
// references to the values. Printing it gives the values of now at the places
// of then.
type placing struct {
	lines  []placed
	spots  []spot
	fields []*Field // those that have a place, in order
	inner  map[int]inner
}

// inner is a line with escapes inside its text: it is printed raw as long as
// its values make it plain.
type inner struct{ raw, plain string }

// placed is one line: its spots and the text after the last of them. A line
// without spots is literal: blank, a rule, or one that was not understood.
type placed struct {
	from, to int32
	tail     string
	list     *Field // the list this line shows a part of
	first    bool   // this line opens that list
	foreign  bool   // the tail is a line that was not understood, or a message
}

type part uint8

const (
	partLabel  part = iota
	partValue       // Number, else Text
	partNumber      // Number alone, of a field that has a Text too
	partText
	partItem
	partCell
	partName // a *string: the device's name in a heading
	partNone // nothing: the value stands elsewhere
)

// spot is one value on a line.
type spot struct {
	pre   string // literal before it
	field *Field
	name  *string
	was   string // what was printed
	pad   string // the blanks that make its column
	index int32
	part  part
	right bool // the pad stands before the value
}

// text is what the value prints as now.
func (p *spot) text() string {
	switch p.part {
	case partName:
		return *p.name
	case partLabel:
		return p.field.Label
	case partText:
		return p.field.Text
	case partValue, partNumber:
		if p.field.Number != nil {
			return number(*p.field.Number, p.was)
		}
		if p.part == partValue && (p.field.Text != "" || !p.field.cut) {
			return p.field.Text
		}
		return p.was
	case partItem:
		if int(p.index) < len(p.field.Items) {
			return p.field.Items[p.index]
		}
	case partCell:
		if int(p.index) < len(p.field.Cells) && p.field.Cells[p.index] != nil {
			return number(*p.field.Cells[p.index], p.was)
		}
		return p.was
	}
	return ""
}

func number(n uint64, was string) string {
	if len(was) == 1 && n < 10 && was[0] == byte('0'+n) {
		return was
	}
	return strconv.FormatUint(n, 10)
}

func (p *spot) append(b []byte) []byte {
	b = append(b, p.pre...)
	text := p.text()
	if p.right {
		return append(appendPad(b, p.pad, len(text)-len(p.was)), text...)
	}
	return appendPad(append(b, text...), p.pad, len(text)-len(p.was))
}

// appendPad writes a pad for a value that grew by some bytes: the pad gives way
// down to one blank. What is not blanks alone (a TAB, a closing mark) stays.
func appendPad(b []byte, pad string, grown int) []byte {
	if grown == 0 || len(pad) < 2 {
		return append(b, pad...)
	}
	for i := 0; i < len(pad); i++ {
		if pad[i] != ' ' {
			return append(b, pad...)
		}
	}
	for n := max(1, len(pad)-grown); n > 0; n-- {
		b = append(b, ' ')
	}
	return b
}

// stale says that fields were added, removed or moved since the text was read,
// so that its places no longer say enough.
func (s *Statistics) stale() bool {
	if s.placing == nil || len(s.Fields) == 0 && len(s.placing.lines) == 0 || len(s.placing.fields) != len(s.Fields) {
		return true
	}
	for i, f := range s.Fields {
		if f != s.placing.fields[i] || f.placed == 0 && f.length() > 0 {
			return true
		}
	}
	return false
}

func (f *Field) length() int { return max(len(f.Items), len(f.Cells)) }

// print writes the lines with the values of now.
func (p *placing) print(b []byte, eol string) []byte {
	for i := range p.lines {
		l := &p.lines[i]
		if l.list != nil && l.list.length() != l.list.placed {
			if l.first { // the list has another length: wrap it anew
				b = appendList(b, l.list, eol)
			}
			continue
		}
		start := len(b)
		for j := l.from; j < l.to; j++ {
			b = p.spots[j].append(b)
		}
		b = append(b, l.tail...)
		if in, ok := p.inner[i]; ok && string(b[start:]) == in.plain {
			b = append(b[:start], in.raw...)
		}
		b = append(b, eol...)
	}
	return b
}
