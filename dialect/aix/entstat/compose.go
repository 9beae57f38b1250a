package entstat

import (
	"strconv"
	"strings"
)

// Widths of the l-lan driver's tables and of the two columns.
const (
	columnWidth = 46
	rowLabel    = 24
	rowCell     = 9
)

// composer prints fields that have no places, as AIX 7.2 and VIOS 3.1 do.
type composer struct {
	b      []byte
	eol    string
	kept   map[*Field][]string // lines not understood, by the field before them
	style  style
	line   []*Field // fields of the line that is not closed yet
	inHead bool
}

// style is how the lines of a major section are indented.
type style int

const (
	plain  style = iota // tabs, "label: value"
	llan                // two blanks a level, tables
	shared              // four blanks a level
	tabbed              // "label:<TAB>value"
)

func (s *Statistics) compose(b []byte, eol string, as standing) []byte {
	c := &composer{b: b, eol: eol, kept: s.keptLines(), inHead: true}
	c.keep(nil)
	s.composeName(c, as)
	for i, f := range s.Fields {
		switch {
		case f.Kind == Heading:
			c.close()
			c.heading(f)
		case f.Section == "":
			c.head(f, s.Fields[:i])
		case joins(f, c.line):
			c.join(f)
		default:
			c.close()
			c.field(f, s.Fields[:i])
		}
		c.line = append(c.line, f)
	}
	c.close()
	return c.b
}

// keptLines are the lines of the text that were not understood, by the field
// they followed.
func (s *Statistics) keptLines() map[*Field][]string {
	if s.placing == nil {
		return nil
	}
	kept := map[*Field][]string{}
	var last *Field
	g := s.placing
	for _, l := range g.sheet.lines[g.from:g.to] {
		if l.foreign {
			kept[last] = append(kept[last], l.plain)
		}
		for _, p := range g.sheet.spots[l.from:l.to] {
			if p.field != noField {
				last = g.fields[p.field]
			}
		}
	}
	return kept
}

func (c *composer) text(parts ...string) {
	for _, t := range parts {
		c.b = append(c.b, t...)
	}
}

// lines writes whole lines.
func (c *composer) lines(texts ...string) {
	for _, t := range texts {
		c.text(t, c.eol)
	}
}

// close ends the open line and writes the kept lines that followed its fields.
func (c *composer) close() {
	if len(c.line) == 0 {
		return
	}
	if f := c.line[0]; f.Kind != Heading && !endsItself(f) {
		c.text(c.eol)
	}
	for _, f := range c.line {
		c.keep(f)
	}
	c.line = c.line[:0]
}

func (c *composer) keep(f *Field) { c.lines(c.kept[f]...) }

// endsItself tells fields whose lists were written with their line ends.
func endsItself(f *Field) bool { return f.Kind == List }

func rule(mark string, n int) string { return strings.Repeat(mark, n) }

// composeName writes the lines above an adapter's statistics.
func (s *Statistics) composeName(c *composer, as standing) {
	switch {
	case s.Role == BackupAdapter || s.Role != "" && s.Role != RealAdapter && s.Role != VirtualAdapter && s.Role != ControlChannel:
		c.lines("", string(s.Role)+" - "+s.RoleName+":", rule("=", 61))
	case s.Role != "":
		if as == laterMember {
			c.lines("")
		}
		c.lines(rule("-", 62), string(s.Role)+": "+s.RoleName, "")
	case as == alone && s.Name != "":
		c.lines(rule("-", 61))
	case s.Name != "":
		c.lines("", rule("-", 61), "")
	}
	if s.Name != "" {
		c.lines("ETHERNET STATISTICS (" + s.Name + ") :")
	}
}

// head writes the part above General Statistics: the device, then two columns.
func (c *composer) head(f *Field, before []*Field) {
	counter := f.Side != OneColumn || f.Number != nil || len(before) > 0 && !c.inHead
	if counter && c.inHead {
		c.close()
		c.inHead = false
		c.lines("", twoColumns("Transmit Statistics:", "Receive Statistics:"), twoColumns(rule("-", 20), rule("-", 19)))
	}
	if f.Side == Receive && len(c.line) == 1 && c.line[0].Side == Transmit {
		c.b = append(c.b, spaces(columnWidth-len(c.line[0].pair()))...)
		c.text(f.pair())
		return
	}
	c.close()
	if !c.inHead && len(before) > 0 && before[len(before)-1].Number != nil && sameLabel(before[len(before)-1].Label, "Current S/W+H/W Transmit Queue Length") {
		c.lines("")
	}
	switch {
	case f.Kind == List:
		c.b = appendList(c.b, f, c.eol)
	case f.Side == Receive:
		c.text(twoColumns("", f.pair()))
	case sameLabel(f.Label, "Max Packets on S/W Transmit Queue"):
		c.text(f.pair(), spaces(10-len(f.value())))
	default:
		c.text(f.pair())
	}
}

func twoColumns(left, right string) string { return left + spaces(columnWidth-len(left)) + right }

func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }

// value is what a field prints after its label.
func (f *Field) value() string {
	if f.Number != nil {
		return strconv.FormatUint(*f.Number, 10)
	}
	return f.Text
}

func (f *Field) pair() string { return f.Label + ": " + f.value() }
