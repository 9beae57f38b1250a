package entstat

import (
	"strconv"
	"strings"

	"seaworthy/dialect/layout"
)

// readOpen reads a line that continues what the line before began: a list of
// flags or VLAN IDs, the SEA's flags, interrupt sources, a device type that
// stands on a line of its own.
func (p *parser) readOpen(i int, l *line) bool {
	f := p.open
	if f == nil {
		return false
	}
	switch {
	case f.Kind == Value && sameLabel(f.Label, "Device Type"):
		p.open = nil
		if hasLabelColon(l.text) {
			return false
		}
		f.Text, f.cut = l.text, l.last
		above := p.current().placing.spots
		above[len(above)-1].part = partNone // the value stands here, not there
		p.begin()
		p.spot(spot{pre: l.pre, field: f, part: partText, was: l.text})
		p.finish(l, "")
		p.learn(f)
		return true
	case f.Kind == Value || f.Kind == Source:
		return p.readSource(l)
	case p.isVLANs(f):
		if !allDigits(l.text) || f.length() == 0 {
			return false
		}
		p.continueList(f)
		p.numbers(f, l.pre, l.text, l.last)
	case l.text[0] == '<' && l.text[len(l.text)-1] == '>':
		name := strings.Trim(l.text, "<> \t")
		from := strings.Index(l.text, name)
		p.continueList(f)
		p.item(f, l.pre+l.text[:from], name, l.text[from+len(name):])
	case isWords(l.text) && (l.indent > 0 || !strings.HasPrefix(p.below(i), "---") || areFlags(l.text)) && l.text != p.current().device.text():
		p.continueList(f)
		p.words(f, l.pre, l.text)
	default:
		return false
	}
	p.finish(l, "")
	return true
}

// continueList starts a line that shows more of a list.
func (p *parser) continueList(f *Field) {
	p.begin()
	lines := p.current().placing.lines
	last := &lines[len(lines)-1]
	last.list, last.first = f, f.length() == 0 && sameLabel(f.Label, "SEA Flags")
}

func (p *parser) item(f *Field, pre, word, pad string) {
	p.spot(spot{pre: pre, field: f, part: partItem, index: int32(len(f.Items)), was: word, pad: pad})
	f.Items = append(f.Items, word)
	f.placed = len(f.Items)
}

// words adds a line's words to a list.
func (p *parser) words(f *Field, pre, text string) {
	word := strings.TrimLeft(text, " \t")
	pre, text = pre+text[:len(text)-len(word)], word
	for text != "" {
		n := strings.IndexAny(text, " \t")
		if n < 0 {
			n = len(text)
		}
		p.item(f, pre, text[:n], "")
		rest := strings.TrimLeft(text[n:], " \t")
		pre, text = text[n:len(text)-len(rest)], rest
	}
}

// numbers adds a line's numbers to a list; each is right-aligned in the blanks
// before it.
func (p *parser) numbers(f *Field, pre, text string, last bool) {
	for text != "" {
		rest := strings.TrimLeft(text, " \t")
		blanks := text[:len(text)-len(rest)]
		n := strings.IndexAny(rest, " \t")
		if n < 0 {
			n = len(rest)
		}
		s := spot{pre: pre + blanks, field: f, part: partCell, index: int32(len(f.Cells)), was: rest[:n]}
		if len(blanks) > 1 && strings.Trim(blanks, " ") == "" {
			s.pre, s.pad, s.right = pre+blanks[:1], blanks[1:], true
		}
		var cell *uint64
		if value, ok := layout.Count(rest[:n]); ok && !(last && n == len(rest)) {
			cell = p.slab.number(value)
		}
		f.Cells = append(f.Cells, cell)
		f.placed = len(f.Cells)
		p.spot(s)
		pre, text = "", rest[n:]
	}
}

// readSource reads an interrupt source: its number and what it is for.
func (p *parser) readSource(l *line) bool {
	n := 0
	for n < len(l.text) && l.text[n] >= '0' && l.text[n] <= '9' {
		n++
	}
	use := strings.TrimLeft(l.text[n:], " \t")
	value, ok := layout.Count(l.text[:n])
	if !ok || use == "" || len(use) == len(l.text[n:]) || hasLabelColon(l.text) {
		return false
	}
	f := p.add(Source, "")
	f.Level = p.section.level(max(l.indent, 1))
	f.Number, f.Text = p.slab.number(value), use
	p.begin()
	p.spot(spot{pre: l.pre, field: f, part: partNumber, was: l.text[:n], pad: l.text[n : len(l.text)-len(use)]})
	p.spot(spot{field: f, part: partText, was: use})
	p.finish(l, "")
	p.open = f
	return true
}

// isWords tells flag names: words of letters, digits and underscores.
func isWords(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i] | 0x20
		if !(c >= 'a' && c <= 'z') && !(text[i] >= '0' && text[i] <= '9') && text[i] != '_' && !isBlank(text[i]) && text[i] != 0x7f {
			return false
		}
	}
	return true
}

func allDigits(text string) bool {
	for text != "" {
		n := strings.IndexAny(text, " \t")
		if n < 0 {
			n = len(text)
		}
		if _, ok := layout.Count(text[:n]); !ok {
			return false
		}
		text = strings.TrimLeft(text[n:], " \t")
		if text == "" {
			return true
		}
	}
	return false
}

// areFlags tells flags from a heading that is words too, where indentation got
// lost and a rule stands below.
func areFlags(text string) bool {
	for word := range strings.FieldsSeq(text) {
		switch word {
		case "Up", "Broadcast", "Running", "Simplex", "Limbo", "Promiscuous", "AllMulticast", "64BitSupport", "AlternateAddress", "PrivateSegment",
			"ChecksumOffload", "LargeSend", "DataRateSet", "PlatformTSO", "VIOENT", "SEA", "ETHERCHANNEL", "DMXPERF", "ROCE":
		default:
			if !strings.Contains(word, "_") {
				return false
			}
		}
	}
	return true
}

const (
	flagsPerLine = 3
	vlansPerLine = 8
)

// appendList prints a list at another length than the text had.
func appendList(b []byte, f *Field, eol string) []byte {
	switch {
	case hasSuffixFold(f.Section, "VLAN Ids"):
		b = append(b, "    "+f.Label+":"...)
		for _, c := range f.Cells {
			b = append(b, ' ')
			b = appendCell(b, c, 0)
		}
	case isFlags(f.Label) && (f.Text != "" || f.Number != nil):
		for _, item := range f.Items {
			b = append(append(b, "    < "+item+" >"...), eol...)
		}
		return b
	case isFlags(f.Label):
		b = append(b, f.Label+": "...)
		for i, item := range f.Items {
			if i > 0 && i%flagsPerLine == 0 {
				b = append(append(b, eol...), '\t')
			}
			b = append(append(b, item...), ' ')
		}
	case len(f.Cells) == 0:
		text := f.Text
		if text == "" {
			text = "None"
		}
		b = append(b, f.Label+":  "+text...)
	default:
		b = append(b, f.Label+":"...)
		for i, c := range f.Cells {
			if i > 0 && i%vlansPerLine == 0 {
				b = append(append(b, eol...), "             "...)
			}
			b = appendCell(append(b, ' '), c, 5)
		}
	}
	return append(b, eol...)
}

// appendCell prints a number right-aligned; one that is not there as a dash.
func appendCell(b []byte, n *uint64, width int) []byte {
	text := "-"
	if n != nil {
		text = strconv.FormatUint(*n, 10)
	}
	for i := len(text); i < width; i++ {
		b = append(b, ' ')
	}
	return append(b, text...)
}
