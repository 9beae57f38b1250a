package normalize

import (
	"bytes"
	"unicode/utf8"
)

// pane is the line that a terminal with several panes draws between two of them.
const pane = '│'

// leastPaned is how many lines show that a text was taken from panes side by side.
const leastPaned = 5

// panes is a text of panes side by side with one below the other, the left one first. False if a text is none: the line between
// them stands in the same column of every line, or of all but the last, which a status line may be.
func panes(text []byte) ([]byte, bool) {
	if !bytes.ContainsRune(text, pane) || bytes.ContainsAny(text, "├┼┤╞╪╡") { // a table, or a tree
		return nil, false
	}
	lines := bytes.Split(bytes.TrimRight(text, "\n"), []byte("\n"))
	at := paneColumn(lines[0])
	if paneColumn(lines[len(lines)-1]) != at {
		lines = lines[:len(lines)-1]
	}
	if at < 1 || len(lines) < leastPaned {
		return nil, false
	}
	var left, right []byte
	for _, l := range lines {
		if paneColumn(l) != at {
			return nil, false
		}
		before, after, _ := bytes.Cut(l, []byte(string(pane)))
		left = append(left, bytes.TrimRight(before, " ")...)
		if bytes.HasSuffix(before, []byte(" ")) || len(before) == 0 { // a full line goes on in the next
			left = append(left, '\n')
		}
		right = append(append(right, bytes.TrimRight(after, " ")...), '\n')
	}
	if more, ok := panes(right); ok {
		right = more
	}
	out := append(bytes.TrimRight(left, "\n"), '\n')
	return append(append(out, bytes.TrimRight(right, "\n")...), '\n'), true
}

// paneColumn is the column of the first line between panes; -1 if there is none.
func paneColumn(line []byte) int {
	before, _, found := bytes.Cut(line, []byte(string(pane)))
	if !found {
		return -1
	}
	return utf8.RuneCount(before)
}
