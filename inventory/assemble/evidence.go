package assemble

import (
	"bytes"
	"strings"

	"seaworthy/inventory"
)

// at is the origin of a line.
func at(o Output, line int, text string) inventory.Origin {
	return inventory.Origin{Command: o.Command, Line: line, Text: strings.TrimSpace(text)}
}

// lines finds lines of an output by number, for evidence. It goes on from the
// last one found, as most are asked for in their order.
type lines struct {
	text   []byte
	number int // of the line that starts at from, 1-based
	from   int
}

func linesOf(o Output) lines { return lines{text: o.Text, number: 1} }

// line gives a line without the blanks around it; "" if there is none.
func (l *lines) line(number int) string {
	if number < l.number {
		l.number, l.from = 1, 0
	}
	for ; l.number < number; l.number++ {
		n := bytes.IndexByte(l.text[l.from:], '\n') + 1
		if n == 0 {
			return ""
		}
		l.from += n
	}
	text, _, _ := bytes.Cut(l.text[l.from:], []byte("\n"))
	return string(bytes.TrimSpace(text))
}

// line gives one line of an output.
func line(o Output, number int) string {
	l := linesOf(o)
	return l.line(number)
}

// search finds the first line that holds all the words, for evidence.
func search(o Output, words ...string) inventory.Origin {
	for from := 0; ; {
		n := bytes.Index(o.Text[from:], []byte(words[0]))
		if n < 0 {
			return inventory.Origin{Command: o.Command}
		}
		n += from
		start := bytes.LastIndexByte(o.Text[:n], '\n') + 1
		text, _, _ := bytes.Cut(o.Text[start:], []byte("\n"))
		all := true
		for _, w := range words[1:] {
			all = all && bytes.Contains(text, []byte(w))
		}
		if all {
			return at(o, 1+bytes.Count(o.Text[:start], []byte("\n")), string(text))
		}
		from = min(start+len(text)+1, len(o.Text))
	}
}
