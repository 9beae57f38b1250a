package normalize

import (
	"bytes"
	"strings"
)

// Result is a text as it was printed, as far as that can be known.
type Result struct {
	Text  []byte
	Notes []string // what was undone, in words: "line numbers were taken off"
	lines []int    // by line of Text: its line in the input, 1-based; nil if they are the same
}

// Line is where a line of the text, 1-based, stood in the input.
func (r *Result) Line(n int) int {
	if r.lines == nil || n < 1 || n > len(r.lines) {
		return n
	}
	return r.lines[n-1]
}

// draft is a text being cleaned.
type draft struct {
	lines []string // without line ends
	from  []int
	notes []string
}

// Text cleans a text.
func Text(raw []byte) *Result {
	text, notes := decode(raw)
	text, ends := lineEnds(text)
	notes = append(notes, ends...)
	if len(bytes.TrimSpace(text)) == 0 {
		return &Result{Text: text, Notes: notes}
	}
	d := &draft{notes: notes}
	final := text[len(text)-1] == '\n'
	d.lines = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	d.from = make([]int, len(d.lines))
	for i := range d.from {
		d.from[i] = i + 1
	}
	before := len(d.lines)
	for _, step := range []func(*draft) bool{(*draft).lookalikes, (*draft).markup, (*draft).pager, (*draft).passwords, (*draft).doubled} {
		step(d)
	}
	for range 6 { // a quote in a quote, line numbers of a log with times
		if !d.quoted() && !d.numbered() && !d.stamped() && !d.framed() {
			break
		}
	}
	d.padded()
	r := &Result{Text: text, Notes: d.notes}
	if len(d.notes) == len(notes) {
		return r
	}
	r.Text = []byte(strings.Join(d.lines, "\n"))
	if final {
		r.Text = append(r.Text, '\n')
	}
	if len(d.lines) != before {
		r.lines = d.from
	}
	return r
}

func (d *draft) note(text string) bool {
	d.notes = append(d.notes, text)
	return true
}

// drop takes lines out of the text.
func (d *draft) drop(out func(i int) bool) (dropped int) {
	n := 0
	for i := range d.lines {
		if out(i) {
			continue
		}
		d.lines[n], d.from[n] = d.lines[i], d.from[i]
		n++
	}
	dropped = len(d.lines) - n
	d.lines, d.from = d.lines[:n], d.from[:n]
	return dropped
}

// share says that at least of in 100 of the lines that are not blank pass a
// test, and two of them or all.
func (d *draft) share(of int, test func(line string) bool) bool {
	all, passed := 0, 0
	for _, l := range d.lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		all++
		if test(l) {
			passed++
		}
	}
	return passed > 0 && passed*100 >= all*of
}
