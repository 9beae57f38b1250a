package layout

import "strings"

// Pairs is a line of one or two labels with values, as AIX statistics print
// them in two columns: "Packets: 19          Packets: 20". A line that begins
// far to the right holds the right pair only. Values are what stands behind
// the colons; the rest is layout.
type Pairs struct {
	Lead        string // blanks before the first label
	Left, Right string // labels; "" if that side is not there
	leftSep     string // the colon and the blanks behind it
	rightSep    string
	gap         string // between the left value and the right label
	width       int    // of the left value when it was read
	Tail        string
}

// RightColumn is where the right column starts at the earliest; AIX has it at
// byte 39 or 40.
const RightColumn = 30

const space = " \t\n\f\r"

// label is a label at the start of a text, with the colon and the blanks
// around it, and what follows.
type label struct{ name, sep, rest string }

func readLabel(text string) (l label, ok bool) {
	at := strings.IndexByte(text, ':')
	if at < 1 || !letter(text[0]) {
		return l, false
	}
	l.name = strings.TrimRight(text[:at], space)
	l.rest = strings.TrimLeft(text[at+1:], space)
	l.sep = text[len(l.name) : len(text)-len(l.rest)]
	return l, true
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || upper(c) }

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

// ReadPairs reads such a line; ok is false if it has no label.
func ReadPairs(line string) (p Pairs, left, right string, ok bool) {
	lead, body, tail := Trim(line)
	l, ok := readLabel(body)
	if !ok {
		return p, "", "", false
	}
	colon := strings.IndexByte(body, ':')
	if strings.IndexByte(body[colon+1:], ':') >= 0 {
		value, gap, from := leftValue(body, colon)
		if r, two := readLabel(body[from:]); two {
			p = Pairs{Lead: lead, Left: l.name, leftSep: body[len(l.name) : from-len(gap)-len(value)], gap: gap,
				Right: r.name, rightSep: r.sep, width: len(value), Tail: tail}
			return p, value, r.rest, true
		}
	}
	if strings.Count(lead, " ") >= RightColumn {
		return Pairs{Lead: lead, Right: l.name, rightSep: l.sep, Tail: tail}, "", l.rest, true
	}
	return Pairs{Lead: lead, Left: l.name, leftSep: l.sep, Tail: tail}, l.rest, "", true
}

// leftValue finds the value behind the colon of a left label, the gap behind
// it, and where the right label starts: len(body) if there is none. Two blanks
// end the left value; where blanks were collapsed, a number does, or there is
// none on either side.
func leftValue(body string, colon int) (value, gap string, from int) {
	after := colon + 1
	text := after
	for text < len(body) && strings.IndexByte(space, body[text]) >= 0 {
		text++
	}
	starts := func(i int) bool { return i < len(body) && upper(body[i]) && strings.IndexByte(body[i+1:], ':') >= 0 }
	if text > after && starts(text) && upper(body[0]) && strings.IndexByte(body[text:], ':') == len(body)-text-1 {
		return "", body[after:text], text
	}
	blank := after
	for blank < len(body) && (body[blank] == ' ' || body[blank] == '\t') {
		blank++
	}
	if blank >= after+2 && starts(blank) {
		return "", body[after:blank], blank
	}
	if blank == text {
		for i := text + 1; i < len(body); i++ {
			run := i
			for run < len(body) && (body[run] == ' ' || body[run] == '\t') {
				run++
			}
			if run >= i+2 && starts(run) {
				return body[text:i], body[i:run], run
			}
			i = max(i, run-1)
		}
	}
	digits := text
	for digits < len(body) && body[digits] >= '0' && body[digits] <= '9' {
		digits++
	}
	next := digits
	for next < len(body) && strings.IndexByte(space, body[next]) >= 0 {
		next++
	}
	if digits > text && next > digits && starts(next) {
		return body[text:digits], body[digits:next], next
	}
	return "", "", len(body)
}

// NewPairs is the layout of a new line with the right column at byte column.
func NewPairs(left, right string, column int) Pairs {
	p := Pairs{Left: left, leftSep: ": ", Right: right, rightSep: ": "}
	if right != "" {
		p.gap = strings.Repeat(" ", max(1, column-len(left)-2))
	}
	if left == "" {
		p.Lead, p.gap = strings.Repeat(" ", column), ""
	}
	return p
}

// Place prints the line with these values.
func (p Pairs) Place(left, right string) string {
	s := p.Lead
	if p.Left != "" {
		s += p.Left + p.leftSep + left
	}
	if p.Right == "" {
		return s + p.Tail
	}
	gap := p.gap
	if p.Left != "" {
		gap = resize(gap, p.width-len(left), 1)
	}
	return s + gap + p.Right + p.rightSep + right + p.Tail
}

// Heading prints the labels alone.
func (p Pairs) Heading() string {
	return p.Lead + p.Left + ":" + p.gap + " " + p.Right + ":"
}
