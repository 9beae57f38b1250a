package assemble

import (
	"bytes"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// at is the origin of a line.
func at(o Output, line int, text string) inventory.Origin {
	return inventory.Origin{Command: o.Command, Line: line, Text: strings.TrimSpace(text)}
}

// index finds the lines of an output, for evidence. It is made of a text once,
// at the first question.
type index struct {
	text   []byte
	starts []int          // of each line
	first  map[string]int // the first line that begins with a word, 0-based
	left   int            // bytes that may still be searched from end to end
}

// maxSearched bounds what is searched of one output beyond its index: a host
// with any number of interfaces is read in time that grows with its output.
const maxSearched = 64 << 20

func (x *index) build() {
	if x.starts != nil || len(x.text) == 0 {
		return
	}
	x.first, x.left = map[string]int{}, maxSearched
	from := 0
	for l := range bytes.Lines(x.text) {
		if w, _, _ := bytes.Cut(bytes.TrimLeft(l, " \t"), []byte(" ")); len(w) > 0 {
			if _, seen := x.first[string(w)]; !seen {
				x.first[string(w)] = len(x.starts)
			}
		}
		x.starts = append(x.starts, from)
		from += len(l)
	}
}

// at is a line without its end; nil if there is none of that number, 0-based.
func (x *index) at(n int) []byte {
	if n < 0 || n >= len(x.starts) {
		return nil
	}
	l, _, _ := bytes.Cut(x.text[x.starts[n]:], []byte("\n"))
	return l
}

// line gives one line of an output without the blanks around it; "" if there
// is none of that number, 1-based.
func line(o Output, number int) string {
	o.index.build()
	return string(bytes.TrimSpace(o.index.at(number - 1)))
}

// search finds the first line that holds all the words, for evidence.
func search(o Output, words ...string) inventory.Origin {
	x := o.index
	x.build()
	holds := func(n int) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !bytes.Contains(x.at(n), []byte(w)) })
	}
	found := func(n int) inventory.Origin { return at(o, n+1, string(x.at(n))) }
	begin, _, _ := strings.Cut(words[0], " ")
	if n, ok := x.first[begin]; ok && holds(n) {
		return found(n)
	}
	for n := range x.starts {
		if x.left -= len(x.at(n)); x.left < 0 {
			break
		}
		if holds(n) {
			return found(n)
		}
	}
	return inventory.Origin{Command: o.Command}
}
