package layout

import (
	"strings"

	"seaworthy/dialect"
)

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

var (
	single = dialect.Lazy(`^([A-Za-z][^:]*?)(\s*:\s*)(.*)$`)
	// Two blanks end the left value; where blanks were collapsed, a number does.
	double    = dialect.Lazy(`^([A-Za-z][^:]*?)(\s*:[ \t]*?)(\S.*?|)([ \t]{2,})([A-Z][^:]*?)(\s*:\s*)(.*)$`)
	collapsed = dialect.Lazy(`^([A-Za-z][^:]*?)(\s*:\s*)(\d+)(\s+)([A-Z][^:]*?)(\s*:\s*)(.*)$`)
	headings  = dialect.Lazy(`^([A-Z][^:]*?)(\s*:)()(\s+)([A-Z][^:]*?)(\s*:\s*)()$`)
)

// RightColumn is where the right column starts at the earliest; AIX has it at
// byte 39 or 40.
const RightColumn = 30

// ReadPairs reads such a line; ok is false if it has no label.
func ReadPairs(line string) (p Pairs, left, right string, ok bool) {
	lead, body, tail := Trim(line)
	for _, re := range []*dialect.Pattern{headings, double, collapsed} {
		if m := re.FindStringSubmatch(body); m != nil {
			p = Pairs{Lead: lead, Left: m[1], leftSep: m[2], gap: m[4], Right: m[5], rightSep: m[6], width: len(m[3]), Tail: tail}
			return p, m[3], m[7], true
		}
	}
	m := single.FindStringSubmatch(body)
	if m == nil {
		return p, "", "", false
	}
	if strings.Count(lead, " ") >= RightColumn {
		return Pairs{Lead: lead, Right: m[1], rightSep: m[2], Tail: tail}, "", m[3], true
	}
	return Pairs{Lead: lead, Left: m[1], leftSep: m[2], Tail: tail}, m[3], "", true
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
