package entstat

import (
	"strings"

	"seaworthy/dialect/layout"
)

// pair is "label: value" with the literal text around it, as parts of the line.
type pair struct {
	label, sep, blanks, value, pad string
}

// length is that of the whole pair.
func (q *pair) length() int {
	return len(q.label) + len(q.sep) + len(q.blanks) + len(q.value) + len(q.pad)
}

// readPairs reads lines of "label: value", of which several may share a line.
func (p *parser) readPairs(i int, l *line) bool {
	if strings.IndexByte(l.text, ':') < 0 {
		return false
	}
	var buf [4]pair
	pairs, ok := splitPairs(l.text, p.columns, buf[:0])
	if !ok {
		return false
	}
	if p.readColumnHeads(l, pairs) {
		return true
	}
	if len(pairs) == 1 && p.readColonHeading(i, l, &pairs[0]) {
		return true
	}
	indent := l.indent
	if p.columns {
		indent = 0
	}
	p.section.at(indent, true)
	level := p.section.level(indent)
	p.begin(l)
	at := l.at
	for k := range pairs {
		q := &pairs[k]
		f := p.add(Value, q.label)
		f.Level = level
		if p.columns {
			f.Side = side(k, len(pairs), l, q)
		}
		p.spot(f, partLabel, at, len(q.label))
		p.fill(f, q, at+len(q.label)+len(q.sep), l, l.last && k == len(pairs)-1)
		p.learn(f)
		at += q.length()
	}
	p.finish(l)
	if len(pairs) == 1 {
		p.await(i, l, &pairs[0])
	}
	return true
}

// fill gives a field its value, or its list of words or of VLAN IDs; after is
// the place behind the colon.
func (p *parser) fill(f *Field, q *pair, after int, l *line, last bool) {
	flags, vlans := isFlags(f.Label), p.isVLANs(f)
	switch {
	case flags && q.value != "" && !startsWithDigit(q.value):
		f.Kind = List
		p.line().shows(f, true)
		p.words(f, after+len(q.blanks), q.value)
	case vlans && allDigits(q.value):
		f.Kind = List
		p.line().shows(f, true)
		p.numbers(f, after, l.plain[after:after+len(q.blanks)+len(q.value)], last)
	default:
		if flags || vlans {
			f.Kind = List
			if q.value == "" && !sameLabel(f.Label, "SEA Flags") {
				p.line().shows(f, true)
			}
		}
		p.value(f, q, after, l, last)
		if p.columns && f.Number == nil && !f.cut && !sameLabel(f.Label, "Elapsed Time") {
			p.report.Warn(l.number, "not a count: "+f.Label+": "+q.value)
		}
		return
	}
	f.cut = last
}

func (p *parser) isVLANs(f *Field) bool {
	return hasSuffixFold(f.Label, "VLAN Tag IDs") || hasSuffixFold(f.Label, "VLAN IDs") ||
		hasSuffixFold(f.Section, "VLAN Ids") && isDevice(f.Label)
}

// isSources tells the labels above a list of interrupt sources.
func isSources(label string) bool {
	return hasSuffixFold(label, "Interrupt Source Numbers") || hasSuffixFold(label, "Interrupt Sources")
}

func isFlags(label string) bool { return hasSuffixFold(label, "Flags") }

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// await remembers a field that the next line may continue.
func (p *parser) await(i int, l *line, q *pair) {
	f := p.current().Fields[len(p.current().Fields)-1]
	switch {
	case f.Kind == List, isSources(f.Label):
		p.open = f
	case q.value == "" && sameLabel(f.Label, "Device Type"):
		p.open = f
	case q.value == "":
		if _, more := p.next(i); !more {
			p.report.Warn(l.number, "the text ends after "+f.Label)
		}
	}
}

// learn takes from a field what the nesting of adapters depends on.
func (p *parser) learn(f *Field) {
	s := p.current()
	switch {
	case sameLabel(f.Label, "Device Type"):
		s.device = f
		kind := strings.ToLower(f.Text)
		s.bridge = s.bridge || strings.Contains(kind, "shared ethernet")
		s.channel = s.channel || strings.Contains(kind, "etherchannel") || strings.Contains(kind, "link aggregation")
	case f.Number == nil || !s.channel:
	case sameLabel(f.Label, "Number of adapters"), sameLabel(f.Label, "Number of primary adapters"), sameLabel(f.Label, "Number of backup adapters"):
		s.announce += min(*f.Number, 64)
	}
}

// readColumnHeads reads "Transmit Statistics:   Receive Statistics:".
func (p *parser) readColumnHeads(l *line, pairs []pair) bool {
	if !sameLabel(pairs[0].label, "Transmit Statistics") || pairs[0].value != "" || len(pairs) > 2 || p.section.major != "" {
		return false
	}
	if len(pairs) == 2 && (!sameLabel(pairs[1].label, "Receive Statistics") || pairs[1].value != "") {
		return false
	}
	p.literal(l)
	p.columns = true
	return true
}

