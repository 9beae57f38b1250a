package report

import (
	"fmt"
	"strconv"

	"seaworthy/internal/ui/report/doc"
	"seaworthy/internal/ui/report/quote"
)

// Document holds what the functions of this package fill.
type Document = doc.Document

// Safe makes a text that a host printed harmless for a terminal: what is not
// to be seen, controls the terminal, or turns the order of letters round
// becomes a visible dot.
func Safe(s string) string { return quote.Plain(s) }

// Dash is a text, or a dash where it is unknown.
func Dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Count prints a number of things.
func Count(n int) string { return strconv.Itoa(n) }

// Plural is a number of things: 1 host, 2 hosts.
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// choose is yes or no, by a condition.
func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// addOr adds a table; to people who read an empty one it says why it is empty.
func addOr(d *Document, t *doc.Table, empty string) {
	if t.Empty() {
		d.On(doc.Terminal|doc.Page, func(d *Document) { d.Line("%s", empty) })
		t.Media = doc.Data
	}
	d.Table(t)
}
