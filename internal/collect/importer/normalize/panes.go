package normalize

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"seaworthy/internal/parse"
)

// paneBars are the lines that terminals and programs draw between two panes. The last one stands in tables and in outputs as
// well: it parts panes only where each of them has a prompt.
var paneBars = []rune{'│', '┃', '║', '|'}

// leastPaned is how many lines show that a text was taken from panes side by side.
const leastPaned = 5

// panePrompt is a line of a pane with a prompt and what was typed there.
var panePrompt = parse.Lazy(`(?m)^\[?[\w.@:~/ -]{0,80}\]?[#$>%][ \t]+[a-z/][\w./-]*(?:[ \t]|$)`)

// panes is a text of panes side by side with one below the other, the left one first. False if a text is none: the line between
// them stands in the same column of every line that is as long, but for the last, which a status line may be.
func panes(text []byte) ([]byte, bool) {
	if bytes.ContainsAny(text, "├┼┤╞╪╡┣╋┫") { // a table, or a tree
		return nil, false
	}
	for _, bar := range paneBars {
		left, right, ok := panesAt(text, bar)
		if !ok || bar == '|' && !(panePrompt.Match(left) && panePrompt.Match(right)) {
			continue
		}
		if more, ok := panes(right); ok {
			right = more
		}
		return append(left, right...), true
	}
	return nil, false
}

// panesAt are the panes on both sides of the first line of bars. False if there is none.
func panesAt(text []byte, bar rune) (left, right []byte, ok bool) {
	if !bytes.ContainsRune(text, bar) {
		return nil, nil, false
	}
	lines := bytes.Split(bytes.TrimRight(text, "\n"), []byte("\n"))
	at := paneColumn(lines[0], bar)
	if last := lines[len(lines)-1]; !barAt(last, bar, at) {
		lines = lines[:len(lines)-1]
	}
	if at < 1 || len(lines) < leastPaned {
		return nil, nil, false
	}
	for _, l := range lines {
		if !barAt(l, bar, at) {
			return nil, nil, false
		}
		column := runesOf(l, at)
		before, after := l[:column], bytes.TrimPrefix(l[column:], []byte(string(bar)))
		if bar == '|' {
			after = bytes.TrimPrefix(after, []byte(" "))
		}
		left = append(left, bytes.TrimRight(before, " ")...)
		if bytes.HasSuffix(before, []byte(" ")) || len(before) == 0 { // a full line goes on in the next
			left = append(left, '\n')
		}
		right = append(append(right, bytes.TrimRight(after, " ")...), '\n')
	}
	return append(bytes.TrimRight(left, "\n"), '\n'), append(bytes.TrimRight(right, "\n"), '\n'), true
}

// paneColumn is the column of the first bar of a line; -1 if it has none.
func paneColumn(line []byte, bar rune) int {
	before, _, found := bytes.Cut(line, []byte(string(bar)))
	if !found {
		return -1
	}
	return utf8.RuneCount(before)
}

// barAt reports whether a line has a bar in a column.
func barAt(line []byte, bar rune, column int) bool {
	return column >= 0 && strings.HasPrefix(string(line[runesOf(line, column):]), string(bar))
}

// runesOf is how many bytes the first characters of a line take.
func runesOf(line []byte, characters int) (n int) {
	for ; characters > 0 && n < len(line); characters-- {
		_, size := utf8.DecodeRune(line[n:])
		n += size
	}
	return n
}
