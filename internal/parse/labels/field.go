package labels

import (
	"strings"

	"seaworthy/internal/parse"
)

// Side is the column of a counter.
type Side string

const (
	OneColumn Side = ""   // printed alone
	Transmit  Side = "tx" // left column
	Receive   Side = "rx" // right column
)

// Kind says what sort of line a field was printed on.
type Kind string

const (
	Value   Kind = ""        // Label: Number or Text
	List    Kind = "list"    // Label: Items or Cells, perhaps on several lines; Text if something precedes or replaces them
	Row     Kind = "row"     // Label and Cells, one per column of the table
	Columns Kind = "columns" // the names of a table's columns, in Items
	Note    Kind = "note"    // Text without a label below the field before, such as an interrupt source
	Heading Kind = "heading" // opens the section Label; Number or Text if it has one
)

// Field is one thing printed: a counter, a state, a list, a row, a heading.
type Field struct {
	Kind Kind `json:"kind,omitempty"`
	// Section is the headings above the field, joined by " / ", without
	// their colons.
	Section string `json:"section,omitempty"`
	Label   string `json:"label,omitempty"` // as printed, without the colon
	Side    Side   `json:"side,omitempty"`

	// Number is the value if it is a plain decimal number that fits; otherwise
	// it is nil and Text has what was printed.
	Number *uint64   `json:"number,omitempty"`
	Text   string    `json:"text,omitempty"`
	Items  []string  `json:"items,omitempty"` // words of a list: flags, columns
	Cells  []*uint64 `json:"cells,omitempty"` // numbers of a row or of a list; nil: none printed

	Cut  bool `json:"-"` // the text ends in this value, or a line of it is lost
	Line int  `json:"-"` // 1-based
}

// Find is the first field with one of these labels, the first label first; nil
// if none has a value. A nil field has no value either.
func Find(fields []*Field, labels ...string) *Field {
	for _, label := range labels {
		for _, f := range fields {
			if f.Kind != Heading && f.Kind != Note && Same(f.Label, label) {
				return f
			}
		}
	}
	return nil
}

// String is the field's text; empty if it has none, or may be cut off.
func (f *Field) String() string {
	if f == nil || f.Cut {
		return ""
	}
	return f.Text
}

// Count is the field's number; nil if it has none.
func (f *Field) Count() *uint64 {
	if f == nil {
		return nil
	}
	return f.Number
}

// Fill gives the fields of a struct the values of what find has under the labels in their tags "from".
func Fill(v any, find func(label string) *Field) {
	for label, to := range parse.Tagged(v) {
		f := find(label)
		switch to := to.(type) {
		case **uint64:
			*to = f.Count()
			if f != nil && f.Kind == Row && len(f.Cells) == 1 {
				*to = f.Cells[0]
			}
		case *string:
			*to = f.String()
		}
	}
}

// Counter is the number of a field that has one of its own, not one per column.
func (f *Field) Counter() *uint64 {
	switch {
	case f.Kind == Value:
		return f.Number
	case f.Kind == Row && len(f.Cells) == 1 && !f.Cut:
		return f.Cells[0]
	}
	return nil
}

// Same compares labels as people do: case, runs of blanks and a blank at the
// end do not matter.
func Same(a, b string) bool {
	a, b = trimRight(a), trimRight(b)
	return strings.EqualFold(a, b) || HasPrefix(a, b[:min(len(b), 1)]) && strings.EqualFold(oneBlank(a), oneBlank(b))
}

// HasPrefix compares the start of a label without regard to case.
func HasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// HasSuffix compares the end of a label without regard to case.
func HasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func trimLeft(s string) string { return strings.TrimLeft(s, " \t") }

func trimRight(s string) string { return strings.TrimRight(s, " \t") }
