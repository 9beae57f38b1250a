package entstat

import (
	"fmt"
	"strings"

	"seaworthy/dialect/layout"
)

// readRow reads a line of a table without colons: a label and one number per
// column, or the names of the columns.
func (p *parser) readRow(l *line) bool {
	text, noted := l.text, false
	if n := strings.Index(text, "<--"); n > 0 { // a reader's remark in a saved text
		text, noted = trimRight(text[:n]), true
	}
	if hasPrefixFold(text, "Buffer Type") && len(text) > len("Buffer Type") {
		f := p.row(Columns, l, text[:len("Buffer Type")])
		p.words(f, l.at+len("Buffer Type"), text[len("Buffer Type"):])
		f.cut = l.last
		p.pools = len(f.Items)
		p.finish(l)
		return true
	}
	if label, from, ok := markedNumber(text); ok && p.section.major != "" && isLabel(text[:label]) {
		f := p.row(Row, l, text[:label])
		p.numbers(f, l.at+from, text[from:], l.last && !noted)
		p.finish(l)
		return true
	}
	end := len(text) // of the label
	cells := 0
	for {
		start := end
		for start > 0 && !isBlank(text[start-1]) {
			start--
		}
		if start == 0 || !isCell(text[start:end]) {
			break
		}
		cells++
		for start > 0 && isBlank(text[start-1]) {
			start--
		}
		end = start
	}
	if cells == 0 || end == 0 || !isLabel(text[:end]) || !p.inTable(text, end) {
		return false
	}
	f := p.row(Row, l, text[:end])
	p.numbers(f, l.at+end, text[end:], l.last && !noted)
	if p.pools > 1 && len(f.Cells) != p.pools && new(Pool).place(f.Label) != nil {
		f.cut = true
		p.report.Warn(l.number, fmt.Sprintf("%s: %d values in a table of %d columns: which are missing is not known", f.Label, len(f.Cells), p.pools))
	}
	p.finish(l)
	return true
}

func (p *parser) row(kind Kind, l *line, label string) *Field {
	p.section.at(l.indent, false)
	f := p.add(kind, label)
	f.Level = p.section.level(l.indent)
	p.begin(l)
	p.spot(f, partLabel, l.at, len(label))
	return f
}

// inTable tells rows from prose that ends in a number.
func (p *parser) inTable(text string, end int) bool {
	return p.section.major != "" && (len(p.section.minor) > 0 || end+1 < len(text) && isBlank(text[end+1]) || strings.IndexByte(text[end:], '\t') >= 0)
}

func isCell(word string) bool { return digits(word) || word == "-" || word == "N/A" }

// readHeading reads headings without a colon.
func (p *parser) readHeading(i int, l *line) bool {
	ruled := strings.HasPrefix(p.below(i), "---")
	if n := infoDepth[strings.ToLower(l.text)]; n > 0 && !ruled {
		p.heading(l, l.text, minor{indent: l.indent, info: n})
		return true
	}
	if label, from, ok := threadLine(l.text); ok {
		n, _ := layout.Count(l.text[from:])
		f := p.heading(l, l.text[:label], minor{name: l.text[:label] + " #" + l.text[from:], indent: l.indent, flat: p.isFlat(i, l)})
		f.Number = p.slab.number(n)
		p.spot(f, partNumber, l.at+from, len(l.text)-from)
		return true
	}
	if hasPrefixFold(l.text, "Statistics for ") {
		p.ownSection(l)
		return true
	}
	switch {
	case !isLabel(l.text):
		return false
	case ruled || l.text == p.current().device.text() && p.section.major == "General Statistics":
		p.heading(l, l.text, minor{indent: -1})
	case isBanner(l.text): // centred or set in, and not below the line before
		p.heading(l, l.text, minor{indent: 0, flat: p.isFlat(i, l)})
	default:
		next, more := p.next(i)
		if !more || next.indent <= l.indent || p.section.major == "" || strings.ContainsAny(l.text, ".,;!?") {
			return false
		}
		p.heading(l, l.text, minor{indent: l.indent})
	}
	return true
}

