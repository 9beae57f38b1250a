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
		p.sheet.spots[len(p.sheet.spots)-1].part = partNone // the value stands here, not there
		p.begin(l)
		p.spot(f, partText, l.at, len(l.text))
		p.finish(l)
		p.learn(f)
		return true
	case f.Kind == Value || f.Kind == Source:
		return p.readSource(l)
	case p.isVLANs(f):
		if !allDigits(l.text) || f.length() == 0 {
			return false
		}
		p.continueList(f, l)
		p.numbers(f, l.at, l.text, l.last)
	case l.text[0] == '<' && l.text[len(l.text)-1] == '>':
		name := strings.Trim(l.text, "<> \t")
		from := strings.Index(l.text, name)
		p.continueList(f, l)
		p.item(f, l.at+from, name).pad = int32(len(l.text) - from - len(name))
	case isWords(l.text) && (l.indent > 0 || !strings.HasPrefix(p.below(i), "---") || areFlags(l.text)) && l.text != p.current().device.text():
		p.continueList(f, l)
		p.words(f, l.at, l.text)
	default:
		return false
	}
	p.finish(l)
	return true
}

// continueList starts a line that shows more of a list.
func (p *parser) continueList(f *Field, l *line) {
	p.begin(l).shows(f, f.length() == 0 && sameLabel(f.Label, "SEA Flags"))
}

func (p *parser) item(f *Field, at int, word string) *spot {
	s := p.spot(f, partItem, at, len(word))
	s.index = int32(len(f.Items))
	f.Items = append(f.Items, word)
	f.placed = int32(len(f.Items))
	return s
}

// words adds a line's words to a list.
func (p *parser) words(f *Field, at int, text string) {
	for end := at + len(text); ; {
		text = trimLeft(text)
		if text == "" {
			return
		}
		n := wordLen(text)
		p.item(f, end-len(text), text[:n])
		text = text[n:]
	}
}

// numbers adds a line's numbers to a list; each is right-aligned in the blanks
// before it.
func (p *parser) numbers(f *Field, at int, text string, last bool) {
	for end := at + len(text); text != ""; {
		rest := trimLeft(text)
		blanks := text[:len(text)-len(rest)]
		n := wordLen(rest)
		s := p.spot(f, partCell, end-len(rest), n)
		s.index = int32(len(f.Cells))
		s.alignRight(blanks)
		var cell *uint64
		if value, ok := layout.Count(rest[:n]); ok && !(last && n == len(rest)) {
			cell = p.slab.number(value)
		}
		f.Cells = append(f.Cells, cell)
		f.placed = int32(len(f.Cells))
		text = rest[n:]
	}
}

// wordLen is the length of the word that a text starts with.
func wordLen(text string) int {
	n := 0
	for n < len(text) && !isBlank(text[n]) {
		n++
	}
	return n
}

// readSource reads an interrupt source: its number and what it is for.
func (p *parser) readSource(l *line) bool {
	n := 0
	for n < len(l.text) && l.text[n] >= '0' && l.text[n] <= '9' {
		n++
	}
	use := trimLeft(l.text[n:])
	value, ok := layout.Count(l.text[:n])
	if !ok || use == "" || len(use) == len(l.text[n:]) || hasLabelColon(l.text) {
		return false
	}
	f := p.add(Source, "")
	f.Level = p.section.level(max(l.indent, 1))
	f.Number, f.Text = p.slab.number(value), use
	p.begin(l)
	p.spot(f, partNumber, l.at, n).pad = int32(len(l.text) - len(use) - n)
	p.spot(f, partText, l.end()-len(use), len(use))
	p.finish(l)
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
		n := wordLen(text)
		if _, ok := layout.Count(text[:n]); !ok {
			return false
		}
		text = trimLeft(text[n:])
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
