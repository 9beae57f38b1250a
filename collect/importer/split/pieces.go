package split

import (
	"strings"

	"seaworthy/dialect"
)

// pieces gathers lines.
type pieces struct {
	list []Piece
	text strings.Builder
	line int
	now  Piece
}

// begin ends the piece before and starts another one at the given line index.
func (p *pieces) begin(now Piece, at int) {
	p.end()
	p.now, p.line = now, at+1
	p.text.Reset()
}

func (p *pieces) add(line string) { p.text.WriteString(line) }

// end keeps a piece that has a text, without the blank lines around it that
// the heading's form adds.
func (p *pieces) end() {
	t := p.text.String()
	for {
		first, rest, ok := strings.Cut(t, "\n")
		if !ok || strings.TrimSpace(first) != "" {
			break
		}
		t = rest
		p.line++
	}
	if strings.TrimSpace(t) == "" {
		return
	}
	p.now.Text, p.now.Line = []byte(t), p.line
	p.list = append(p.list, p.now)
}

// body is a line without its end, escape sequences and trailing blanks.
func body(line string) string {
	return strings.TrimRight(plain(line), " \t\r\n")
}

func plain(line string) string {
	if strings.IndexByte(line, 0x1b) < 0 {
		return line
	}
	return dialect.StripEscapes(title.ReplaceAllString(line, ""))
}

// split cuts a text into lines that keep their ends.
func split(text []byte) []string {
	var lines []string
	for l := range strings.Lines(string(text)) {
		lines = append(lines, l)
	}
	return lines
}

// maxRemembered bounds what remembered keeps.
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
