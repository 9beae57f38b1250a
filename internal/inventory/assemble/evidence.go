package assemble

import (
	"bytes"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// says is the origin of what an output says in these words.
func (o Output) says(text string) model.Origin {
	return model.Origin{Command: o.Command, Text: text}
}

// at is the origin of a line, 1-based, without the blanks around it.
func (o Output) at(number int) model.Origin {
	o.index.build()
	from := model.Origin{Command: o.Command, Line: number}
	if number > 0 && number <= len(o.index.lines) {
		from.Text = string(o.index.lines[number-1])
	}
	return from
}

// index finds the lines of an output, for evidence. It is made of a text once,
// at the first question.
type index struct {
	text  []byte
	lines [][]byte
	first map[string]int // the first line that begins with a word
	left  int            // bytes that may still be searched from end to end
}

// maxSearched bounds what is searched of one output beyond its index: a host
// with any number of interfaces is read in time that grows with its output.
const maxSearched = 64 << 20

func (x *index) build() {
	if x.first != nil {
		return
	}
	x.first, x.left = map[string]int{}, maxSearched
	for l := range bytes.Lines(x.text) {
		l = bytes.TrimSpace(l)
		x.lines = append(x.lines, l)
		w, _, _ := bytes.Cut(l, []byte(" "))
		if x.first[string(w)] == 0 {
			x.first[string(w)] = len(x.lines)
		}
	}
}

// search finds the first line that holds all the words, for evidence.
func search(o Output, words ...string) model.Origin {
	x := o.index
	x.build()
	holds := func(line []byte) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !bytes.Contains(line, []byte(w)) })
	}
	begin, _, _ := strings.Cut(words[0], " ")
	if n := x.first[begin]; n > 0 && holds(x.lines[n-1]) {
		return o.at(n)
	}
	for n, l := range x.lines {
		x.left -= len(l)
		if x.left < 0 {
			break
		}
		if holds(l) {
			return o.at(n + 1)
		}
	}
	return o.says("")
}
