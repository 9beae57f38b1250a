package printout

import (
	"strings"

	"seaworthy/dialect"
)

var escapeSequence = dialect.Lazy("\x1b\\[[0-9;?]*[A-Za-z]")

// Paint is the terminal escape sequences of one line and where they stood.
type Paint []stroke

type stroke struct {
	at       int // byte offset in the line without sequences
	sequence string
}

// Plain takes the escape sequences out of a line.
func Plain(line string) (string, Paint) {
	if strings.IndexByte(line, 0x1b) < 0 {
		return line, nil
	}
	var (
		b    strings.Builder
		p    Paint
		from int
	)
	for _, m := range escapeSequence.FindAllStringIndex(line, -1) {
		b.WriteString(line[from:m[0]])
		p = append(p, stroke{at: b.Len(), sequence: line[m[0]:m[1]]})
		from = m[1]
	}
	b.WriteString(line[from:])
	return b.String(), p
}

// On puts the sequences back. In a line that became shorter, those past its
// end stand at the end.
func (p Paint) On(line string) string {
	if len(p) == 0 {
		return line
	}
	var b strings.Builder
	from := 0
	for _, s := range p {
		at := max(from, min(s.at, len(line)))
		b.WriteString(line[from:at])
		b.WriteString(s.sequence)
		from = at
	}
	b.WriteString(line[from:])
	return b.String()
}