// threadLine reads "Thread .............. #3": where the label ends and where
// the number starts.
func threadLine(text string) (label, from int, ok bool) {
	from = strings.LastIndexByte(text, '#') + 1
	if from < 2 || strings.IndexByte(text, ':') >= 0 {
		return 0, 0, false
	}
	if _, ok := layout.Count(text[from:]); !ok {
		return 0, 0, false
	}
	label = len(strings.TrimRight(text[:from-1], " \t."))
	return label, from, label > 0 && strings.HasSuffix(trimRight(text[:from-1]), "...")
}

// markedNumber reads "SEA Default Queue #8" below a thread of an SEA: where the
// label ends and where the number starts.
func markedNumber(text string) (label, from int, ok bool) {
	from = strings.LastIndexByte(text, '#') + 1
	if from < 2 || !digits(text[from:]) || strings.IndexByte(text, ':') >= 0 || strings.Contains(text, "...") {
		return 0, 0, false
	}
	return len(trimRight(text[:from-1])), from, true
}

// ownSection reads the heading under which an SEA or an EtherChannel prints its
// own part. The SEA's names the device.
func (p *parser) ownSection(l *line) {
	s := p.current()
	text := strings.TrimRight(l.text, ": \t")
	s.bridge = s.bridge || strings.Contains(strings.ToLower(text), "shared ethernet adapter")
	s.channel = s.channel || hasPrefixFold(text, "Statistics for every adapter in the")
	n := strings.LastIndexByte(text, ' ') + 1
	named := !s.channel && isDevice(text[n:]) && text[n:] != "Adapter" && !l.last
	label := text
	if named {
		label = trimRight(text[:n])
	}
	f := p.heading(l, label, minor{indent: -1})
	if named {
		f.Text = text[n:]
		name := &p.sheet.spots[len(p.sheet.spots)-1] // in the label's place
		name.part, name.from, name.to, name.pad = partText, int32(l.at+n), int32(l.at+len(text)), 0
	}
}

// heading adds a heading and opens its section; one with indent -1 is major.
// Its place holds the label; the colon is literal.
func (p *parser) heading(l *line, label string, m minor) *Field {
	label = strings.TrimRight(label, ": \t")
	if m.name == "" {
		m.name = label
	}
	p.columns = false
	if m.indent < 0 {
		p.section.setMajor(m.name)
	} else {
		p.section.open(m)
	}
	f := p.add(Heading, label)
	f.Level = p.section.level(max(m.indent, 0))
	p.begin(l)
	p.spot(f, partLabel, l.at, len(label))
	p.finish(l)
	return f
}

func (p *parser) isFlat(i int, l *line) bool {
	next, more := p.next(i)
	return more && next.indent == l.indent
}

// isBanner tells centred capitals such as PRIMARY ADAPTERS.
func isBanner(text string) bool {
	words := 1
	for i := 0; i < len(text); i++ {
		if isBlank(text[i]) {
			words++
		} else if text[i] < 'A' || text[i] > 'Z' {
			return false
		}
	}
	return words > 1
}

// readColonHeading reads labels that open a section: those with a rule or more
// indented lines below, and those whose number names a queue.
func (p *parser) readColonHeading(i int, l *line, q *pair) bool {
	if q.value != "" {
		if !numberedHeading(q.label) || l.last {
			return false
		}
		n, ok := layout.Count(q.value)
		if !ok {
			return false
		}
		f := p.heading(l, q.label, minor{name: q.label + " " + q.value, indent: l.indent, flat: p.isFlat(i, l)})
		f.Number = p.slab.number(n)
		at := l.at + len(q.label) + len(q.sep) + len(q.blanks)
		p.spot(f, partNumber, at, len(q.value)).pad = int32(len(l.plain) - at - len(q.value))
		return true
	}
	if hasPrefixFold(q.label, "Statistics for ") {
		p.ownSection(l)
		return true
	}
	ruled := strings.HasPrefix(p.below(i), "---")
	switch {
	case sameLabel(q.label, "Device Type"), isSources(q.label):
		return false
	case majorLabel(q.label) || ruled && p.section.major != "":
		p.heading(l, q.label, minor{indent: -1})
	case minorLabel(q.label):
		p.heading(l, q.label, minor{indent: l.indent, flat: p.isFlat(i, l)})
	default:
		next, more := p.next(i)
		if !more || next.indent <= l.indent || p.section.major == "" {
			return false
		}
		p.heading(l, q.label, minor{indent: l.indent})
	}
	return true
}
