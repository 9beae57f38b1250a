// Package fields is the -F flag that lsattr and lsdev share: a list of column
// names with separators, which also gives the shape of the lines.
//
// Separators other than blanks are printed as they stand in the list. With
// blanks between the names the command prints aligned columns.
package fields

import (
	"slices"
	"strings"
)

// Spec is the argument of -F.
type Spec struct {
	Names []string `json:"names"`
	Seps  []string `json:"seps"` // after each name; the last may be empty
}

// Parse reads an argument of -F: "name:type:description", "name status".
func Parse(format string) Spec {
	var s Spec
	rest := strings.TrimSpace(format)
	for rest != "" {
		n := strings.IndexFunc(rest, func(r rune) bool { return !wordRune(r) })
		if n < 0 {
			n = len(rest)
		}
		name := rest[:n]
		rest = rest[n:]
		m := strings.IndexFunc(rest, wordRune)
		if m < 0 {
			m = len(rest)
		}
		if name != "" {
			s.Names = append(s.Names, name)
			s.Seps = append(s.Seps, rest[:m])
		}
		rest = rest[m:]
	}
	return s
}

func wordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// Aligned tells whether the columns are padded: blanks separate the names.
func (s Spec) Aligned() bool {
	for i, sep := range s.Seps {
		if i < len(s.Names)-1 && strings.TrimSpace(sep) != "" {
			return false
		}
	}
	return true
}

// Index is the place of a column, or -1.
func (s Spec) Index(name string) int {
	for i, n := range s.Names {
		if n == name {
			return i
		}
	}
	return -1
}

// Fits tells whether a name is among those that a command knows, for every
// column of the list.
func (s Spec) Fits(known func(name string) bool) bool {
	for _, n := range s.Names {
		if !known(n) {
			return false
		}
	}
	return len(s.Names) > 0
}

// Heading is the line that -H prints.
func (s Spec) Heading(widths []int) string { return s.Print(s.Names, widths) }

// Print gives one line. Widths hold for aligned columns only.
func (s Spec) Print(values []string, widths []int) string {
	return string(s.Append(make([]byte, 0, 128), values, widths))
}

// Append is Print into a buffer.
func (s Spec) Append(b []byte, values []string, widths []int) []byte {
	aligned := s.Aligned()
	for i, v := range values {
		b = append(b, v...)
		switch {
		case i == len(values)-1 && (aligned || i >= len(s.Seps)):
		case aligned:
			if i < len(widths) {
				for n := len(v); n < widths[i]; n++ {
					b = append(b, ' ')
				}
			}
			b = append(b, ' ')
		case i < len(s.Seps):
			b = append(b, s.Seps[i]...)
		}
	}
	return b
}

// Widths are the column widths that fit all rows.
func (s Spec) Widths(rows [][]string, heading bool) []int {
	w := make([]int, len(s.Names))
	if heading {
		rows = append([][]string{s.Names}, rows...)
	}
	for _, r := range rows {
		for i, v := range r {
			if i < len(w) {
				w[i] = max(w[i], len(v))
			}
		}
	}
	return w
}

// Split cuts a line at the separators. A line with more separators than names
// has one value that holds some: give is the column that may, and the parts
// around it must be whole. ok is false if the parts cannot be told apart.
func (s Spec) Split(line string, give int) (values []string, ok bool) {
	return s.AppendSplit(nil, line, give)
}

// AppendSplit is Split with room for the values, which a codec that is done with
// one line's can use for the next line's.
func (s Spec) AppendSplit(room []string, line string, give int) (values []string, ok bool) {
	last := len(s.Names) - 1
	if last >= 0 && s.Seps[last] != "" {
		if !strings.HasSuffix(line, s.Seps[last]) {
			return nil, false
		}
		line = strings.TrimSuffix(line, s.Seps[last])
	}
	if last < 0 {
		return nil, false
	}
	if give < 0 || give > last {
		give = last
	}
	values = slices.Grow(room[:0], last+1)[:last+1]
	for i := 0; i < give; i++ {
		v, rest, found := strings.Cut(line, s.Seps[i])
		if !found {
			return nil, false
		}
		values[i], line = v, rest
	}
	for i := last; i > give; i-- {
		n := strings.LastIndex(line, s.Seps[i-1])
		if n < 0 {
			return nil, false
		}
		values[i], line = line[n+len(s.Seps[i-1]):], line[:n]
	}
	values[give] = line
	return values, true
}
