package normalize

import (
	"bytes"

	"seaworthy/internal/parse"
)

// unquoted is a text without the marks of a quoted mail. A mark in a few lines
// is a prompt; one in nearly all is not.
func unquoted(text []byte) (out []byte, ok bool) {
	all, marked, blank := 0, 0, 0
	for l := range bytes.Lines(text) {
		l = bytes.TrimRight(l, "\r\n")
		if len(bytes.TrimSpace(l)) == 0 {
			continue
		}
		all++
		if rest, ok := bytes.CutPrefix(l, []byte(">")); ok {
			marked++
			if len(rest) == 0 || rest[0] == ' ' || rest[0] == '>' {
				blank++
			}
		}
	}
	if marked < 2 || marked*100 < all*90 {
		return nil, false
	}
	mark := quoted
	if blank == marked {
		mark = quotedBlank
	}
	return mark.Regexp().ReplaceAll(text, nil), true
}

var quoted, quotedBlank = parse.Lazy(`(?m)^>`), parse.Lazy(`(?m)^> ?`)

// leastQuoted is how many lines one below the other show that a text quotes: a mark of a few is a prompt.
const leastQuoted = 4

// quotedBlocks is a text without the marks of the quotes in it: what a ticket or a mail quotes between words of its own.
// False if a text quotes nothing.
func quotedBlocks(text []byte) ([]byte, bool) {
	out := make([]byte, 0, len(text))
	found := false
	var block []byte
	lines := 0
	end := func() {
		if lines >= leastQuoted {
			block = quoteMarks.Regexp().ReplaceAll(block, nil)
			found = true
		}
		out = append(out, block...)
		block = block[:0]
		lines = 0
	}
	for l := range bytes.Lines(text) {
		if !quoteLine.Match(l) {
			end()
			out = append(out, l...)
			continue
		}
		block = append(block, l...)
		lines++
	}
	end()
	return out, found
}

// lazyQuote is a line with the mark of a quote above one that goes on without it, further to the right: people set the mark before the
// first line of what they paste.
var lazyQuote = parse.Lazy(`(?m)^> ?(\w[^\n]*\n[ \t]+\S)`)

// lazyQuotes is a text without the marks of such quotes. False if it has none.
func lazyQuotes(text []byte) ([]byte, bool) {
	if !lazyQuote.Match(text) {
		return nil, false
	}
	return lazyQuote.Regexp().ReplaceAll(text, []byte("$1")), true
}

// mostSpanned bounds the lines of a text between two marks of code within a line.
const mostSpanned = 200

// spannedCode is a text without the marks of code within a line where what is between them spans lines: "`eth0 …" and "…`" some
// lines below. False if there is none.
func spannedCode(text []byte) ([]byte, bool) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	found, open := false, -1
	for i, l := range lines {
		bare := bytes.TrimSpace(l)
		only := bytes.Count(bare, []byte("`")) == 1
		switch {
		case only && len(bare) > 1 && bytes.HasPrefix(bare, []byte("`")):
			open = i
		case only && bytes.HasSuffix(bare, []byte("`")) && open >= 0 && i-open < mostSpanned:
			lines[open] = bytes.Replace(lines[open], []byte("`"), nil, 1)
			lines[i] = bytes.Replace(l, []byte("`"), nil, 1)
			found, open = true, -1
		case bytes.Contains(bare, []byte("`")):
			open = -1
		}
	}
	if open >= 0 && len(bytes.Fields(lines[open])) >= leastMarked { // the rest was cut off
		lines[open] = bytes.Replace(lines[open], []byte("`"), nil, 1)
		found = true
	}
	return bytes.Join(lines, nil), found
}

// quoteLine is a line of a quote: the mark alone, or with a blank behind it, as often as quotes are in each other; quoteMarks are
// those marks.
var (
	quoteLine  = parse.Lazy(`^(?:> ?)*>(?:[ \t\r\n]|$)`)
	quoteMarks = parse.Lazy(`(?m)^(?:> ?)*> ?`)
)

// leastMarked is how many lines show that a program marked all of them.
const leastMarked = 4

// allLines reports whether nearly all lines of a text with something in it have a form.
func allLines(text []byte, form *parse.Pattern) bool {
	all, with := 0, 0
	for l := range bytes.Lines(text) {
		l = bytes.TrimRight(l, "\r\n")
		if len(bytes.TrimSpace(l)) == 0 {
			continue
		}
		all++
		if form.Match(l) {
			with++
		}
	}
	return with >= leastMarked && with*100 >= all*95
}

// unshown is a text without the marks with which cat -A shows ends of lines and tabs. False if it has none.
func unshown(text []byte) ([]byte, bool) {
	if !allLines(text, shownEnd) {
		return nil, false
	}
	text = bytes.ReplaceAll(text, []byte("^M$\n"), []byte("\n"))
	text = shownEnds.Regexp().ReplaceAll(text, nil)
	return bytes.ReplaceAll(text, []byte("^I"), []byte("\t")), true
}

// added is a text without the marks with which a patch adds its lines. False if it is none.
func added(text []byte) ([]byte, bool) {
	if !allLines(text, addedLine) {
		return nil, false
	}
	return addedMarks.Regexp().ReplaceAll(text, nil), true
}

var (
	shownEnd   = parse.Lazy(`\$$`)
	shownEnds  = parse.Lazy(`(?m)\$\r?$`)
	addedLine  = parse.Lazy(`^\+`)
	addedMarks = parse.Lazy(`(?m)^\+`)
)
