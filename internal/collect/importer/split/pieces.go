package split

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// mark is a heading or a prompt: its lines are no output's, and what it says is
// said of those up to the next one.
type mark struct {
	from, to int // 0-based
	Piece
}

// between takes lines apart at marks, without the blank lines that the marks' form adds.
func between(lines []string, marks ...mark) (list []Piece) {
	p, from := Piece{}, 0
	for _, m := range append(marks, mark{from: len(lines)}) {
		for from < m.from && strings.TrimSpace(lines[from]) == "" {
			from++
		}
		if from < m.from {
			p.Text, p.Line = []byte(strings.Join(lines[from:m.from], "")), cmp.Or(p.Line, from+1)
			list = append(list, p)
		}
		p, from = m.Piece, m.to
	}
	return list
}

// cutAt is a text cut at marks; nil if there are none.
func cutAt(form Form, lines []string, marks []mark) *Cut {
	if len(marks) == 0 {
		return nil
	}
	return &Cut{Form: form, Pieces: between(lines, marks...)}
}

// inner splits each piece, the output of one host. A part inherits what it does not say.
func inner(ctx context.Context, list []Piece, name string) (out []Piece) {
	for _, p := range list {
		if strings.TrimSpace(string(p.Text)) == "" {
			continue
		}
		c := parted(ctx, p.Text, split(p.Text), name)
		for _, q := range c.Pieces {
			q.Title, q.Time = cmp.Or(q.Title, p.Title), p.Time
			if q.Command == "" && (len(c.Pieces) == 1 || !isNote(split(q.Text))) {
				q.Command = p.Command
			}
			q.Line, q.Sole = q.Line+p.Line-1, c.Form == Whole
			if q.Host == "" {
				q.Host, q.HostFrom = p.Host, p.HostFrom
			}
			out = append(out, q)
		}
		if len(out) > maxPieces {
			return nil
		}
	}
	return out
}

// body is a line without its end, escape sequences and trailing blanks.
func body(line string) string {
	if strings.IndexByte(line, 0x1b) >= 0 {
		line = parse.StripEscapes(title.ReplaceAllString(line, ""))
	}
	return strings.TrimRight(line, " \t\r\n")
}

// title is the sequence with which a shell names the terminal's window; others
// choose character sets.
var title = parse.Lazy("\x1b\\][^\x07\x1b]{0,512}(?:\x07|\x1b\\\\)|\x1b[()][0-9A-Za-z]|\x1b[=>78]")

// split cuts a text into lines that keep their ends.
func split(text []byte) []string { return slices.Collect(strings.Lines(string(text))) }

const maxRemembered = 10_000

// remembered answers as of does, at once for lines that it has seen: what fills
// a long text are the same lines.
func remembered[T any](of func(line string) T) func(line string) T {
	seen := map[string]T{}
	return func(line string) T {
		x, ok := seen[line]
		if !ok {
			x = of(line)
			if len(seen) < maxRemembered {
				seen[line] = x
			}
		}
		return x
	}
}
