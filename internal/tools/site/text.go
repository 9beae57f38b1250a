package main

import (
	"fmt"
	"regexp"
	"strings"
)

// special are the characters that mean something in Markdown, in HTML or in a table of Markdown.
const special = "\\`*_{}[]<>#|~^&"

// atStart is what makes a list or a heading at the start of a text.
var atStart = regexp.MustCompile(`^(?:[-+:=]|\d+[.)])`)

// plain is a text as a page shows it: nothing in it is markup.
func plain(s string) string {
	var b strings.Builder
	start := len(atStart.FindString(s)) - 1 // of the character that makes it one
	for i, r := range s {
		switch {
		case i == start || strings.ContainsRune(special, r):
			fmt.Fprintf(&b, "&#%d;", r)
		case r == '\n':
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// code is a text in the letters of a terminal, within a line or a cell.
func code(s string) string { return "<code>" + plain(s) + "</code>" }

// block is a text of several lines in the letters of a terminal. It stands alone, with blank lines around it.
func block(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("    " + line)
		} else {
			b.WriteByte('\n')
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// fileName is a name that is a file on every system: net.ipv4.tcp_rmem, cost of rx/tx.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-", r):
			return r
		}
		return '-'
	}, s)
}

// longExpression is how long an expression may be that stands on one line.
const longExpression = 90

// expression puts a long expression on a line for each of its outermost operands.
func expression(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= longExpression {
		return s
	}
	var b strings.Builder
	depth := 0
	inText := false
	for i, r := range s {
		switch {
		case r == '"':
			inText = !inText
		case inText:
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		}
		outermost := depth == 0 && !inText
		if outermost && r == ' ' && (strings.HasPrefix(s[i:], " && ") || strings.HasPrefix(s[i:], " || ")) {
			b.WriteByte('\n')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