// rightAlone are the counters of the right column that AIX prints without one
// to their left.
var rightAlone = []string{"Bad Packets", "Receive Errors", "CRC Errors", "DMA Overrun", "Alignment Errors", "No Resource Errors",
	"Receive Collision Errors", "Packet Too Short Errors", "Packet Too Long Errors", "Packets Discarded by Adapter", "Receiver Start Count"}

// side is the column of the k-th counter of a line.
func side(k, of int, l *line, q *pair) Side {
	switch {
	case of == 2 && k == 0:
		return Transmit
	case of == 2:
		return Receive
	case of > 2 || l.indent >= 20 && of == 1:
		if of > 2 {
			return OneColumn
		}
		return Receive
	}
	for _, known := range rightAlone {
		if sameLabel(q.label, known) {
			return Receive
		}
	}
	return OneColumn
}

// splitPairs cuts a text into its pairs. In the two-column part a value is a
// number, which tells where it ends even if runs of blanks were collapsed.
func splitPairs(text string, columns bool, pairs []pair) ([]pair, bool) {
	for text != "" {
		colon := strings.IndexByte(text, ':')
		if text[0] == '[' { // [q-0]: rx_bytes: 5
			if end := strings.Index(text, "]:"); end > 0 {
				if n := strings.IndexByte(text[end+2:], ':'); n >= 0 {
					colon = end + 2 + n
				}
			}
		}
		if colon < 1 {
			return nil, false
		}
		label := trimRight(text[:colon])
		if !isLabel(label) || len(pairs) > 0 && strings.Contains(label, "  ") {
			return nil, false
		}
		q := pair{label: label, sep: text[len(label) : colon+1]}
		rest := text[colon+1:]
		value := trimLeft(rest)
		q.blanks = rest[:len(rest)-len(value)]
		end := valueEnd(value, len(q.blanks), columns, q.label)
		q.value = trimRight(value[:end])
		q.pad = value[len(q.value):end]
		if q.value == "" { // all blanks go into one place
			q.pad, q.blanks = q.blanks+q.pad, ""
		}
		pairs = append(pairs, q)
		if len(pairs) > 8 {
			return nil, false
		}
		text = value[end:]
	}
	return pairs, len(pairs) > 0
}

// valueEnd is where the next label starts, or the end of the text.
func valueEnd(value string, blanks int, columns bool, label string) int {
	colon, lastColon := labelColons(value)
	if colon < 0 {
		return len(value)
	}
	first := strings.IndexAny(value, " \t")
	if first < 0 {
		return 0 // the value is missing: this is the next label
	}
	gap := first
	for gap < len(value) && isBlank(value[gap]) {
		gap++
	}
	if numberLike(value[:first]) && (gap-first > 1 || !startsWithDigit(value[gap:])) && lastColon > gap {
		return gap
	}
	for i := first; i < len(value); i++ {
		if !isBlank(value[i]) {
			continue
		}
		j := i
		for j < len(value) && isBlank(value[j]) {
			j++
		}
		if j-i > 1 || value[i] == '\t' {
			if colon < i {
				return 0 // one label more before the gap: this value is missing
			}
			if lastColon > j {
				return j
			}
		}
		i = j
	}
	switch {
	case sameLabel(label, "LACPDU Interval") && lastColon > gap:
		return gap
	case columns || blanks > 1 || hasSuffixFold(label, "Statistics") && hasSuffixFold(value, "Statistics:"):
		return 0
	}
	return len(value)
}

// labelColons are the places of the first and the last colon that stand as
// after a label, not as inside an address or a time; -1 if there is none.
func labelColons(text string) (first, last int) {
	first, last = -1, -1
	for i := 1; i < len(text); i++ {
		n := strings.IndexByte(text[i:], ':')
		if n < 0 {
			break
		}
		if i += n; i+1 == len(text) || isBlank(text[i+1]) {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	return first, last
}

func hasLabelColon(text string) bool {
	first, _ := labelColons(text)
	return first >= 0
}

func numberLike(word string) bool {
	if _, ok := layout.Count(word); ok {
		return true
	}
	return startsWithDigit(strings.TrimPrefix(word, "-"))
}

// isLabel refuses what is no name of anything: too long, not ASCII, no letter.
func isLabel(label string) bool {
	if label == "" || len(label) > 100 {
		return false
	}
	c := lower(label[0])
	letter := c >= 'a' && c <= 'z'
	if !letter && c != '[' && c != '<' && c != '#' && (c < '0' || c > '9') {
		return false
	}
	for i := 0; i < len(label); i++ {
		if label[i] >= 0x80 {
			return false
		}
		c := label[i] | 0x20
		letter = letter || c >= 'a' && c <= 'z'
	}
	return letter
}
