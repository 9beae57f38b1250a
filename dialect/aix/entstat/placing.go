package entstat

import (
	"strconv"
	"strings"
)

// sheet is where a parsed text had its values: the lines as read and, on them,
// the places of the values. Printing it gives the values of now at the places
// of then. The adapters of a text share one; each has its lines in a row.
type sheet struct {
	lines []placed
	spots []spot
	raw   map[int]string // by line: as read, if it had escapes inside its text
}

// mostLines are those that a sheet has room for at once: a text cannot ask for
// more than it holds.
const mostLines = 4096

// newSheet has room for a text of this many lines: most have two values, a label
// and what stands behind it, some four.
func newSheet(lines int) *sheet {
	n := min(lines, mostLines)
	return &sheet{lines: make([]placed, 0, n), spots: make([]spot, 0, n*5/2)}
}

// placing is one adapter's part of a sheet.
type placing struct {
	sheet    *sheet
	from, to int      // its lines
	fields   []*Field // those that have a place, in order
}

// placed is one line. One without spots is literal: blank, a rule, or one that
// was not understood.
type placed struct {
	plain    string // the line without escapes inside its text
	from, to int32  // its spots
	list     int32  // the list this line shows a part of, or noField
	first    bool   // this line opens that list
	foreign  bool   // it was not understood, or is a message
}

// noField stands where no field does.
const noField = -1

// shows says that the line shows a part of a list.
func (l *placed) shows(list *Field, first bool) { l.list, l.first = list.place, first }

type part uint8

const (
	partLabel  part = iota
	partValue       // Number, else Text
	partNumber      // Number alone, of a field that has a Text too
	partText
	partItem
	partCell
	partName // of the adapter, in its heading
	partRole // the adapter's name as a member
	partNone // nothing: the value stands elsewhere
)

// spot is one value on a line, by offsets: a text has thousands, and what holds
// no pointer costs the garbage collector nothing.
type spot struct {
	field    int32 // among the placing's
	index    int32 // among the field's Items or Cells
	from, to int32 // what was printed
	pad      int32 // how many blanks make its column
	part     part
	right    bool // the pad stands before the value
}

// alignRight takes the blanks before a value, all but the first, as its column.
func (p *spot) alignRight(blanks string) {
	if len(blanks) > 1 && strings.Trim(blanks, " ") == "" {
		p.pad, p.right = int32(len(blanks)-1), true
	}
}

// start and end are the place of the value with its pad.
func (p *spot) start() int32 {
	if p.right {
		return p.from - p.pad
	}
	return p.from
}

func (p *spot) end() int32 {
	if p.right {
		return p.to
	}
	return p.to + p.pad
}

// text is what the value prints as now; it was printed as was.
func (s *Statistics) text(p *spot, was string) string {
	switch p.part {
	case partName:
		return s.Name
	case partRole:
		return s.RoleName
	case partNone:
		return ""
	}
	f := s.placing.fields[p.field]
	switch p.part {
	case partLabel:
		return f.Label
	case partText:
		return f.Text
	case partValue, partNumber:
		if f.Number != nil {
			return number(*f.Number, was)
		}
		if p.part == partValue && (f.Text != "" || !f.cut) {
			return f.Text
		}
		return was
	case partItem:
		if int(p.index) < len(f.Items) {
			return f.Items[p.index]
		}
	case partCell:
		if int(p.index) < len(f.Cells) && f.Cells[p.index] != nil {
			return number(*f.Cells[p.index], was)
		}
		return was
	}
	return ""
}

func number(n uint64, was string) string {
	if len(was) == 1 && n < 10 && was[0] == byte('0'+n) {
		return was
	}
	return strconv.FormatUint(n, 10)
}

// appendSpot prints a value of a line with its pad.
func (s *Statistics) appendSpot(b []byte, p *spot, line string) []byte {
	was := line[p.from:p.to]
	text := s.text(p, was)
	if p.right {
		return append(appendPad(b, line[p.start():p.from], len(text)-len(was)), text...)
	}
	return appendPad(append(b, text...), line[p.to:p.end()], len(text)-len(was))
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
	g := s.placing
	if g == nil || len(s.Fields) == 0 && g.from == g.to || len(g.fields) != len(s.Fields) {
		return true
	}
	for i, f := range s.Fields {
		if f != g.fields[i] || f.placed == 0 && f.length() > 0 {
			return true
		}
	}
	return false
}

func (f *Field) length() int { return max(len(f.Items), len(f.Cells)) }

// print writes the lines with the values of now.
func (s *Statistics) print(b []byte, eol string) []byte {
	g := s.placing
	for i := g.from; i < g.to; i++ {
		l := &g.sheet.lines[i]
		if l.list != noField {
			if list := g.fields[l.list]; list.length() != int(list.placed) {
				if l.first { // the list has another length: wrap it anew
					b = appendList(b, list, eol)
				}
				continue
			}
		}
		start, done := len(b), int32(0)
		for j := l.from; j < l.to; j++ {
			p := &g.sheet.spots[j]
			b = append(b, l.plain[done:p.start()]...)
			b = s.appendSpot(b, p, l.plain)
			done = p.end()
		}
		b = append(b, l.plain[done:]...)
		if raw, ok := g.sheet.raw[i]; ok && string(b[start:]) == l.plain {
			b = append(b[:start], raw...)
		}
		b = append(b, eol...)
	}
	return b
}
